"""Texts of queries to begin with, of every language there is: from the cases, the pages and the examples."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from cepheid.algebra.json_form import program_to_json
from cepheid.diagnostics import CepheidError
from tests.markdown import blocks
from tests.queries import read_query
from tests.spec.block import fields

ROOT = Path(__file__).parent.parent.parent
ENDINGS = {".alg": "algebra", ".etalis": "etalis", ".parte": "parte", ".hbl": "hbl"}
TEXT_FORM, JSON_FORM = "cep", "json"
_CASE = re.compile(r"^[a-z]+ (?P<language>algebra|etalis|parte|hbl)[^\n]*\n(?P<text>.*?)\n----", re.M | re.S)
_LONGEST = 3000


@cache
def texts() -> Mapping[str, tuple[str, ...]]:
    """Return the texts by their languages; the algebra has a text form and a JSON form."""
    found: dict[str, dict[str, None]] = {}
    for language, text in (*_of_cases(), *_of_files(), *_of_spec()):
        if len(text) <= _LONGEST:
            found.setdefault(language, {})[text] = None
    found[JSON_FORM] = dict.fromkeys(_in_json(list(found[TEXT_FORM])))
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
                yield TEXT_FORM, fields(block.content)["query"]


def _in_json(some: list[str]) -> Iterator[str]:
    for text in some:
        try:
            yield json.dumps(program_to_json(read_query(text)))
        except CepheidError:
            continue
