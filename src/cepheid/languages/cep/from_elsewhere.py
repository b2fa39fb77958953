"""Phrases of other languages, and how `cep` says the same."""

import re
from typing import Final

from cepheid.diagnostics import Span, close_match

_PHRASES: Final = (
    # where the text goes wrong, what stands there, and what to write
    (r"(->|=>|~>|followed\s+by\b|followedby\b)", "write `then`: `a: A then b: B`"),
    (r"is\s+not\s+null\b", "write `not is_null(a.field)`"),
    (r"is\s+null\b", "write `is_null(a.field)`"),
    (r"(i?like|rlike|regexp)\b", 'write `starts_with(a.field, "x")`, or `matches(a.field, "^x")`'),
    (r"(group|order|partition)\s+by\b", "write `by field`: the rule then holds for each of its values"),
    (r"having\b", "write `where`"),
)
_STEP_WORDS: Final = ("strict", "next", "any", "optional", "not")
_BEFORE: Final = (
    (r"\bskip\s+$", r"", "write `skip past last`, `skip to next`, or `skip to first a` with the name of a step"),
    (r"\bskip\s+to\s+$", r"", "write `skip to next`, or `skip to first a` with the name of a step"),
    (r"<$", r">", "write `!=`"),
    (r"\bbetween\s+$", r"[-\d\"']", "write `a.field >= 1 and a.field <= 9`"),
    (r"\bin\s*\([^()]*$", r",", 'a list stands in brackets: `a.field in ["x", "y"]`'),
)


def said_elsewhere(found: Span) -> str | None:
    """Return how to say what another language says at a place where the text cannot be read, None if nothing does."""
    before, after = found.source.text[: found.start], found.source.text[found.start :]
    for phrase, hint in _PHRASES:
        if re.match(phrase, after, re.IGNORECASE):
            return hint
    for end, start, hint in _BEFORE:
        if re.search(end, before, re.IGNORECASE) and re.match(start, after):
            return hint
    return _misspelled_step(before)


def _misspelled_step(before: str) -> str | None:
    """Return the word that was meant where a step of a sequence begins with one that is almost right."""
    if not (found := re.search(r"[{,(]\s*(\w+)\s+$", before)) or "sequence" not in before:
        return None
    meant = close_match(found[1], _STEP_WORDS)
    return None if meant is None else f"did you mean `{meant}`?"
