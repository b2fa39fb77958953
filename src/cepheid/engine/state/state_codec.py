"""State as plain bytes: JSON with tags for what JSON cannot say, and each partial match written once.

Nothing is pickled: what is read back is data, never code. A partial match is called by a hash of what it says, so that
its bytes stay the same as long as it is kept; partial matches stand in the order of their ends. The places where `cut`
divides the bytes depend on those hashes alone, so what did not change stays in the same pieces.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from itertools import pairwise

from cepheid.algebra.instances import FIELDS, Instance
from cepheid.events import Event, Mark

_CUTTING = re.compile(rb'"[0-9a-f]{14}[048c]0["\.]')
_EVENT = tuple(field.name for field in fields(Event))


def encode(state: object) -> bytes:
    """Return `state` as bytes that `decode` reads back as an equal state, shared instances shared again."""
    writer = _Writer()
    root = writer.plain(state)
    instances = [[name, told] for (_, name), told in sorted(writer.written.items(), key=lambda entry: entry[0])]
    return json.dumps({"root": root, "instances": instances}, separators=(",", ":")).encode()


def cut(data: bytes) -> list[bytes]:
    """Return encoded state in pieces: about one for every sixty-four times that an instance is named."""
    places = [0, *(found.start() for found in _CUTTING.finditer(data)), len(data)]
    return [data[one:other] for one, other in pairwise(places) if one != other]


def decode(data: bytes) -> object:
    """Return the state that `encode` wrote."""
    told = json.loads(data)
    reader = _Reader(told["instances"])
    return reader.value(told["root"])


class _Writer:
    def __init__(self) -> None:
        # What instances say, by their ends and names.
        self.written: dict[tuple[int, str], list[object]] = {}
        # The instances themselves are kept, so that no other object can have their address meanwhile.
        self._names: dict[int, tuple[str, Instance]] = {}

    def plain(self, value: object) -> object:
        match value:
            case None | bool() | int() | str():
                return value
            case float():
                return {"f": repr(value)}
            case list():
                return [self.plain(item) for item in value]
            case tuple():
                return {"t": [self.plain(item) for item in value]}
            case frozenset():
                return {"s": sorted((self.plain(item) for item in value), key=json.dumps)}
            case Mark():
                return {"m": value.name}
            case Instance():
                return {"i": self._instance(value)}
            case Event():
                return {"e": [self.plain(getattr(value, name)) for name in _EVENT]}
            case Mapping():
                return {"d": [[self.plain(key), self.plain(item)] for key, item in value.items()]}
            case _:
                raise AssertionError(f"state holds something that cannot be written down: {value!r}")

    def _instance(self, instance: Instance) -> str:
        known = self._names.get(id(instance))
        if known is not None:
            return known[0]
        told = [self.plain(getattr(instance, name)) for name in FIELDS]
        digest = hashlib.blake2b(json.dumps(told).encode(), digest_size=8).hexdigest()
        name = self._free_name(instance.end, digest)
        self.written[instance.end, name] = told
        self._names[id(instance)] = (name, instance)
        return name

    def _free_name(self, end: int, wanted: str) -> str:
        """Return a name of its own for an instance that says the same as another: they are two all the same."""
        ordinal, name = 0, wanted
        while (end, name) in self.written:
            ordinal += 1
            name = f"{wanted}.{ordinal}"
        return name


class _Reader:
    def __init__(self, instances: list[tuple[str, list[object]]]) -> None:
        self._told = dict(instances)
        self._instances: dict[str, Instance] = {}

    def value(self, told: object) -> object:
        if isinstance(told, list):
            return [self.value(item) for item in told]
        if isinstance(told, dict):
            ((tag, content),) = told.items()
            return self._tagged[tag](self, content)
        return told

    def _float(self, content: str) -> float:
        return float(content)

    def _tuple(self, content: list[object]) -> tuple[object, ...]:
        return tuple(self.value(item) for item in content)

    def _set(self, content: list[object]) -> frozenset[object]:
        return frozenset(self.value(item) for item in content)

    def _map(self, content: list[list[object]]) -> dict[object, object]:
        return {self.value(key): self.value(item) for key, item in content}

    def _event(self, content: list[object]) -> Event:
        return Event(*(self.value(item) for item in content))  # type: ignore[arg-type]  # as written

    def _instance(self, name: str) -> Instance:
        if name not in self._instances:
            self._instances[name] = Instance(*(self.value(item) for item in self._told[name]))  # type: ignore[arg-type]  # as written
        return self._instances[name]

    def _mark(self, content: str) -> Mark:
        return Mark[content]

    _tagged: Mapping[str, Callable[..., object]] = {
        "f": _float,
        "t": _tuple,
        "s": _set,
        "d": _map,
        "e": _event,
        "i": _instance,
        "m": _mark,
    }
