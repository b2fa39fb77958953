"""Constants that a function can never take: a regular expression, a network or a time zone with a mistake."""

from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_network
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from cepheid.algebra.expressions import Call, Literal
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.text_functions import expression_named
from cepheid.algebra.time_functions import PARTS
from cepheid.algebra.validation.finding import finding
from cepheid.diagnostics import Diagnostic, close_match

Problem = tuple[str, str, str]


def wrong_constants(call: Call, pattern: Pattern | None) -> Iterator[Diagnostic]:
    """Yield what is wrong with the constants of a call, which would make it null for every event."""
    number, check = _CHECKS.get(call.function, (0, None))
    if check is None or number >= len(call.arguments):
        return
    argument = call.arguments[number]
    found = check(argument.value) if isinstance(argument, Literal) and isinstance(argument.value, str) else None
    if found is not None:
        code, message, hint = found
        yield finding(code, message, pattern, hint)


def _expression(text: str) -> Problem | None:
    try:
        expression_named(text)
    except ValueError as reason:
        message = f"`{text}` is not a regular expression: {reason}"
        return "bad-pattern", message, 'put a backslash before a sign that stands for itself: `"\\\\("`'
    return None


def _network(text: str) -> Problem | None:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return "bad-argument", f"`{text}` is not a network", 'write an address and its length: `"10.0.0.0/8"`'
    return None


def _zone(name: str) -> Problem | None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, ValueError):
        close = close_match(name, sorted(available_timezones())) or "Europe/Berlin"
        return "bad-argument", f"there is no time zone `{name}`", f'write `"{close}"`'
    return None


_CHECKS: Final[Mapping[str, tuple[int, Callable[[str], Problem | None]]]] = {
    "matches": (1, _expression),
    "extract": (1, _expression),
    "cidr_contains": (0, _network),
    **dict.fromkeys(PARTS, (1, _zone)),
}
