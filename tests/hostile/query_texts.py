"""Texts of queries to begin with, of every language there is: from the cases, the pages and the examples."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random

from cepheid.algebra.json_form import program_to_json
from cepheid.diagnostics import CepheidError
from tests.languages.esql.texts import BASE, sentence
from tests.markdown import blocks
from tests.queries import read_query
from tests.spec.block import fields

ROOT = Path(__file__).parent.parent.parent
ENDINGS = {".alg": "algebra", ".cep": "cep", ".etalis": "etalis", ".parte": "parte", ".hbl": "hbl", ".esql": "esql"}
TEXT_FORM, JSON_FORM = "cep", "json"
_SENTENCES = 200
_CASE = re.compile(r"^[a-z]+ (?P<language>algebra|cep|etalis|parte|hbl)[^\n]*\n(?P<text>.*?)\n----", re.M | re.S)
_LONGEST = 3000


@cache
def texts() -> Mapping[str, tuple[str, ...]]:
    """Return texts that are right, by their languages; the algebra has a text form and a JSON form."""
    found = _by_language((*_of_files(), *_of_spec(), *_of_grammar()))
    return {**found, JSON_FORM: tuple(dict.fromkeys(_in_json(found[TEXT_FORM])))}


@cache
def texts_of_cases() -> Mapping[str, tuple[str, ...]]:
    """Return the texts of the cases, most of which are wrong in a way of their own."""
    return _by_language(_of_cases())


def _by_language(texts: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for language, text in texts:
        if len(text) <= _LONGEST:
            found.setdefault(language, {})[text] = None
    return {language: tuple(some) for language, some in found.items()}


def _of_cases() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "tests" / "cases").rglob("*.case")):
        for found in _CASE.finditer(path.read_text(encoding="utf-8")):
            yield found["language"], found["text"]


def _of_files() -> Iterator[tuple[str, str]]:
    for folder in ("examples", "docs", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in ENDINGS and path.is_file():
                yield ENDINGS[path.suffix], path.read_text(encoding="utf-8")


def _of_spec() -> Iterator[tuple[str, str]]:
    for page in sorted((ROOT / "tests" / "spec").rglob("*.md")):
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.language == "cep":
                yield block.arguments or TEXT_FORM, fields(block.content)["query"]


def _of_grammar() -> Iterator[tuple[str, str]]:
    """Return random texts of eSQL, most of whose rules no file uses."""
    for seed in range(_SENTENCES):
        yield "esql", sentence(BASE.grammar, Random(seed))


def _in_json(some: Iterable[str]) -> Iterator[str]:
    for text in some:
        try:
            yield json.dumps(program_to_json(read_query(text)))
        except CepheidError:
            continue
