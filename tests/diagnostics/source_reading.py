"""Parsed modules of the source, and what their statements bind, return and hand over.

A path says which part of a value is wanted: an item by its number, `EACH` for what an iteration gives, `VALUE` for what
stands in a table under some key.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

EACH: Final = -1
VALUE: Final = -2
Steps = tuple[int, ...]
Function = ast.FunctionDef | ast.Lambda
Bound = tuple[ast.expr, Steps]
"""An expression, and which part of it is meant."""


class Module:
    """A parsed file, what it imports, and which node encloses which."""

    def __init__(self, path: Path, tree: ast.Module) -> None:
        self.path, self.tree = path, tree
        self.nodes: list[ast.AST] = []
        self.parents: dict[ast.AST, ast.AST] = {}
        self.imported: dict[str, str] = {}
        self._walk(tree)
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                self.imported.update((one.asname or one.name, node.module) for one in node.names)

    def _walk(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            self.nodes.append(child)
            self.parents[child] = node
            self._walk(child)

    def constants(self) -> Iterator[str]:
        """Yield the names that are assigned at the top of the module."""
        for node in self.tree.body:
            for target, *_ in _assigned(node):
                yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))

    def knows(self, name: str, home: "Module") -> bool:
        """Say whether a name means here what is defined in another module: by an import from it, or from above it."""
        source = self.imported.get(name)
        dotted = ".".join(home.path.with_suffix("").parts)
        return self is home or (source is not None and source.replace(".__init__", "") in dotted)

    def enclosing(self, node: ast.AST) -> Iterator[ast.AST]:
        while (above := self.parents.get(node)) is not None:
            node = above
            yield node

    def scopes(self, node: ast.AST) -> Iterator[Function | ast.Module]:
        return (one for one in self.enclosing(node) if isinstance(one, Function | ast.Module))

    def is_called(self, node: ast.AST) -> bool:
        """Say whether a name stands where it is called, or is given arguments to be called with."""
        above = self.parents.get(node)
        return isinstance(above, ast.Call) and (
            above.func is node or (ast.unparse(above.func) == "partial" and above.args[:1] == [node])
        )

    def class_around(self, node: ast.AST) -> ast.ClassDef | None:
        return next((one for one in self.enclosing(node) if isinstance(one, ast.ClassDef)), None)


@dataclass(frozen=True, slots=True)
class Seen:
    """An expression in its module, which part of it is wanted, and whether the text is a template that gets filled."""

    module: Module
    node: ast.expr
    steps: Steps = ()
    filled: bool = False

    def at(self, node: ast.expr, *steps: int) -> "Seen":
        return replace(self, node=node, steps=steps)


@cache
def trees(root: Path) -> Mapping[Path, ast.Module]:
    """Return all modules below a folder, parsed."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.py"))}


def parameters(function: ast.FunctionDef | ast.Lambda) -> list[str]:
    known = function.args
    named = [one.arg for one in (*known.posonlyargs, *known.args, *known.kwonlyargs)]
    return [*named, known.vararg.arg] if known.vararg else named


def arguments(function: ast.FunctionDef, call: ast.Call, name: str, steps: Steps) -> Iterator[Bound]:
    """Yield what a call hands over for a parameter; a starred argument may be any of what follows."""
    yield from ((word.value, steps) for word in call.keywords if word.arg == name)
    known = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    known = known[1:] if known[:1] in (["self"], ["cls"]) else known
    if function.args.vararg and function.args.vararg.arg == name:
        yield from _rest(call.args[len(known) :], steps)
    elif name in known:
        yield from _at(call.args, known.index(name), steps)


def default_of(function: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    known = [*function.args.posonlyargs, *function.args.args]
    for one, value in zip(known[len(known) - len(function.args.defaults) :], function.args.defaults, strict=True):
        if one.arg == name:
            yield value
    for one, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        if one.arg == name and default is not None:
            yield default


def _rest(given: list[ast.expr], steps: Steps) -> Iterator[Bound]:
    for one in given:
        yield (one.value, steps) if isinstance(one, ast.Starred) else (one, steps[1:])


def _at(given: list[ast.expr], index: int, steps: Steps) -> Iterator[Bound]:
    for number, one in enumerate(given[: index + 1]):
        if isinstance(one, ast.Starred):
            yield one.value, (EACH, *steps)
        elif number == index:
            yield one, steps


def field_of(call: ast.Call, fields: list[str], name: str) -> Iterator[ast.expr]:
    """Yield what the maker of a class is called with for one of its fields."""
    yield from (word.value for word in call.keywords if word.arg == name)
    if fields.index(name) < len(call.args):
        yield call.args[fields.index(name)]


def fields_of(node: ast.ClassDef) -> dict[str, ast.expr | None]:
    """Return the fields that a class annotates, in their order, with what they are if nobody says."""
    found = (one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name))
    return {ast.unparse(one.target): one.value for one in found}


def within(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function that are not those of a function inside of it."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from within(child)


def results(function: ast.FunctionDef, steps: Steps) -> Iterator[Bound]:
    """Yield what a function returns or yields."""
    for node in within(function):
        match node:
            case ast.Return(ast.expr() as value) | ast.YieldFrom(value):
                yield value, steps
            case ast.Yield(ast.expr() as value):
                yield value, steps[1:] if steps[:1] in ((EACH,), (VALUE,)) else steps


def bindings(scope: ast.AST, name: str, steps: Steps) -> Iterator[Bound]:
    """Yield what a name may be in a scope: what is assigned to it, and what is put into it."""
    for node in scope.body if isinstance(scope, ast.Module) else ast.walk(scope):
        for target, value, before in _assigned(node):
            for found in _unpacked(target, name, before):
                yield value, (*found, *steps)
        match node:
            case ast.Call(ast.Attribute(ast.Name(id=grown), method), [value]) if grown == name and steps:
                yield from _put(method, value, steps)
            case ast.Assign([ast.Subscript(ast.Name(id=grown))], value) if grown == name and steps:
                yield value, steps[1:]


def _put(method: str, value: ast.expr, steps: Steps) -> Iterator[Bound]:
    if method in {"append", "add", "appendleft"}:
        yield value, steps[1:]
    elif method in {"extend", "update"}:
        yield value, steps


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, Steps]]:
    match node:
        case ast.Assign(targets, value):
            for target in targets:
                yield from _paired(target, value)
        case ast.AnnAssign(target, _, ast.expr() as value) | ast.AugAssign(target, _, value):
            yield target, value, ()
        case ast.NamedExpr(target, value):
            yield target, value, ()
        case ast.For(target, source) | ast.comprehension(target, source):
            yield target, source, (EACH,)


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr, Steps]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, given in zip(target.elts, value.elts, strict=True):
            yield one, given, ()
    else:
        yield target, value, ()


def _unpacked(target: ast.expr, name: str, steps: Steps) -> Iterator[Steps]:
    """Yield which part of a value goes to a name that is, or stands in, a target."""
    match target:
        case ast.Name(id=found) if found == name:
            yield steps
        case ast.Tuple(items) | ast.List(items):
            for number, item in enumerate(items):
                if isinstance(item, ast.Starred):
                    yield from _unpacked(item.value, name, steps)
                else:
                    yield from _unpacked(item, name, (*steps, number))
