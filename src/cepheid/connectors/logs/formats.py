"""Which lines an input has: what was said about them, put together from a pattern, a preset and the form of times."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from cepheid.connectors.logs.grok import LinePattern, line_pattern
from cepheid.connectors.logs.logfmt import read_logfmt
from cepheid.connectors.logs.presets import PRESETS
from cepheid.connectors.records import ReadLine, Record
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import CepheidError, Diagnostic, close_match

LOGFMT: Final = "logfmt"
LINE_FORMATS: Final = (*PRESETS, LOGFMT)
INPUT_FORMATS: Final = ("json", "csv", *LINE_FORMATS)


@dataclass(frozen=True, slots=True)
class LogLines:
    """How lines are read, and how the times in the column of times are written, where that is known."""

    read: ReadLine
    time_formats: tuple[str, ...] = ()


@dataclass(slots=True)
class _Patterns:
    """Patterns that are tried one after the other, with the type of what each finds."""

    patterns: Sequence[tuple[LinePattern, str | None]]
    preset: str | None = None
    _explained: bool = field(default=False)

    def read(self, line: str) -> Record | Refused:
        for pattern, type_ in self.patterns:
            record = pattern.record(line)
            if record is not None:
                return record if type_ is None else {"type": type_, **record}
        return self._unlike(line)

    def _unlike(self, line: str) -> Refused:
        notes: tuple[str, ...] = ()
        if not self._explained and len(self.patterns) == 1:  # to find out takes long, and once is enough
            part = self.patterns[0][0].reach(line)
            notes = () if part is None else (f"it is not like the beginning of the pattern, `{part}`",)
        self._explained = True
        if self.preset is not None:
            several, hint = f"those of `{self.preset}`", "see them all: `--rejects rejects.jsonl`"
        else:
            several = "any of the patterns" if len(self.patterns) > 1 else "the pattern"
            hint = "give a pattern for these lines as well: `--pattern '%{GREEDYDATA:message}'`"
        return Refused(Diagnostic("bad-line", f"this line is not like {several}", hints=(hint,), notes=notes))


def reading_of_lines(
    patterns: Sequence[str], input_format: str | None, time_column: str, type_: str | None = None
) -> LogLines | None:
    """Return how lines are read by some patterns or by a format; None where the input is read as its name says.

    `type_` is the type of all lines of a format whose lines are all of one.
    """
    if patterns and input_format is not None:
        message = "a pattern says how lines are read, and so does a format"
        hint = f"leave one of them out: `--input-format {input_format}`"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))
    if patterns:
        read = [line_pattern(text) for text in patterns]
        forms = dict.fromkeys(one.time_formats[time_column] for one in read if time_column in one.time_formats)
        return LogLines(_Patterns([(one, None) for one in read]).read, tuple(forms))
    if input_format is None or input_format in ("json", "csv"):
        return None
    if input_format == LOGFMT:
        return LogLines(read_logfmt)
    if input_format not in PRESETS:
        close = close_match(input_format, INPUT_FORMATS) or "apache"
        message = f"there is no input format `{input_format}`"
        hints = (f"write `--input-format {close}`",)
        raise CepheidError(Diagnostic("unknown-format", message, hints=hints))
    return LogLines(_Patterns(_called(type_, input_format), input_format).read, PRESETS[input_format].time_formats)


def _called(type_: str | None, preset: str) -> Sequence[tuple[LinePattern, str | None]]:
    """Return the patterns of a preset, where what they find is of the type that somebody named."""
    patterns = _of_preset(preset)
    if type_ is None:
        return patterns
    types = list(dict.fromkeys(own for _, own in patterns))
    if len(types) > 1:
        message = f"lines of `{preset}` have types of their own, and `--type` names another"
        hint = f"leave out `--type`, and ask for one of theirs: `{types[0]}`"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))
    return [(pattern, type_) for pattern, _ in patterns]


@cache
def _of_preset(name: str) -> tuple[tuple[LinePattern, str | None], ...]:
    return tuple((line_pattern(text), type_) for type_, text in PRESETS[name].patterns)


def looks_like(text: str) -> str | None:
    """Return the format that some lines are probably in: of one with more to say, if any line is; None if it is none.

    >>> looks_like('10.0.0.1 - - [17/May/2024:08:30:00 +0000] "GET / HTTP/1.1" 200 12'), looks_like("a,b,c")
    ('apache', None)
    """
    found = [like for line in text.splitlines() if (like := _like(line)) is not None]
    return "openssh" if "openssh" in found else next(iter(found), None)


def _like(line: str) -> str | None:
    if " sshd[" in line and _fits(_Patterns(_of_preset("openssh")).read, line):
        return "openssh"
    for name in ("apache", "syslog"):
        if _fits(_Patterns(_of_preset(name)).read, line):
            return name
    return LOGFMT if line.count("=") > 1 and _fits(read_logfmt, line) else None


def _fits(read: Callable[[str], Record | Refused], line: str) -> bool:
    return not isinstance(read(line), Refused)
