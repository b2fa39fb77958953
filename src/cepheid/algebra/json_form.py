"""Every node as JSON and back, read off the fields of the nodes themselves.

    Atom("a", {"A"})   {"node": "Atom", "name": "a", "types": ["A"]}

A field that has its default is left out, and so is the place in the source text. Names with what they stand for are
lists of pairs, because their order counts. The fingerprint of a node is a hash of this form, so nodes with the same
fingerprint are equal.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import Enum
from typing import TypeAlias, TypeVar, get_args, overload

from cepheid.algebra.json_reader import read_node
from cepheid.algebra.json_values import described, refusal, value_to_json
from cepheid.algebra.nesting import limited_depth
from cepheid.algebra.node_fields import default_of, meaning
from cepheid.algebra.programs import Program
from cepheid.algebra.remembering import ByIdentity
from cepheid.events import Value

T = TypeVar("T")
Json: TypeAlias = dict[str, object]

VERSION = 1


def to_json(node: object) -> Json:
    """Return a node, with all below it, as JSON.

    >>> from cepheid.algebra.expressions import Call, Literal
    >>> to_json(Call("neg", (Literal(2.0),)))
    {'node': 'Call', 'function': 'neg', 'arguments': [{'node': 'Literal', 'value': {'float': '2.0'}}]}
    """
    form: Json = {"node": type(node).__name__}
    for item in meaning(type(node)):
        content = getattr(node, item.name)
        if content != default_of(item):
            form[item.name] = _written(item.type, content)
    return form


@overload
def from_json(data: object) -> object: ...
@overload
def from_json(data: object, wanted: type[T]) -> T: ...
def from_json(data: object, wanted: type = object) -> object:
    """Return the node that `to_json` wrote; what it cannot have written is a `bad-json-form` error with its path."""
    with limited_depth():
        return read_node(wanted, data, ())


def program_to_json(program: Program) -> Json:
    """Return a whole program with the version of this form, so that later versions can still read it."""
    return {"cepheid": VERSION, "program": to_json(program)}


def program_from_json(data: object) -> Program:
    """Return the program that `program_to_json` wrote."""
    if not isinstance(data, Mapping):
        raise refusal(f"expected an object, got {described(data)}", ())
    version = data.get("cepheid")
    if type(version) is not int or version != VERSION:
        hint = f'write `"cepheid": {VERSION}` beside `"program"`'
        raise refusal(f"expected version {VERSION}, got {described(version)}", ("cepheid",), hint)
    with limited_depth():
        return read_node(Program, data.get("program"), ("program",))


@ByIdentity
def fingerprint(node: object) -> str:
    """Return a short hash of all that a node means: the same in every run and on every machine.

    >>> from cepheid.algebra.expressions import Literal
    >>> fingerprint(Literal(1)) == fingerprint(Literal(1.0))
    False
    """
    text = json.dumps(to_json(node), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _written(hint: object, content: object) -> object:
    """Return what stands in a field as JSON; only the hint can tell a tuple of nodes from a tuple of values."""
    if hint is Value:
        return value_to_json(content)  # type: ignore[arg-type]  # the field holds a value
    if isinstance(content, Enum):
        return content.value
    if isinstance(content, frozenset):
        return sorted(content)
    if isinstance(content, Mapping):
        return [[name, _written(None, entry)] for name, entry in content.items()]
    if isinstance(content, tuple):
        [inner, *_] = get_args(hint) or (None,)
        return [_written(inner, entry) for entry in content]
    return to_json(content) if is_dataclass(content) else content
