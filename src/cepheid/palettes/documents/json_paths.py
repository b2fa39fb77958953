"""Paths into documents of lists and records: `a.b[1]`, `items[*].price`, `["odd name"]`."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.terms import NativeTerm, native

Step: TypeAlias = str | int | None
"""A name, a place, or None for all."""

_STEP: Final = re.compile(
    r"""\.?(?P<name>[^\W\d][\w-]*) | \.?(?P<all>\*|\[\*\])
    | \[(?P<place>-?\d{1,9})\] | \[(?P<quote>["'])(?P<odd>.*?)(?P=quote)\]""",
    re.VERBOSE,
)


def jsonpath(path: str) -> NativeTerm:
    """What a document has at a path; None where it has nothing, and a list where the path says `*`."""
    steps = _steps(path)

    def found(document: Thing) -> Thing:
        return _found(document, steps)

    return native(f"jsonpath({path!r})", found)


def _steps(path: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    place = len("$") if path.startswith("$") else 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None or (steps and match["name"] and path[place] != "."):
            raise refusal(f"`{path}` is no path: `{path[place:]}` is not clear", 'write `"a.b[1]"`')
        is_place = match["place"] is not None
        steps.append(int(match["place"]) if is_place else None if match["all"] else match["name"] or match["odd"] or "")
        place = match.end()
    return tuple(steps)


def _found(document: Thing, steps: tuple[Step, ...]) -> Thing:
    for index, step in enumerate(steps):
        if step is None:
            inner = document.values() if isinstance(document, Mapping) else document
            if not isinstance(document, Mapping | list | tuple):
                return None
            return [_found(one, steps[index + 1 :]) for one in inner]
        document = _inside(document, step)
    return document


def _inside(document: Thing, step: str | int) -> Thing:
    if isinstance(step, str):
        return document.get(step) if isinstance(document, Mapping) else None
    is_there = isinstance(document, list | tuple) and -len(document) <= step < len(document)
    return document[step] if is_there else None
