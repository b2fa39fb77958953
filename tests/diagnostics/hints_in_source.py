"""All hints that the source can give, found by following what is handed to `hints=` back to the texts.

A hint is followed through names, conditions, tables, functions that return it and functions that are called with it.
What cannot be followed is listed, so that no hint escapes. A part of a text that is known only when the hint is given
is a hole.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice, product
from pathlib import Path
from typing import Final

HOLE: Final = "\x00"
"""Stands for what is known only when the hint is given."""
MOST: Final = 24
"""So many variants of one text are looked at."""
FIELDS: Final = frozenset({"hint", "more"})
WRAPPERS: Final = frozenset({"tuple", "list", "sorted", "set", "in_words", "dict", "fromkeys", "reversed", "filter"})
Function = ast.FunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Hint:
    """A text that the source gives as a hint, with holes, and where it stands."""

    text: str
    path: Path
    line: int


@dataclass
class Module:
    """A parsed file, and which node encloses which."""

    path: Path
    tree: ast.Module
    imported: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                self.imported.update((one.asname or one.name, node.module) for one in node.names)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def knows(self, name: str, home: "Module") -> bool:
        """Say whether a name means here what is defined in another module: by an import from it, or from above it."""
        source = self.imported.get(name)
        dotted = ".".join(home.path.with_suffix("").parts)
        return self is home or (source is not None and source.replace(".__init__", "") in dotted)

    def enclosing(self, node: ast.AST) -> Iterator[Function | ast.Module]:
        while (above := self.parents.get(node)) is not None:
            node = above
            if isinstance(node, Function | ast.Module):
                yield node


@dataclass(frozen=True, slots=True)
class Seen:
    """An expression in its module; `index` is which item of it is wanted, if it is a tuple."""

    module: Module
    node: ast.expr
    index: int | None = None

    def at(self, node: ast.expr | None, index: int | None = None) -> Iterator["Seen"]:
        if node is not None:
            yield Seen(self.module, node, index)


@cache
def trees(root: Path) -> Mapping[Path, ast.Module]:
    """Return all modules below a folder, parsed."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.py"))}


