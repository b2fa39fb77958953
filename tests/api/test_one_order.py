"""Matches of finite input come out in one order, whatever finds them and however the input is cut."""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, get_args

import pyarrow as pa
import pytest

import cepheid
from cepheid.algebra.matches import Match
from cepheid.api import detectors, finite
from cepheid.api.one_order import in_one_order
from cepheid.connectors import arrow_rows
from cepheid.diagnostics import CepheidError, unreadable
from tests.kernels.plain_kernels import usually_plain

Engine = Literal["auto", "interpreter", "kernels"]
QUERIES = {
    "one rule": "rule Pair: a: A then b: B within 2 s emits Pair(k = b.k)",
    "by a key": "rule Pair: a: A then b: B within 2 s on k emits Pair(k = b.k)",
    "two rules": "rule Pair: a: A then b: B within 2 s emits Pair(k = b.k)\n"
    "rule Back: b: B then a: A within 1 s emits Back",
    "an absence": "rule Alone: a: A unless b: B relation 0 <= start(b) - end(a) <= 2 s emits Alone(k = a.k)",
    "a rule that is interpreted": "rule Pair: a: A then b: B within 2 s emits Pair\n"
    "rule Some: repeat r: 2..* of a: A within 1 s emits Some",
}
Row = tuple[str, int, str]
TRIED = 2


@pytest.fixture(autouse=True, scope="module")
def _small_portions() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, usually_plain():
        patch.setattr(finite, "MANY", 1)
        patch.setattr(arrow_rows, "MOST_ROWS", 1)
        patch.setattr(detectors, "PORTION", 2)
        yield


def random_rows(seed: int) -> list[Row]:
    """Return rows of few times, so that many have the same."""
    chosen = random.Random(seed)
    return [(chosen.choice("AB"), chosen.randrange(3), chosen.choice("xy")) for _ in range(24)]


def table_of(rows: Sequence[Row]) -> Any:  # a pyarrow.Table
    kinds, times, keys = zip(*rows, strict=True)
    return pa.table({"type": kinds, "time": times, "k": keys})


WAYS: dict[str, Callable[[Any], Any]] = {
    "a table": lambda table: table,
    "rows": lambda table: table.to_pylist(),
    "batches of three": lambda table: table.to_batches(max_chunksize=3),
    "a reader": lambda table: pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=2)),
}


def compiled(name: str, ties: Literal["arrival", "simultaneous"]) -> cepheid.CompiledQuery:
    return cepheid.compile(QUERIES[name], language="cep", ties=ties)


Told = tuple[float, Any, Any, str, Any]


def told(run: cepheid.Run) -> list[Told]:
    """Return the matches by what puts them in order; what only the end made certain is known after all else."""
    known = ((float("inf") if one.known is None else float(one.known), one) for one in run)  # type: ignore[arg-type]
    return [(when, one.end, one.start, one.name, one.evidence) for when, one in known]


@pytest.mark.parametrize("ties", ["arrival", "simultaneous"])
@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("seed", range(TRIED))
def test_neither_engines_nor_cuts_decide(name: str, ties: Literal["arrival", "simultaneous"], seed: int) -> None:
    query, table = compiled(name, ties), table_of(random_rows(seed))
    rules = [rule.name for rule in query.program.rules]
    engines = [one for one in get_args(Engine) if one != "kernels" or "interpreted" not in name]
    found = [told(query.run(way(table), engine=engine)) for engine, way in itertools.product(engines, WAYS.values())]
    found.append(told(query.run(table, threads=2)))
    assert all(one == found[0] for one in found)
    keys = [(known, end, start, rules.index(rule), evidence) for known, end, start, rule, evidence in found[0]]
    assert keys == sorted(keys)


@pytest.mark.parametrize("seed", range(TRIED))
def test_tables_have_that_order_too(seed: int) -> None:
    query, table = compiled("two rules", "arrival"), table_of(random_rows(seed))
    runs = [query.run(table), query.run(table.to_batches(max_chunksize=1)), query.run(table, engine="interpreter")]
    tables = [run.to_arrow() for run in runs]
    assert tables[0].equals(tables[1])
    assert tables[0].equals(tables[2])


def test_what_was_found_before_an_error_comes_out_first() -> None:
    plan = compiled("one rule", "arrival").plan
    later, earlier = (Match("Pair", start, 9, {}, (start,), known=9) for start in (2, 1))

    def found() -> Iterator[list[Match]]:
        yield [later]
        yield [earlier]
        raise unreadable("disk", "it is gone")

    told: list[Match] = []
    with pytest.raises(CepheidError, match="it is gone"):
        told.extend(match for some in in_one_order(found(), plan) for match in some)  # type: ignore[union-attr]
    assert told == [earlier, later]
