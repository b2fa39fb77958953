"""State as plain bytes: JSON with tags for what JSON cannot say, and each instance written once.

Nothing is pickled: what is read back is data, never code.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields

from cepheid.algebra.instances import Instance
from cepheid.events import Event, Mark

_INSTANCE = tuple(field.name for field in fields(Instance))
_EVENT = tuple(field.name for field in fields(Event))


def encode(state: object) -> bytes:
    """Return `state` as bytes that `decode` reads back as an equal state, shared instances shared again."""
    writer = _Writer()
    root = writer.plain(state)
    return json.dumps({"root": root, "instances": writer.instances}, separators=(",", ":")).encode()


def decode(data: bytes) -> object:
    """Return the state that `encode` wrote."""
    told = json.loads(data)
    reader = _Reader(told["instances"])
    return reader.value(told["root"])


class _Writer:
    def __init__(self) -> None:
        self.instances: list[object] = []
        # The instances themselves are kept, so that no other object can have their address meanwhile.
        self._numbers: dict[int, tuple[int, Instance]] = {}

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
                return {"s": [self.plain(item) for item in value]}
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

    def _instance(self, instance: Instance) -> int:
        known = self._numbers.get(id(instance))
        if known is not None:
            return known[0]
        told = [self.plain(getattr(instance, name)) for name in _INSTANCE]
        self.instances.append(told)
        self._numbers[id(instance)] = (len(self.instances) - 1, instance)
        return len(self.instances) - 1


class _Reader:
    def __init__(self, instances: list[list[object]]) -> None:
        self._instances: list[Instance] = []
        # Parts are written before the instance that has them.
        for told in instances:
            self._instances.append(Instance(*(self.value(item) for item in told)))  # type: ignore[arg-type]  # as written

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

    def _instance(self, content: int) -> Instance:
        return self._instances[content]

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
