"""The tables of what a sequence can say: every piece of code in them can be typed, and runs."""

import re
from collections.abc import Iterator

import pytest

import cepheid as c
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import parse
from tests.docs.pages_that_run import ROOT

PAGE = (ROOT / "docs" / "languages" / "cep.md").read_text(encoding="utf-8")
TEXTS = (
    "{}",
    "sequence within 10 min {{ {} }}",
    "sequence within 10 min {{ {}, z: Z }}",
    "sequence within 10 min {{ a: A, {} }}",
    "sequence within 10 min {} {{ a: A, b: B }}",
)
CALLS = ("{}", "c.sequence(a, {})", "c.take(a, times=(1, 3)){}", "c.take(a, {})", "c.sequence(a, b, {})")


def rows(heading: str) -> Iterator[list[str]]:
    """Yield the cells of a table that has this heading."""
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    for line in table.splitlines()[2:]:
        yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]


def pieces(cell: str) -> list[str]:
    return [piece.replace("...", "a: A, b: B") for piece in re.findall("`([^`]+)`", cell)]


SAID = [*rows("Flink | `cep` | Python")]
NOT_SAID = [*rows("Flink | here")]


def is_read(piece: str) -> bool:
    for text in TEXTS:
        try:
            parse(text.format(piece))
        except CepheidError:
            continue
        return True
    return False


def is_built(piece: str) -> bool:
    names = {"c": c, "a": c.event("A"), "b": c.event("B"), "x": c.event("C"), "stop": c.event("D")}
    for call in CALLS:
        try:
            eval(call.format(piece), names)
        except (SyntaxError, TypeError, CepheidError):
            continue
        return True
    return False


@pytest.mark.parametrize("row", SAID, ids=lambda row: row[0])
def test_what_can_be_said_can_be_typed(row: list[str]) -> None:
    _, text, python = row
    assert [piece for piece in pieces(text) if not is_read(piece)] == []
    assert [piece for piece in pieces(python) if not is_built(piece)] == []


def test_the_ways_round_what_cannot_be_said_can_be_typed() -> None:
    told = {piece for _, way in NOT_SAID for piece in pieces(way)} - {"repeat"}
    assert len(SAID) > 15
    assert len(told) >= 2
    assert [piece for piece in told if not is_read(piece)] == []


@pytest.mark.parametrize("piece", ["a: A, strct b: B", "skip past lst", "2 off a: A"])
def test_what_cannot_be_typed_is_found(piece: str) -> None:
    assert not is_read(piece)
    assert not is_built(piece)