class Tracer:
    """Follows hints back to their texts."""

    def __init__(self, root: Path) -> None:
        self.modules = [Module(path, tree) for path, tree in trees(root).items()]
        self.functions: dict[str, list[tuple[Module, ast.FunctionDef]]] = defaultdict(list)
        self.classes: dict[str, list[tuple[Module, ast.ClassDef]]] = defaultdict(list)
        self.calls: dict[str, list[tuple[Module, ast.Call]]] = defaultdict(list)
        self.constants: dict[str, list[tuple[Module, ast.expr]]] = defaultdict(list)
        self.unfollowed: set[str] = set()
        self.hints: dict[tuple[str, Path], Hint] = {}
        self._done: set[tuple[int, int | None]] = set()
        for module in self.modules:
            self._index(module)

    def _index(self, module: Module) -> None:
        for node in ast.walk(module.tree):
            match node:
                case ast.FunctionDef():
                    self.functions[node.name].append((module, node))
                case ast.ClassDef():
                    self.classes[node.name].append((module, node))
                case ast.Call(ast.Name(name) | ast.Attribute(_, name)):
                    self.calls[name].append((module, node))
        for node in module.tree.body:
            for target, value in _assigned(node):
                if isinstance(target, ast.Name):
                    self.constants[target.id].append((module, value))

    def run(self) -> list[Hint]:
        """Return every hint that is handed to a diagnostic."""
        for name in ("Diagnostic", "replace"):
            for module, call in self.calls[name]:
                for word in call.keywords:
                    if word.arg == "hints":
                        self.follow(Seen(module, word.value))
        for module, value in self.constants["ADVICE"]:
            self.follow(Seen(module, value))
        return sorted(self.hints.values(), key=lambda hint: (str(hint.path), hint.line, hint.text))

    def follow(self, seen: Seen) -> None:
        if (mark := (id(seen.node), seen.index)) in self._done:
            return
        self._done.add(mark)
        if texts := list(islice(self.texts(seen.module, seen.node), MOST)):
            for text in texts:
                hint = Hint(text, seen.module.path, seen.node.lineno)
                self.hints.setdefault((text, seen.module.path), hint)
            return
        before = list(self.before(seen))
        if not before and not _is_nothing(seen.node):
            self.unfollowed.add(f"{seen.module.path.name}: {ast.unparse(seen.node)}")
        for one in before:
            self.follow(one)

    def texts(self, module: Module, node: ast.expr) -> Iterator[str]:
        """Yield the texts that an expression may be; nothing, where it is no text of its own."""
        match node:
            case ast.Constant(str(text)):
                yield text
            case ast.JoinedStr(values):
                parts = [list(islice(self._part(module, value), MOST)) for value in values]
                yield from map("".join, product(*parts))
            case ast.BinOp(left, ast.Add(), right):
                parts = [list(islice(self.texts(module, side), MOST)) or [HOLE] for side in (left, right)]
                yield from () if all(part == [HOLE] for part in parts) else map("".join, product(*parts))
            case ast.IfExp(_, left, right) if found := [*self.texts(module, left), *self.texts(module, right)]:
                if len(found) > 1 or _is_nothing(left) or _is_nothing(right):
                    yield from found

    def _part(self, module: Module, value: ast.expr) -> Iterator[str]:
        """Yield what stands in a part of a text: itself, the texts of a name, or a hole."""
        inner = value.value if isinstance(value, ast.FormattedValue) else value
        if isinstance(inner, ast.Name):
            found = [
                text
                for scope in islice(module.enclosing(value), 1)
                for target, given in _assignments(scope)
                if isinstance(target, ast.Name) and target.id == inner.id
                for text in self.texts(module, given)
            ]
            yield from found or [HOLE]
        else:
            yield from list(self.texts(module, inner)) or [HOLE]

    def before(self, seen: Seen) -> Iterator[Seen]:
        """Yield where a hint comes from that is no text yet."""
        match seen.node:
            case ast.Tuple(items) | ast.List(items) | ast.Set(items):
                wanted = items if seen.index is None else items[seen.index : seen.index + 1]
                for item in wanted:
                    yield from seen.at(item)
            case ast.Lambda(_, body):
                yield from seen.at(body)
            case ast.Starred(inner) | ast.NamedExpr(_, inner) | ast.Subscript(inner):
                yield from seen.at(inner, seen.index)
            case ast.IfExp(_, left, right) | ast.BinOp(left, _, right):
                yield from seen.at(left, seen.index)
                yield from seen.at(right, seen.index)
            case ast.BoolOp(_, values) | ast.Dict(_, values):
                for value in values:
                    yield from seen.at(value, seen.index)
            case ast.GeneratorExp(item) | ast.ListComp(item) | ast.DictComp(_, item):
                yield from seen.at(item, seen.index)
            case ast.Name(name):
                yield from self._named(seen, name)
            case ast.Attribute(_, name):
                yield from self._of_field(name, seen.index)
            case ast.Call():
                yield from self._called(seen, seen.node)

    def _called(self, seen: Seen, call: ast.Call) -> Iterator[Seen]:
        name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
        if name in WRAPPERS:
            yield from seen.at(call.args[0], seen.index)
        elif name in {"get", "items", "values"} and isinstance(call.func, ast.Attribute):
            yield from seen.at(call.func.value, seen.index)
            for default in call.args[1:]:
                yield from seen.at(default, seen.index)
        elif name == "Advice":
            yield from seen.at(call.args[0])
        yield from self._returned(seen, name)

    def _returned(self, seen: Seen, name: str) -> Iterator[Seen]:
        """Yield what the functions of a name return."""
        for module, function in self.functions[name]:
            for node in ast.walk(function) if seen.module.knows(name, module) else ():
                if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
                    yield Seen(module, node.value, seen.index)

    def _named(self, seen: Seen, name: str) -> Iterator[Seen]:
        for scope in seen.module.enclosing(seen.node):
            found = list(self._bound(seen, scope, name))
            yield from found
            if isinstance(scope, ast.FunctionDef) and name in _parameters(scope):
                yield from self._arguments(seen.module, scope, name, seen.index)
                found.append(seen)
            if found:
                return
        for module, value in self.constants[name]:
            if seen.module.knows(name, module):
                yield Seen(module, value, seen.index)
        yield from self._returned(seen, name)

    def _bound(self, seen: Seen, scope: ast.AST, name: str) -> Iterator[Seen]:
        for target, value in _assignments(scope):
            match target:
                case ast.Name(id=found) if found == name:
                    yield from seen.at(value, seen.index)
                case ast.Tuple(items) if name in (
                    names := [getattr(getattr(item, "value", item), "id", None) for item in items]
                ):
                    index = names.index(name)
                    yield from seen.at(value, None if isinstance(items[index], ast.Starred) else index)

    def _arguments(self, home: Module, function: ast.FunctionDef, name: str, index: int | None) -> Iterator[Seen]:
        """Yield what a function is called with for one of its parameters."""
        above = home.parents[function]
        called = above.name if isinstance(above, ast.ClassDef) and function.name == "__init__" else function.name
        for module, call in self.calls[called]:
            is_method = isinstance(above, ast.ClassDef) and isinstance(call.func, ast.Attribute)
            if (is_method and len(call.args) < len(_parameters(function))) or module.knows(called, home):
                for value in _argument(function, call, name):
                    yield Seen(module, value, index)

    def _of_field(self, name: str, index: int | None) -> Iterator[Seen]:
        """Yield what the field of a class may be: what its makers are called with, or what a property returns."""
        if name not in FIELDS:  # the `hints` of a diagnostic have been followed where it was made
            return
        for classes in self.classes.values():
            for module, node in classes:
                fields = [ast.unparse(one.target) for one in node.body if isinstance(one, ast.AnnAssign)]
                if name in fields and "hint" in fields:
                    for place, call in self.calls[node.name]:
                        for value in _field_of(call, fields, name):
                            yield Seen(place, value, index)
                for one in node.body:
                    if isinstance(one, ast.FunctionDef) and one.name == name:
                        for inner in ast.walk(one):
                            if isinstance(inner, ast.Return) and inner.value is not None:
                                yield Seen(module, inner.value, index)


