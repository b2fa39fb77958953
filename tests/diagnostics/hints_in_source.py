"""All hints that the source can give, found by following what is handed to `hints=` back to the texts.

A hint is followed through names, conditions, tables, functions that return it and functions that are called with it.
What cannot be followed is listed, so that no hint escapes. A part of a text that is known only when the hint is given
is a hole.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from typing import Final

from tests.diagnostics.source_reading import (
    EACH,
    VALUE,
    Module,
    Seen,
    arguments,
    bindings,
    default_of,
    field_of,
    fields_of,
    parameters,
    results,
    trees,
)

HOLE: Final = "\x00"
"""Stands for what is known only when the hint is given."""
MOST: Final = 24
"""So many variants of one text are looked at."""
FIELDS: Final = frozenset({"hint", "more"})
MAKERS: Final[Mapping[str, int]] = {"Diagnostic": 3, "replace": -1}
"""What makes diagnostics, and which of its arguments the hints are, if they have no name."""
SAME: Final = frozenset({"tuple", "list", "sorted", "set", "reversed", "frozenset", "str", "dict", "iter", "Advice"})
"""Functions that give what they are given."""
_FIELD: Final = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class Hint:
    """A text that the source gives as a hint, with holes, and where it stands."""

    text: str
    path: Path
    line: int


class Tracer:
    """Follows hints back to their texts."""

    def __init__(self, root: Path) -> None:
        self.modules = [Module(path, tree) for path, tree in trees(root).items()]
        self.functions: dict[str, list[tuple[Module, ast.FunctionDef]]] = defaultdict(list)
        self.classes: list[tuple[Module, ast.ClassDef]] = []
        self.calls: dict[str, list[tuple[Module, ast.Call]]] = defaultdict(list)
        self.constants: dict[str, list[Module]] = defaultdict(list)
        self.handed_on: dict[str, list[Module]] = defaultdict(list)
        self.unfollowed: set[str] = set()
        self.hints: dict[tuple[str, Path], Hint] = {}
        self._done: set[tuple[int, tuple[int, ...], bool]] = set()
        for module in self.modules:
            self._index(module)

    def _index(self, module: Module) -> None:
        for node in module.nodes:
            match node:
                case ast.FunctionDef():
                    self.functions[node.name].append((module, node))
                case ast.ClassDef():
                    self.classes.append((module, node))
                case ast.Call(ast.Name("partial"), [ast.Name(name), *given], words):
                    self.calls[name].append((module, ast.Call(ast.Name(name), given, words)))
                case ast.Call(ast.Name(name) | ast.Attribute(_, name)):
                    self.calls[name].append((module, node))
                case ast.Name(name, ast.Load()) | ast.Attribute(_, name, ast.Load()) if not module.is_called(node):
                    self.handed_on[name].append(module)
        for name in module.constants():
            self.constants[name].append(module)

    def run(self) -> list[Hint]:
        """Return every hint that is handed to a diagnostic."""
        for name, position in MAKERS.items():
            for module, call in self.calls[name]:
                for word in call.keywords:
                    if word.arg == "hints" or (word.arg is None and name == "Diagnostic"):
                        self.follow(Seen(module, word.value, (EACH,)))
                for value in call.args[position : position + 1] if position >= 0 else ():
                    self.follow(Seen(module, value, (EACH,)))
        return sorted(self.hints.values(), key=lambda hint: (str(hint.path), hint.line, hint.text))

    def follow(self, seen: Seen) -> None:
        if (mark := (id(seen.node), seen.steps, seen.filled)) in self._done:
            return
        self._done.add(mark)
        if not seen.steps and (texts := list(islice(self.texts(seen.module, seen.node), MOST))):
            for text in filter(None, texts):
                shown = _FIELD.sub(HOLE, text) if seen.filled else text
                self.hints.setdefault((shown, seen.module.path), Hint(shown, seen.module.path, seen.node.lineno))
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
                for scope in islice(module.scopes(value), 1)
                for given, steps in bindings(scope, inner.id, ())
                if not steps
                for text in self.texts(module, given)
            ]
            yield from found or [HOLE]
        else:
            yield from list(self.texts(module, inner)) or [HOLE]

    def before(self, seen: Seen) -> Iterator[Seen]:
        """Yield where a hint comes from that is no text yet."""
        steps = seen.steps
        match seen.node:
            case ast.Tuple(items) | ast.List(items) | ast.Set(items):
                yield from self._items(seen, items)
            case ast.Dict(keys, values):
                for key, value in zip(keys, values, strict=True):
                    wanted = value if key is None or steps[:1] == (VALUE,) else key
                    yield seen.at(wanted, *(steps if key is None else steps[1:]))
            case ast.GeneratorExp(item) | ast.ListComp(item) | ast.SetComp(item):
                yield seen.at(item, *steps[1:])
            case ast.DictComp(key, value):
                yield seen.at(value if steps[:1] == (VALUE,) else key, *steps[1:])
            case ast.Lambda(_, body) | ast.NamedExpr(_, body) | ast.Starred(body):
                yield seen.at(body, *steps)
            case ast.Subscript(inner, ast.Slice()):
                yield seen.at(inner, *steps)
            case ast.Subscript(inner, ast.Constant(int(number))):
                yield seen.at(inner, number, *steps)
            case ast.Subscript(inner):
                yield seen.at(inner, VALUE, *steps)
            case ast.IfExp(_, left, right) | ast.BinOp(left, ast.Add() | ast.BitOr(), right):
                yield seen.at(left, *steps)
                yield seen.at(right, *steps)
            case ast.BoolOp(_, values):
                yield from (seen.at(value, *steps) for value in values)
            case ast.Name(name):
                yield from self._named(seen, name)
            case ast.Attribute(inner, name):
                yield from self._of_field(seen, inner, name)
            case ast.Call():
                yield from self._called(seen, seen.node)

    def _items(self, seen: Seen, items: list[ast.expr]) -> Iterator[Seen]:
        number, rest = seen.steps[0] if seen.steps else EACH, seen.steps[1:]
        for index, item in enumerate(items):
            if isinstance(item, ast.Starred):
                yield seen.at(item.value, *seen.steps)
            elif number < 0 or index == number:
                yield seen.at(item, *rest)

    def _called(self, seen: Seen, call: ast.Call) -> Iterator[Seen]:
        steps = seen.steps
        match call.func, call.args:
            case ast.Name(name), [first, *_] if name in SAME:
                yield seen.at(first, *steps)
            case ast.Name("filter"), [_, given]:
                yield seen.at(given, *steps)
            case ast.Name("map"), [function, *_]:
                yield seen.at(function, *steps[1:])
            case ast.Name("partial"), [function, *_]:
                yield seen.at(function, *steps)
            case ast.Name("next"), [first, *default]:
                yield seen.at(first, EACH, *steps)
                yield from (seen.at(one, *steps) for one in default)
            case ast.Name("zip" | "enumerate" | "product" as name), given if len(steps) > 1:
                number = steps[1] - (name == "enumerate")
                yield from (seen.at(one, EACH, *steps[2:]) for one in given[number : number + 1])
            case ast.Name("getattr"), [_, ast.Constant(str(name)), *default]:
                yield from self._constants(seen, name, self.constants[name])
                yield from (seen.at(one, *steps) for one in default)
            case ast.Name(name), _:
                yield from self._named(seen, name)
            case ast.Attribute(inner, method), given:
                yield from self._of_method(seen, inner, method, given)

    def _of_method(self, seen: Seen, inner: ast.expr, method: str, given: list[ast.expr]) -> Iterator[Seen]:
        steps = seen.steps
        match method, given:
            case "format", _:
                yield replace(seen, node=inner, filled=True)
            case "strip" | "copy" | "lstrip" | "rstrip", _:
                yield seen.at(inner, *steps)
            case "get" | "pop" | "setdefault", [_, *default]:
                yield seen.at(inner, VALUE, *steps)
                yield from (seen.at(one, *steps) for one in default)
            case "values", []:
                yield seen.at(inner, VALUE, *steps[1:])
            case "items", []:
                yield seen.at(inner, VALUE if steps[1:2] == (1,) else EACH, *steps[2:])
            case "fromkeys", [keys, *value]:
                yield from (seen.at(one, *steps[1:]) for one in value if steps[:1] == (VALUE,))
                if steps[:1] != (VALUE,):
                    yield seen.at(keys, *steps)
            case "from_iterable", [all_of]:
                yield seen.at(all_of, EACH, *steps)
            case _:
                yield from self._returned(seen, method)

    def _returned(self, seen: Seen, name: str) -> Iterator[Seen]:
        """Yield what the functions of a name return."""
        for module, function in self.functions[name]:
            if seen.module.knows(name, module):
                for value, steps in results(function, seen.steps):
                    yield replace(seen, module=module, node=value, steps=steps)

    def _named(self, seen: Seen, name: str) -> Iterator[Seen]:
        for scope in seen.module.scopes(seen.node):
            found = [replace(seen, node=one, steps=steps) for one, steps in bindings(scope, name, seen.steps)]
            yield from found
            if isinstance(scope, ast.FunctionDef) and name in parameters(scope):
                yield from self._arguments(seen, scope, name)
                return
            if found:
                return
        others = [one for one in self.constants[name] if one is not seen.module and seen.module.knows(name, one)]
        yield from self._constants(seen, name, others)
        yield from self._returned(seen, name)

    def _constants(self, seen: Seen, name: str, modules: list[Module]) -> Iterator[Seen]:
        for module in modules:
            for value, steps in bindings(module.tree, name, seen.steps):
                yield replace(seen, module=module, node=value, steps=steps)

    def _arguments(self, seen: Seen, function: ast.FunctionDef, name: str) -> Iterator[Seen]:
        """Yield what a function is called with for one of its parameters, and what it is if nobody says."""
        home = seen.module
        above = home.parents[function]
        called = above.name if isinstance(above, ast.ClassDef) and function.name == "__init__" else function.name
        for module, call in self.calls[called]:
            is_method = isinstance(above, ast.ClassDef) and isinstance(call.func, ast.Attribute)
            if (is_method and len(call.args) < len(parameters(function))) or module.knows(called, home):
                for value, steps in arguments(function, call, name, seen.steps):
                    yield replace(seen, module=module, node=value, steps=steps)
        yield from (seen.at(value, *seen.steps) for value in default_of(function, name))
        if any(module.knows(called, home) for module in self.handed_on[called]):
            self.unfollowed.add(f"{home.path.name}: `{name}` of `{called}`, which is handed on")

    def _of_field(self, seen: Seen, inner: ast.expr, name: str) -> Iterator[Seen]:
        """Yield what the field of a class may be: what its makers are called with, or what a property returns."""
        own = seen.module.class_around(seen.node) if isinstance(inner, ast.Name) and inner.id == "self" else None
        if own is not None and name == "value" and any(ast.unparse(base).endswith("Enum") for base in own.bases):
            yield from (seen.at(one.value, *seen.steps) for one in own.body if isinstance(one, ast.Assign))
        elif name in FIELDS:  # the `hints` of a diagnostic have been followed where it was made
            for module, node in self.classes:
                yield from self._of_class(seen, module, node, name)

    def _of_class(self, seen: Seen, module: Module, node: ast.ClassDef, name: str) -> Iterator[Seen]:
        fields = fields_of(node)
        if name in fields and "hint" in fields:
            for place, call in self.calls[node.name]:
                for value in field_of(call, list(fields), name):
                    yield replace(seen, module=place, node=value)
            for place, call in self.calls["replace"]:
                yield from (replace(seen, module=place, node=word.value) for word in call.keywords if word.arg == name)
            if (default := fields[name]) is not None:
                yield replace(seen, module=module, node=default)
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and one.name == name:
                for value, steps in results(one, seen.steps):
                    yield replace(seen, module=module, node=value, steps=steps)


def _is_nothing(node: ast.expr) -> bool:
    match node:
        case ast.Tuple([]) | ast.List([]) | ast.Dict([]) | ast.Constant(None | "") | ast.Attribute(_, "hints"):
            return True
        case _:
            return False
