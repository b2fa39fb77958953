"""Cells of a frame that would end the process in Arrow, or keep it busy for ever, never reach it."""

from decimal import Decimal

import pandas as pd
import pytest

import cepheid as c
from cepheid.connectors.odd_cells import why_unreadable
from cepheid.diagnostics import CepheidError
from cepheid.events import plain_json


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def itself() -> list[object]:
    value: list[object] = [1]
    value.append(value)
    return value


@pytest.mark.parametrize("cell", [nested(101), nested(100_000), itself(), {"a": itself()}])
def test_a_cell_that_is_nested_too_deep_is_refused(cell: object) -> None:
    frame = pd.DataFrame({"type": ["A"], "time": [1], "x": [cell]})
    with pytest.raises(CepheidError, match="nested more than 100 deep"):
        c.compile("A", language="algebra").run(frame).count()


def test_what_stands_twice_at_every_depth_is_looked_into_once() -> None:
    value: object = 1
    for _ in range(60):
        value = [value, value]
    frame = pd.DataFrame({"type": ["A"], "time": [1], "x": [[1, [value]]]})
    assert why_unreadable(frame) is None


@pytest.mark.parametrize("number", ["1e999999999", "-1e-999999999"])
@pytest.mark.parametrize("others", [[], ["text"]])
def test_a_decimal_of_too_many_digits_is_refused(number: str, others: list[object]) -> None:
    cells = [Decimal(number), *others]
    frame = pd.DataFrame({"type": ["A"] * len(cells), "time": range(len(cells)), "x": cells})
    with pytest.raises(CepheidError, match="has too many digits"):
        c.compile("A", language="algebra").run(frame).count()


def test_a_long_number_inside_what_is_too_deep_is_shown() -> None:
    assert "a number of" in str(plain_json({"n": 10**5000, "deep": nested(200)}))
