"""Phrases of other languages, and how `cep` says the same."""

import re
from typing import Final

from cepheid.diagnostics import Span, close_match

_ABSENT: Final = "say at the end what is absent: `(a: A then b: B) unless c: C between a and b`"
_NOT_AFTER: Final = "write `unless`, and until when: `a: A unless b: B relation 0 s <= start(b) - end(a) <= 1 min`"
_AGAIN: Final = "say how often with `repeat`: `repeat r: 3 of a: A within 1 min`"
_GROUP: Final = "put what stands before it in parentheses: `(repeat r: 3 of a: A within 1 min) then b: B`"
_EMITS: Final = "name what is emitted, and its values: `emits Alert(user = a.user)`"
_TEXTS: Final = 'call it like a function: `matches(a.field, "x")`, `contains(a.field, "x")`'
_BOUNDS: Final = "write `a.field >= 1 and a.field <= 9`"
_LEFT_OUT: Final = "say after the pattern what is left out: `a: A suppress 10 min by a.user`"
_PHRASES: Final = (
    # how the text before the place ends, how the text at it begins, and what to write
    (r"", r"(->|=>|~>|followed\s+by\b|followedby\b)", "write `then`: `a: A then b: B`"),
    (r"", r"is\s+not\s+null\b", "write `not is_null(a.field)`"),
    (r"", r"is\s+null\b", "write `is_null(a.field)`"),
    (r"", r"(i?like|rlike|regexp)\b", 'write `starts_with(a.field, "x")`, or `matches(a.field, "^x")`'),
    (r"", r"(matches|contains|(starts|ends)_?with)\s+[\"']", _TEXTS),
    (r"", r"(group|order|partition)\s+by\b", "write `by field`: the rule then holds for each of its values"),
    (r"", r"having\b", "write `where`"),
    (r"", r"limit\s+\d", "stop after so many matches with `--limit 3`"),
    (r"", r"as\s+\w", "a name stands before its event: `x: A`"),
    (r"", r"in\s+\d+\s*[a-z]", "write `within`: `within 5 s`"),
    (r"\bwithin\s+$", r"[a-z]", "write a number and a unit: `within 5 s`"),
    (r"\b(then|and)\s+(not|no)\s+$", r"", _ABSENT),
    (r"\b(then|and)\s+$", r"!", _ABSENT),
    (r"", r"without\b", _NOT_AFTER),
    (r"\brepeat\b[^()]*$", r"(then|and|or|unless|before|after)\b", _GROUP),
    (r"", r"unless\b", "put what stands before it in parentheses: `(a: A then b: B) unless c: C between a and b`"),
    (r"\bevery\s+$", r"\w", "leave `every` out: every match counts"),
    (r"\bskip\s+$", r"", "write `skip past last`, `skip to next`, or `skip to first a` with the name of a step"),
    (r"\bskip\s+to\s+$", r"", "write `skip to next`, or `skip to first a` with the name of a step"),
    (r"(^|[:(])\s*suppress\s+$", r"[\d(]", _LEFT_OUT),
    (r"", r"(throttle|cool_?down|debounce)\b", _LEFT_OUT),
    (r"<$", r">", "write `!=`"),
    (r"\bbetween\s+$", r"[-\d\"']", _BOUNDS),
    (r"\bin\s+-?\d+$", r"\.\.", _BOUNDS),
    (r"\bin\s*\([^()]*$", r",", 'a list stands in brackets: `a.field in ["x", "y"]`'),
    (r"\brepeat\s+$", r"\d", _AGAIN),
    (r"\brepeat\s+\w+\s*:\s*$", r"[A-Za-z]", _AGAIN),
    (r"(^|[\w(]\s*)$", r"(\d+\s*(x|times|of)\b|\{\s*\d)", _AGAIN),
    (r"\bcount\s*$", r"\(", _AGAIN),
    (r"\bemits\s+\w+\s*$", r"[.=:]", _EMITS),
    (r"\bemits\s+\w+\s*\([^()]*$", r"[.:),]", _EMITS),
    (r"(^|\n)\s*rule\s+\w+\s+$", r"\w", "put a `:` after its name: `rule X: a: A`"),
    (r"(^|\n)\s*rule\s*$", r":", "give it a name: `rule X: a: A`"),
    (r":\s*$", r"[\"']", "a type stands without quotes: `a: A`"),
)
_STEP_WORDS: Final = ("strict", "next", "any", "optional", "not")


def said_elsewhere(found: Span) -> str | None:
    """Return how to say what another language says at a place where the text cannot be read, None if nothing does."""
    before, after = found.source.text[: found.start], found.source.text[found.start :]
    for end, start, hint in _PHRASES:
        if re.search(f"(?:{end})$", before, re.IGNORECASE) and re.match(start, after, re.IGNORECASE):
            return hint
    if twice := re.search(r"\b(\w+)\s+\1\s+$", before):
        return f"leave one `{twice[1]}` out"
    return _misspelled_step(before)


def missing_at_the_end(text: str, possible: frozenset[str]) -> str | None:
    """Return what is missing where a text ends too early, None if nobody knows."""
    if re.search(r"\bemits\s*$", text):
        return _EMITS
    closing = sorted(possible & {")", "]", "}"})
    return f"close what is open with `{closing[0]}`" if closing else None


def _misspelled_step(before: str) -> str | None:
    """Return the word that was meant where a step of a sequence begins with one that is almost right."""
    if not (found := re.search(r"[{,(]\s*(\w+)\s+$", before)) or "sequence" not in before:
        return None
    meant = close_match(found[1], _STEP_WORDS)
    return None if meant is None else f"did you mean `{meant}`?"
