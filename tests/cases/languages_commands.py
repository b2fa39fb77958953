"""Queries of a language: `describe <language>` shows what was parsed, `parse <language>` shows it again as text.

`lower <language>` shows the program in the text form of the algebra, `remarks <language>` the warnings about a text.
"""

from cepheid.algebra.text import show
from cepheid.diagnostics import draw
from cepheid.languages import etalis, hbl, language_named, parte


def described(arguments: str, text: str) -> str:
    return language_named(arguments).describe(text)


def parsed(arguments: str, text: str) -> str:
    language = language_named(arguments)
    return language.show(language.parse(text))


def lowered(arguments: str, text: str) -> str:
    return show(language_named(arguments).parse(text))


def remarked(arguments: str, text: str) -> str:
    language = {one.NAME: one for one in (etalis, hbl, parte)}[arguments]
    return "\n\n".join(map(draw, language.remarks(text))) or "none"