def _is_nothing(node: ast.expr) -> bool:
    empty = isinstance(node, ast.Tuple | ast.List) and not node.elts
    return (
        empty or (isinstance(node, ast.Constant) and node.value in (None, "")) or ast.unparse(node).endswith(".hints")
    )


def _parameters(function: ast.FunctionDef) -> list[str]:
    known = function.args
    named = [one.arg for one in (*known.posonlyargs, *known.args, *known.kwonlyargs)]
    return [*named, known.vararg.arg] if known.vararg else named


def _argument(function: ast.FunctionDef, call: ast.Call, name: str) -> Iterator[ast.expr]:
    yield from (word.value for word in call.keywords if word.arg == name)
    known = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    known = known[1:] if known[:1] in (["self"], ["cls"]) else known
    if function.args.vararg and function.args.vararg.arg == name:
        yield from call.args[len(known) :]
    elif name in known and known.index(name) < len(call.args):
        yield call.args[known.index(name)]


def _field_of(call: ast.Call, fields: list[str], name: str) -> Iterator[ast.expr]:
    yield from (word.value for word in call.keywords if word.arg == name)
    if fields.index(name) < len(call.args):
        yield call.args[fields.index(name)]


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assign(targets, value):
            for target in targets:
                yield from _paired(target, value)
        case ast.AnnAssign(target, _, ast.expr() as value) | ast.AugAssign(target, _, value):
            yield target, value
        case ast.NamedExpr(target, value):
            yield target, value
        case ast.For(target, source) | ast.comprehension(target, source):
            yield target, source


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def _assignments(scope: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    body = scope.body if isinstance(scope, ast.Module) else list(ast.walk(scope))
    for node in body:
        yield from _assigned(node)
