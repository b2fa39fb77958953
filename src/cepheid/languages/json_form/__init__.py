"""Compiled queries as JSON: what `cepheid explain --stage json` prints is read back as the same query.

It is the form of the algebra that programs are exchanged in; nobody has to write it.
"""

import json
import re
from typing import Final

from cepheid.algebra.json_form import program_from_json, program_to_json
from cepheid.algebra.programs import Program
from cepheid.algebra.text import show as text_form
from cepheid.diagnostics import CepheidError, Source
from cepheid.languages.shared.findings import refusal

NAME: Final = "json"
EXTENSION: Final = ".json"
_DIGITS: Final = re.compile(r"\d+")

__all__ = ["EXTENSION", "NAME", "describe", "parse", "show"]


def parse(text: str, *, name: str = "<query>") -> Program:
    """Return the program that a JSON text is.

    >>> from cepheid.algebra.programs import Program
    >>> parse(show(Program())) == Program()
    True
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        place = Source(name, text).span(error.pos, min(error.pos + 1, len(text)))
        hint = "write one with `cepheid explain query.hbl --stage json`"
        raise refusal("syntax", f"the query is no JSON: {error.msg}", place, "it stops being JSON here", hint) from None
    except RecursionError:
        place, hint = Source(name, text).span(0, 1), "write one with `cepheid explain query.hbl --stage json`"
        raise refusal("too-deep", "the query is nested too deeply", place, "too many brackets", hint) from None
    except ValueError:  # Python reads no number of so many digits
        raise _long_number(Source(name, text)) from None
    return program_from_json(data)


def _long_number(source: Source) -> CepheidError:
    longest = max(_DIGITS.finditer(source.text), key=lambda found: found.end() - found.start())
    message = f"a number of {len(longest[0]):,} digits is longer than any value"
    place = source.span(longest.start(), longest.start() + 1)
    return refusal("syntax", message, place, "it begins here", "write a number of 64 bits")


def show(program: Program) -> str:
    """Return a program as JSON."""
    return json.dumps(program_to_json(program), indent=1)


def describe(text: str) -> str:
    """Return a program in the text form of the algebra, which is the tree that it is."""
    return text_form(parse(text))
