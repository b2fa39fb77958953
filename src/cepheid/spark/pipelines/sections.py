"""The tables of a pipeline file, key by key: what is there is of the right kind, and all mistakes are told at once."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from cepheid.diagnostics import CepheidError, Diagnostic, Label, close_match
from cepheid.events import Duration
from cepheid.spark.pipelines.secrets import kept_elsewhere
from cepheid.spark.pipelines.toml_places import KeyPlaces

Choice = TypeVar("Choice", bound=str)

_KINDS: dict[type, str] = {str: "a text", bool: "true or false", int: "a whole number", dict: "a table", list: "a list"}


class Section:
    """One table of a file. Every question that is asked of it makes its key a known one."""

    def __init__(
        self,
        places: KeyPlaces,
        path: tuple[str, ...],
        table: Mapping[str, object],
        problems: list[Diagnostic],
        directory: Path = Path(),
    ) -> None:
        self.places, self.path, self.table, self.problems, self.directory = places, path, table, problems, directory
        self.known: list[str] = []

    @property
    def title(self) -> str:
        return ".".join(self.path)

    def needed(self, key: str, example: str) -> str:
        """Return the text of a key that must be there; `example` is what could stand there."""
        if key not in self.table:
            self.known.append(key)
            self.complain(f"`[{self.title}]` has no `{key}`", "it is missing here", hint=f'add `{key} = "{example}"`')
            return ""
        return self.text(key) or ""

    def text(self, key: str) -> str | None:
        found: str | None = self._of_kind(key, str)
        return found

    def flag(self, key: str) -> bool:
        return bool(self._of_kind(key, bool))

    def number(self, key: str) -> int | None:
        """Return a whole number that is at least one."""
        found: int | None = self._of_kind(key, int)
        if found is not None and found < 1:
            self.complain(f"`{key}` is less than 1", "too small", key, hint=f"write `{key} = 1`")
            return None
        return found

    def choice(self, key: str, choices: Sequence[Choice], default: Choice) -> Choice:
        """Return one of some texts."""
        found = self.text(key)
        if found is None:
            return default
        for one in choices:
            if found == one:
                return one
        self._no_choice(key, found, choices)
        return default

    def length_of_time(self, key: str, text: str, or_else: str | None = None) -> Duration | None:
        """Return the length of time that a text says; None where it says none."""
        try:
            found = Duration.parse(text)
        except CepheidError as error:
            hint = f'write `{key} = "5 s"`' + (f" or `{or_else}`" if or_else else "")
            self.complain(error.diagnostics[0].message, "expected a length of time", key, hint=hint)
            return None
        if found.ticks < 0:
            self.complain(f"`{key}` is less than nothing", "too short", key, hint=f'write `{key} = "5 s"`')
            return None
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; one text is a list too."""
        self.known.append(key)
        found = self.table.get(key, [])
        every = [found] if isinstance(found, str) else found
        if isinstance(every, list) and all(isinstance(one, str) for one in every):
            return tuple(every)
        self._wrong_kind(key, "a text or a list of texts")
        return ()

    def mapping(self, key: str) -> dict[str, str]:
        """Return a table of texts; numbers and flags become texts, as Spark's options are."""
        found: dict[str, object] = self._of_kind(key, dict) or {}
        if any(isinstance(value, dict | list) for value in found.values()):
            self._wrong_kind(key, "a table of texts")
            return {}
        return {name: _as_option(value) for name, value in found.items()}

    def secrets(self, key: str) -> dict[str, str]:
        """Return a table of texts of which each may be kept elsewhere: in the environment, or in a file."""
        found: dict[str, object] = self._of_kind(key, dict) or {}
        return {name: self._kept_elsewhere(key, name, value) for name, value in found.items()}

    def secret(self, key: str) -> str | None:
        """Return a text that may be kept elsewhere."""
        self.known.append(key)
        found = self.table.get(key)
        if found is None or isinstance(found, str | dict):
            return None if found is None else self._kept_elsewhere(key, key, found)
        self._wrong_kind(key, "a text")
        return None

    def _kept_elsewhere(self, key: str, name: str, value: object) -> str:
        if isinstance(value, list):
            self._wrong_kind(key, "a table of texts")
        if not isinstance(value, dict):
            return _as_option(value)
        try:
            return kept_elsewhere(name, value, self.directory)
        except CepheidError as error:
            finding = error.diagnostics[0]
            self.complain(finding.message, "it is kept elsewhere", key, hint=finding.hints[0])
            return ""

    def chosen(self, key: str, choices: Sequence[str]) -> tuple[str, ...]:
        """Return a list of texts that are all among some."""
        found = self.texts(key)
        for one in found:
            if one not in choices:
                self._no_choice(key, one, choices)
        return found

    def finish(self) -> None:
        """Complain about keys that mean nothing."""
        for key in self.table:
            if key not in self.known:
                closest = close_match(key, self.known)
                hint = f"did you mean `{closest}`?" if closest else f"it has {_listed(self.known)}"
                self.complain(f"`[{self.title}]` has no key `{key}`", "nobody reads this", key, hint=hint)

    def complain(self, message: str, label: str, *keys: str, hint: str) -> None:
        """Note what is wrong, at a key or at the head of the table."""
        place = self.places.of(*self.path, *keys)
        self.problems.append(Diagnostic("bad-pipeline", message, (Label(place, label),), hints=(hint,)))

    def _of_kind(self, key: str, kind: type) -> Any:  # of that kind, or None
        self.known.append(key)
        found = self.table.get(key)
        if found is None or type(found) is kind:
            return found
        self._wrong_kind(key, _KINDS[kind])
        return None

    def _wrong_kind(self, key: str, kind: str) -> None:
        found = _KINDS.get(type(self.table[key]), "something else")
        examples = {"a text": '"..."', "true or false": "true", "a whole number": "1", "a table": "{ name = ... }"}
        example = examples.get(kind, '["..."]')
        hint = f"write `{key} = {example}`"
        self.complain(f"`{key}` is {found}, and should be {kind}", f"expected {kind}", key, hint=hint)

    def _no_choice(self, key: str, found: str, choices: Sequence[str]) -> None:
        closest = close_match(found, choices)
        hint = f'did you mean `{key} = "{closest}"`?' if closest else f"write one of {_listed(choices)}"
        self.complain(f"`{key}` cannot be `{found}`", f"there is {_listed(choices)}", key, hint=hint)


def _as_option(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
