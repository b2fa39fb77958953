"""What was found where the grammar wants something else, and what was probably meant."""

from collections.abc import Iterator
from contextlib import suppress

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from cepheid.algebra.text.words import WORDS
from cepheid.diagnostics import CepheidError, Source, Span, close_match
from cepheid.languages.cep.expectations import described, shown_terminals
from cepheid.languages.cep.from_elsewhere import missing_at_the_end, said_elsewhere
from cepheid.languages.cep.mistakes import mistake

_FROM_ELSEWHERE = {"=": "==", "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "<>": "!=", ";": "then"}
_DECLARATIONS = ("rule", "stream", "table", "tick", "ties", "pipe")
_UNITS = ("microseconds", "milliseconds", "seconds", "sec", "minutes", "min", "hours", "days", "weeks")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in")


def slip(error: UnexpectedInput, source: Source, start: str, grammar: Lark) -> CepheidError:
    """Return the error about the place of `source` where it stopped being what `start` can be."""
    found = _found(error, source)
    possible = shown_terminals(_possible(found, start, grammar), grammar)
    expected = f"expected {described(possible)}"
    if not found.text:
        hint = missing_at_the_end(source.text, possible)
        return mistake("the text ends too early", source.end, expected, *filter(None, [hint]))
    return mistake(f"`{found.text}` cannot stand here", found, expected, *_hints(found, possible))


def _found(error: UnexpectedInput, source: Source) -> Span:
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        start, length = error.token.start_pos or 0, len(error.token)
    elif isinstance(error, UnexpectedCharacters):
        start, length = int(error.pos_in_stream), 1  # type: ignore[call-overload]  # lark declares it as None
    else:
        return source.end
    two = source.text[start : start + 2]
    return source.span(start, start + (len(two) if two in _FROM_ELSEWHERE else length))


def _possible(found: Span, start: str, grammar: Lark) -> set[str]:
    """Return what the grammar could go on with before `found`."""
    reading = grammar.parse_interactive(found.source.text, start=start)
    with suppress(UnexpectedInput):
        for token in reading.iter_parse():
            if found.text and (token.start_pos or 0) >= found.start:
                break
    return set(reading.accepts())  # type: ignore[no-untyped-call]  # lark leaves its types out here


def _hints(found: Span, possible: frozenset[str]) -> Iterator[str]:
    """Yield what was probably meant: at most one hint that fits what is possible here."""
    before = found.source.text[: found.start].rstrip()
    meant = _FROM_ELSEWHERE.get(found.text)
    closest = close_match(found.text, [word for word in possible if word in WORDS])
    if (elsewhere := said_elsewhere(found)) is not None:
        yield elsewhere
    elif meant in possible:
        yield f"write `{meant}`"
    elif found.text in ('"', "`"):
        yield f"close it with `{found.text}` on the same line"
    elif found.text == "'":
        yield 'strings stand in double quotes: `"text"`'
    elif found.text == "." and "then" in possible:
        yield "the ends of a part are `start(a)` and `end(a)`"
    elif found.text in _COMPARISONS and "and" in possible:
        yield "two comparisons are joined with `and`"
    elif found.text in WORDS and "NAME" in possible:
        yield f"`{found.text}` has a meaning of its own; as a name it stands in backticks"
    elif unit := _unit(before, found.text):
        yield f"did you mean `{unit}`?"
    elif closest:
        yield f"did you mean `{closest}`?"
    elif found.text.isdigit() and "rate" in possible:
        yield "write `rate` before it: `rate 10 per 1 s`"
    elif misspelt := _declaration(before.rpartition("\n")[2].strip()):
        yield f"did you mean `{misspelt}`?"
    elif found.text == ")":
        yield "leave it out, or put `(` before what it closes"
    elif found.text == "," and "then" in possible:
        yield "write `then`, or `and` where the order does not matter: `a: A then b: B`"
    elif found.text == "-" and before == found.source.text[: found.start] and "then" in possible:
        yield "a name with a `-` in it stands in backticks"
    elif before[-1:].isdigit() and found.text.isalpha():
        yield "units of time are `us`, `ms`, `s`, `min`, `h` and `days`"


def _declaration(before: str) -> str | None:
    """Return the declaration that a line probably begins with."""
    return None if before in _DECLARATIONS or " " in before else close_match(before, _DECLARATIONS)


def _unit(before: str, found: str) -> str | None:
    """Return the unit that was probably meant after a number."""
    return close_match(found, _UNITS) if before[-1:].isdigit() else None
