"""HL7 messages: a segment in each line, its fields between bars; a message begins with `MSH`.

    OBX|1|NM|2093-3^CHOLESTEROL^LOINC|138.000|MG/DL        OBX.3.2 is CHOLESTEROL, OBX.5 is MG/DL

A message is a tuple of segments, a segment a tuple of texts: its name, and its fields from 1 on.
"""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.terms import NativeTerm, native
from cepheid.palettes.files import Given, bad_data, numbered_lines, source

Message: TypeAlias = tuple[tuple[str, ...], ...]

MOST_SEGMENTS: Final = 100_000
_FIELD: Final = re.compile(r"([A-Z][A-Z0-9]{2})(?:\[(\d{1,6}|\*)\])?\.(\d{1,6})(?:\.(\d{1,6}))?")


def hl7(src: Given) -> Processor:
    """The messages of a file."""
    return source("hl7", src, _messages)


def hl7_field(place: str) -> NativeTerm:
    """The field of a segment as a text: `OBX.5`; `OBX[2].5` of the second, `OBX[*].5` of all, `OBX.3.2` a part of it.

    None where a message has none.
    """
    match = _FIELD.fullmatch(place)
    if match is None:
        raise refusal(f"`{place}` is no field of a message", 'write `p.hl7_field("OBX.5")`')
    segment, which, field, component = match[1], match[2] or "1", int(match[3]), match[4]

    def found(message: Thing) -> Thing:
        own = [one for one in message_of(message) or () if one[0] == segment]
        told = [_part(one, field, component) for one in own]
        if which == "*":
            return told
        return told[int(which) - 1] if 0 < int(which) <= len(told) else None

    return native(f"hl7_field({place!r})", found)


def message_of(value: Thing) -> Message | None:
    """Return a message, or what a text says as one; None for what is neither."""
    if isinstance(value, str):
        return tuple(segment(line) for line in re.split(r"[\r\n]+", value) if line.strip())
    is_message = isinstance(value, tuple | list) and all(isinstance(one, tuple | list) and one for one in value)
    return tuple(map(tuple, value)) if is_message else None


def segment(line: str) -> tuple[str, ...]:
    """Return the name of a segment and its fields; the first field of `MSH` is the bar itself."""
    fields = line.strip().split("|")
    return ("MSH", "|", *fields[1:]) if fields[0] == "MSH" else tuple(fields)


def _part(segment: tuple[str, ...], field: int, component: str | None) -> str | None:
    if field >= len(segment):
        return None
    if component is None:
        return segment[field]
    parts = segment[field].split("^")
    return parts[int(component) - 1] if 0 < int(component) <= len(parts) else None


def _messages(given: Given) -> Iterator[Message]:
    message: list[tuple[str, ...]] = []
    for number, text in numbered_lines(given):
        for line in text.split("\r"):
            if line.startswith("MSH|") and message:
                yield tuple(message)
                message = []
            if line.strip():
                message.append(_checked(line, message, given, number))
    if message:
        yield tuple(message)


def _checked(line: str, before: list[tuple[str, ...]], given: Given, number: int) -> tuple[str, ...]:
    if not before and not line.startswith("MSH|"):
        raise bad_data("bad-row", "a message begins with a segment `MSH`", given, number)
    if len(before) >= MOST_SEGMENTS:
        raise bad_data("bad-row", f"this message has more than {MOST_SEGMENTS:,} segments", given, number)
    return segment(line)
