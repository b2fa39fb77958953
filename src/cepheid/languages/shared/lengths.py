"""Lengths of time in a query: with a unit, or a number in the unit of the query."""

from decimal import Decimal, InvalidOperation

from lark import Token

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source, Span
from cepheid.events import Duration
from cepheid.languages.shared.grammars import span_of

MOST_DIGITS = 40


def read_length(token: Token, source: Source, time_unit: int) -> int:
    """Return the ticks of a length such as `2 s`, or `2` where a lone number counts `time_unit` ticks."""
    span = span_of(token, source)
    if token.type == "NUMBER":
        number = counted(str(token))
        if number is None or abs(number.adjusted()) > MOST_DIGITS:
            raise beyond_counting(span)
        return Duration.parse(f"{number * time_unit:f} us", span).ticks
    return Duration.parse(str(token), span).ticks


def read_unit(token: Token, source: Source) -> int:
    """Return the ticks of one unit, as in `5/s`."""
    try:
        return Duration.parse(f"1 {token}").ticks
    except CepheidError as error:
        raise _at(span_of(token, source), error) from None


def counted(text: str) -> Decimal | None:
    """Return a number; None where its exponent is beyond all numbers."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def beyond_counting(span: Span) -> CepheidError:
    """Return the error for a number that is too large or too small to be a length."""
    message = f"`{span.text}` is no length that could be counted in microseconds"
    hint = "write a number between `0.000001` and `9223372036854`"
    return CepheidError(Diagnostic("bad-duration", message, (Label(span),), hints=(hint,)))


def check_unit(number: Token, unit: Token, source: Source) -> None:
    """Raise for a number with a word after it that is no unit."""
    start, end = number.start_pos or 0, unit.end_pos or 0
    Duration.parse(source.text[start:end], source.span(start, end))


def _at(span: Span, error: CepheidError) -> CepheidError:
    [told] = error.diagnostics
    label = Label(span, f"no unit is called `{span.text}`")
    return CepheidError(Diagnostic(told.code, f"`{span.text}` is not a unit of time", (label,), told.hints))
