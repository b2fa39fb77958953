"""What somebody says about the input of a run beside its columns: the type of its rows, its lines, its times."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cepheid.connectors import Reading
from cepheid.connectors.logs import LINE_FORMATS, reading_of_lines
from cepheid.connectors.written_times import WrittenTimes
from cepheid.diagnostics import CepheidError, Diagnostic


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The type of rows without one, patterns of lines, the form of times, the first year, and the kind of input."""

    type: str | None = None
    pattern: str | Sequence[str] | None = None
    time_format: str | None = None
    year: int | None = None
    input_format: str | None = None

    @property
    def patterns(self) -> tuple[str, ...]:
        if self.pattern is None:
            return ()
        return (self.pattern,) if isinstance(self.pattern, str) else tuple(self.pattern)


def with_options(reading: Reading, options: ReadingOptions) -> Reading:
    """Return how events are read, with what was said about lines, times and types."""
    columns = replace(reading.columns, otherwise=_checked(options.type))
    lines = reading_of_lines(options.patterns, options.input_format, columns.time, options.type)
    forms = (options.time_format,) if options.time_format else () if lines is None else lines.time_formats
    if options.year is not None and not forms:
        message, hint = "a year is given, and no form of times", "add `--time-format '%b %d %H:%M:%S'`"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))
    return replace(
        reading,
        columns=columns,
        lines=None if lines is None else lines.read,
        times=WrittenTimes(forms, options.year) if forms else None,
        kind=None if options.input_format in (None, *LINE_FORMATS) else options.input_format,
    )


def _checked(type_: str | None) -> str | None:
    if type_ == "":
        message, hint = "a type has no name", "say what the rows are: `--type Reading`"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))
    return type_
