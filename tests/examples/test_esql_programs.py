"""The queries in `examples/esql` give the values that lie beside them, which are those that plain Python computes."""

import csv
import json
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cepheid.cli import main

FOLDER = Path(__file__).parents[2] / "examples" / "esql"
PROGRAMS = sorted(FOLDER.glob("*.esql"))


def values_of(program: str) -> list[Any]:
    return [json.loads(line) for line in (FOLDER / f"{program}.values.jsonl").read_text().splitlines()]


def rows_of(table: str) -> list[dict[str, Any]]:
    with (FOLDER / f"{table}.csv").open(encoding="utf-8") as file:
        return [{name: _number(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def _number(cell: str) -> Any:
    return cell if cell.isalpha() else float(cell)


STOCKS = rows_of("stocks")
MSFT = [row for row in STOCKS if row["symbol"] == "MSFT"]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_gives_the_values_beside_it(program: Path) -> None:
    done = CliRunner().invoke(main, ["run", str(program), "--quiet"])
    assert done.exit_code == 0, done.output
    assert [json.loads(line) for line in done.stdout.splitlines()] == values_of(program.stem)


def test_the_data_is_what_its_program_writes(tmp_path: Path) -> None:
    source = (FOLDER / "make_data.py").read_text(encoding="utf-8")
    exec(compile(source, "make_data", "exec"), {"__file__": str(tmp_path / "make_data.py"), "__name__": "__main__"})
    for table in ("stocks.csv", "readings.csv"):
        assert (tmp_path / table).read_text() == (FOLDER / table).read_text()


def test_query_1() -> None:
    assert values_of("1_first_days") == [{"closingPrice": row["closingPrice"]} for row in MSFT[:5]]


def test_query_2() -> None:
    found = [(row["timestamp"], row["closingPrice"]) for row in MSFT[100:] if row["closingPrice"] > 50]
    assert [tuple(row.values()) for row in values_of("2_after_the_hundredth")] == found
    assert found


def test_query_3() -> None:
    prices = [row["closingPrice"] for row in MSFT]
    windows = [prices[place : place + 5] for place in range(len(prices) - 4)]
    assert values_of("3_hopping_average") == pytest.approx([sum(window) / 5 for window in windows[::5]])


def test_query_4() -> None:
    base = {row["timestamp"]: row["closingPrice"] for row in MSFT}
    found = [row for row in STOCKS if row["timestamp"] > 115 and row["closingPrice"] > base[row["timestamp"]]]
    assert [tuple(row.values()) for row in values_of("4_higher_than")] == sorted(
        (row["timestamp"], row["symbol"]) for row in found
    )


def test_query_6() -> None:
    readings = [row["ldl"] for row in rows_of("readings")]
    outliers = []
    for place in range(1, len(readings) + 1):
        seen = readings[:place]
        mean = sum(seen) / place
        outliers.append(seen[-1] - mean > 2 * sqrt(sum(one * one for one in seen) / place - mean * mean))
    assert values_of("6_two_outliers") == [one and two for one, two in pairwise(outliers)]
    assert sum(values_of("6_two_outliers")) == 1


def test_the_query_of_figure_23() -> None:
    later = [row["closingPrice"] > 65 and row["symbol"] == "APPL" for row in STOCKS]
    expected = [row["closingPrice"] > 48 and any(later[place:]) for place, row in enumerate(STOCKS)]
    assert values_of("s6_pattern") == expected[:12]
