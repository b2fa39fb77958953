"""State in the words of the state's codec: what that has no word for gets one here, and user objects are refused."""

from collections.abc import Mapping

from cepheid.algebra.graphs.objects import Thing
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import Event


def plain_state(value: Thing) -> Thing:
    """Return a state as the codec can write it: each container says what it was.

    >>> read_state(plain_state([{(1, b"x"): {2, 3}}])) == [{(1, b"x"): {2, 3}}]
    True
    """
    match value:
        case None | bool() | int() | float() | str() | Event():
            return value
        case list():
            return ["l", *map(plain_state, value)]
        case tuple():
            return ["t", *map(plain_state, value)]
        case set() | frozenset():
            return ["s" if isinstance(value, set) else "f", *map(plain_state, value)]
        case bytes():
            return ["b", value.hex()]
        case Mapping():
            return ["d", *([plain_state(key), plain_state(item)] for key, item in value.items())]
        case _:
            raise _refusal(value)


def read_state(told: Thing) -> Thing:
    """Return the state that `plain_state` told."""
    if not isinstance(told, list):
        return told
    tag, *content = told
    if tag == "d":
        return {read_state(key): read_state(item) for key, item in content}
    if tag == "b":
        return bytes.fromhex(content[0])
    return _MADE[tag](map(read_state, content))


_MADE: Mapping[str, Thing] = {"l": list, "t": tuple, "s": set, "f": frozenset}


def _refusal(value: Thing) -> CepheidError:
    message = f"a `{type(value).__name__}` cannot be written into a snapshot"
    hint = "let the pipe keep numbers, texts, lists, tuples, sets, bytes and records"
    return CepheidError(Diagnostic("no-snapshot", message, hints=(hint,)))
