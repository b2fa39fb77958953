"""JSON: a document in a text, and files with one in each line."""

import json
from collections.abc import Iterator

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.terms import native
from cepheid.palettes.files import Given, bad_data, numbered_lines, source


def json_lines(src: Given) -> Processor:
    """The documents of a file that has one in each line; empty lines are left out."""
    return source("json_lines", src, _documents)


def _documents(given: Given) -> Iterator[Thing]:
    for number, text in numbered_lines(given):
        if text.strip():
            yield _document(text, given, number)


def _document(text: str, given: Given, number: int) -> Thing:
    try:
        return json.loads(text)
    except ValueError as error:
        raise bad_data("bad-json", f"this line is not JSON: {str(error).lower()}", given, number) from None
    except RecursionError:
        raise bad_data("bad-json", "the document in this line is nested too deep", given, number) from None


def _parsed(text: Thing) -> Thing:
    if not isinstance(text, str | bytes):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


parse_json = native("parse_json", _parsed)
"""The document that a text of JSON says; None for what is none."""
