"""Several sources in one input: each has its own clock, moved by its events and by its heartbeats."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

import cepheid
from cepheid.api import Reject
from cepheid.diagnostics import CepheidError
from tests.cli.console import cepheid as command

RULES = """
template Order { id : Integer }
template Payment { id : Integer }
source Order from north, south
source Payment from bank
rule Unpaid where order : Order  no payment : Payment { id = order.id }
when no payment in order [0 s, 3 s] then
"""
ROWS: list[dict[str, object]] = [
    {"type": "Order", "time": 10, "id": 1, "source": "north"},
    {"type": "Order", "time": 2, "id": 2, "source": "south"},  # behind, but not late: another source brought it
    {"type": "Payment", "time": 4, "id": 2, "source": "bank"},
    {"type": "Order", "time": 7, "id": 3, "source": "south"},
    {"type": "tick", "time": 11, "source": "bank"},  # decides about 3
    {"type": "Order", "time": 6, "id": 4, "source": "south"},  # late for its own source
    {"type": "tick", "time": 14, "source": "bank"},  # decides about 1
    {"type": "Order", "time": 20, "id": 5, "source": "north"},
]


def query(disorder: str | None = "0 s") -> cepheid.CompiledQuery:
    return cepheid.compile(RULES, language="parte", disorder=disorder)


def batches(run: cepheid.Run) -> list[list[object]]:
    """The orders that each batch tells of; of a stream of objects every row is a batch, and the last one is the end."""
    return [[match.start for match in found] for found in run.batches()]


def test_each_source_has_its_own_clock() -> None:
    rejects: list[Reject] = []
    run = query().run(ROWS, source_column="source", heartbeat_type="tick", on_reject=rejects.append)
    assert batches(run) == [[], [], [], [], [7], [], [10], [], [20]]
    assert [(one.code, one.raw) for one in rejects] == [("late-event", ROWS[5])]
    assert dict(run.summary.types) == {"Order": 4, "Payment": 1}


def test_finite_input_is_sorted_so_its_sources_and_heartbeats_do_not_matter() -> None:
    run = query(None).run(ROWS, source_column="source", heartbeat_type="tick")
    assert sorted(match.start for match in run) == [6, 7, 10, 20]
    assert dict(run.summary.types) == {"Order": 5, "Payment": 1}


def test_an_event_from_a_source_that_it_cannot_come_from_is_set_aside() -> None:
    rows = [{**ROWS[0], "source": "bank"}, {**ROWS[0], "source": "west"}, {"type": "Order", "time": 1, "id": 1}]
    rejects: list[Reject] = []
    run = query().run([*ROWS[:1], *rows], source_column="source", on_reject=rejects.append)
    assert len(list(run)) == 1
    assert [one.diagnostic.message for one in rejects] == [
        "`Order` comes from `north` or `south`, not from `bank`",
        "no stream is declared to come from `west`",
        "there is no `source`",
    ]
    with pytest.raises(CepheidError, match="not from `bank`"):
        list(query().run(rows, source_column="source", strict=True))


def test_a_source_may_be_called_by_a_number_and_by_nothing_else() -> None:
    text = RULES.replace("north, south", "`1`, `2`")
    rows = [{**ROWS[0], "source": 1}, {**ROWS[0], "source": 1.5}]
    rejects: list[Reject] = []
    run = cepheid.compile(text, language="parte", disorder="0 s").run(
        rows, source_column="source", on_reject=rejects.append
    )
    assert len(list(run)) == 1
    assert [one.diagnostic.message for one in rejects] == ["expected the name of a source, got `float`"]


def test_columns_of_sources_are_read_from_frames() -> None:
    rows = [{"id": None, **row} for row in ROWS]
    run = query().run(pa.Table.from_pylist(rows), source_column="source", heartbeat_type="tick")
    assert sorted(match.start for match in run) == [7, 10, 20]


def test_the_command_reads_sources_and_heartbeats(tmp_path: Path) -> None:
    rules, rejects = tmp_path / "unpaid.parte", tmp_path / "rejects.jsonl"
    rules.write_text(RULES, encoding="utf-8")
    given = "\n".join(map(json.dumps, ROWS))
    options = ("--disorder", "0 s", "--source-column", "source", "--heartbeat-type", "tick")
    answer = command("run", str(rules), *options, "--rejects", str(rejects), given=given)
    assert [json.loads(line)["start"] for line in answer.output.splitlines()] == [7, 10, 20]
    *warning, summary = answer.said.splitlines()
    assert warning[0].endswith(
        "1 of 6 rows was rejected; the first: `Order` of 6 came 1 s after a later event (standard input:6)"
    )
    assert summary == f"5 events, 3 matches, 1 row rejected in {rejects} (1 late-event)"
    assert json.loads(rejects.read_text())["reason"] == "`Order` of 6 came 1 s after a later event"


def test_a_column_of_sources_that_is_not_there_is_told(tmp_path: Path) -> None:
    rules = tmp_path / "unpaid.parte"
    rules.write_text(RULES, encoding="utf-8")
    given = json.dumps(ROWS[0])
    answer = command("run", str(rules), "--disorder", "0 s", "--source-column", "sources", given=given)
    assert answer.said == (
        "error[missing-column]: no row has a column `sources` (standard input)\n"
        "  = note: there is `type`, `time`, `id`, `source`\n"
        '  = hint: say which column it is: `--source-column source`, or in Python `source_column="source"`\n'
    )


def test_a_detector_knows_its_sources_by_name() -> None:
    detector = query().detector()
    assert [detector.push(row, str(row["source"])) for row in ROWS[:3]] == [[], [], []]
    detector.push(ROWS[3], "south")
    assert [match.start for match in detector.advance(11, "bank")] == [7]
