"""What the arguments of the public calls may be: one that is something else is refused before anything is done with it.

Each argument means one thing, in whatever call it stands. What a text or a number must say beyond its type is checked
where it is read.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from inspect import signature
from operator import index
from os import PathLike
from typing import Final, ParamSpec, TypeVar

from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.events import Duration

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an argument must be, in words, how that is found out, and what may be written for it."""

    what: str
    takes: Callable[[object], bool]
    example: str
    words: tuple[str, ...] = ()

    def or_none(self) -> "Wanted":
        return Wanted(
            f"{self.what} or None", lambda given: given is None or self.takes(given), self.example, self.words
        )


def _is_text(given: object) -> bool:
    return isinstance(given, str)


def _are_texts(given: object) -> bool:
    return _is_text(given) or (isinstance(given, Sequence) and not _is_bytes(given) and all(map(_is_text, given)))


def _is_bytes(given: object) -> bool:
    return isinstance(given, bytes | bytearray | memoryview)


def _is_truth(given: object) -> bool:
    # NumPy has truths of its own.
    return type(given).__name__ in ("bool", "bool_") or (_is_whole(given) and given in (0, 1))


def _is_whole(given: object) -> bool:
    if isinstance(given, bool):
        return False
    try:
        index(given)  # type: ignore[arg-type]  # which is asked here
    except TypeError:
        return False
    return True


def _is_length(given: object) -> bool:
    return isinstance(given, str | Duration) or _is_whole(given)


def _is_path(given: object) -> bool:
    return isinstance(given, str | PathLike)


def _are_paths(given: object) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, str | bytes) and all(map(_is_path, given))


def _are_rates(given: object) -> bool:
    return isinstance(given, Mapping) and all(map(_is_text, (*given.keys(), *given.values())))


def _are_limits(given: object) -> bool:
    return isinstance(given, Mapping) and all(map(_is_place, given)) and all(map(_is_whole, given.values()))


def _is_place(given: object) -> bool:
    return isinstance(given, tuple) and len(given) == 2 and all(map(_is_text, given))


def _are_tables(given: object) -> bool:
    return isinstance(given, Mapping) and all(map(_is_text, given)) and all(map(_is_table, given.values()))


def _is_table(given: object) -> bool:
    has_rows = hasattr(given, "__arrow_c_stream__") or isinstance(given, Iterable) or hasattr(given, "rows")
    return _is_path(given) or (has_rows and not _is_bytes(given))


def _text(example: str) -> Wanted:
    return Wanted("a text", _is_text, f'"{example}"')


def _words(*words: str) -> Wanted:
    return Wanted(
        _listed(words),
        lambda given: (given.value if isinstance(given, Enum) else given) in words,
        f'"{words[0]}"',
        words,
    )


def _listed(words: Sequence[str]) -> str:
    shown = [f"`{word}`" for word in words]
    return f"{', '.join(shown[:-1])} or {shown[-1]}"


_TRUTH: Final = Wanted("True or False", _is_truth, "True")
_LENGTH: Final = Wanted("a length of time", _is_length, '"5 s"').or_none()
_ENGINES: Final = _words("auto", "interpreter", "kernels")
_UNITS: Final = _text("ms").or_none()

_READ: Final[Mapping[str, Wanted]] = {
    "type_column": _text("type"),
    "time_column": _text("time"),
    "start_column": _text("start").or_none(),
    "id_column": _text("id").or_none(),
    "source_column": _text("source").or_none(),
    "order_by": Wanted("a text or a list of texts", _are_texts, '"offset"'),
    "type": _text("Reading").or_none(),
    "pattern": Wanted("a text or a list of texts", _are_texts, '"%{IP:ip} %{WORD:word}"').or_none(),
    "time_format": _text("%b %d %H:%M:%S").or_none(),
    "input_format": _text("apache").or_none(),
    "year": Wanted("a whole number", _is_whole, "2024").or_none(),
    "heartbeat_type": _text("Heartbeat").or_none(),
    "time_unit": _UNITS,
}
_RUN: Final[Mapping[str, Wanted]] = {
    "strict": _TRUTH,
    "evidence": _TRUTH,
    "ids": _TRUTH,
    "columns": _TRUTH,
    "engine": _ENGINES,
    "source": _text("till 1"),
    "on_reject": Wanted("a function", callable, "print").or_none(),
    "sort_buffer": Wanted("a whole number", _is_whole, "100_000"),
    "max_matches": Wanted("a whole number", _is_whole, "1000").or_none(),
    "threads": Wanted("a whole number", _is_whole, "2").or_none(),
    "limits": Wanted("numbers by rule and variable", _are_limits, '{("Alarm", "a"): 100}').or_none(),
}
_COMPILED: Final[Mapping[str, Wanted]] = {
    "language": _text("cep").or_none(),
    "policy": _text("recent").or_none(),
    "rates": Wanted("texts by type", _are_rates, '{"Button": "5/s"}').or_none(),
    "tick": _LENGTH,
    "disorder": _LENGTH,
    "max_jump": _LENGTH,
    "intervals": _TRUTH,
    "allow_unbounded": _TRUTH,
    "tables": Wanted("rows, frames or files by name", _are_tables, '{"codes": "codes.csv"}').or_none(),
    "ties": _text("arrival").or_none(),
    "allow_files": Wanted("a list of paths", _are_paths, '["rules"]'),
}
ARGUMENTS: Final[Mapping[str, Wanted]] = {**_READ, **_RUN, **_COMPILED}
"""What each argument that has a name must be; `on_excess` may be less in some calls than in others."""


def checks_arguments(*excesses: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function refuse arguments that are not what they must be; `excesses` are its words for `on_excess`."""
    wanted = {**ARGUMENTS, "on_excess": _words(*excesses)} if excesses else ARGUMENTS

    def checking(function: Callable[P, R]) -> Callable[P, R]:
        by_place = tuple(signature(function).parameters)

        @wraps(function)
        def checked(*given: P.args, **named: P.kwargs) -> R:
            for name, value in (*zip(by_place, given, strict=False), *named.items()):
                if name in wanted and not wanted[name].takes(value):
                    raise _refused(name, value, wanted[name])
            return function(*given, **named)

        return checked

    return checking


def _refused(name: str, given: object, wanted: Wanted) -> CepheidError:
    example = wanted.example
    if wanted.words and isinstance(given, str):
        message = f"`{name}` is `{given}`, and may be {wanted.what}"
        example = f'"{close_match(given, wanted.words) or wanted.words[0]}"'
    else:
        message = f"expected {wanted.what} for `{name}`, got `{type(given).__name__}`"
    return CepheidError(Diagnostic("bad-option", message, hints=(f"write `{name}={example}`",)))
