"""In PARTElang every event of the input is of a template and fills its slots; what does not is set aside and told."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cepheid
from cepheid.api import Reject
from cepheid.diagnostics import CepheidError, draw
from cepheid.events import Event, SlotKind, point
from tests.cli.console import cepheid as command

RULES = """
template Transfer { id : TransactionId, amount : Integer, via : [AccountId; 2] }
template Closed { account : AccountId, at : Timestamp, share : Float, note : String, final : Boolean, more : Any }
template Flag { id : TransactionId }
rule Large where t : Transfer { amount > 1000 }
then emit Flag at t.timestamp with { id = t.id }
"""
SMALL = RULES.replace(", via : [AccountId; 2]", "")
GOOD: dict[str, object] = {"type": "Transfer", "time": 1, "id": "t1", "amount": 2000, "via": ["x"]}
CLOSED: dict[str, object] = {
    "type": "Closed",
    "time": 2,
    "account": 7,
    "at": 5,
    "share": 1,
    "note": "",
    "final": False,
    "more": [1],
}


def query(rules: str = RULES, disorder: str | None = None) -> cepheid.CompiledQuery:
    return cepheid.compile(rules, language="parte", disorder=disorder)


def without(row: dict[str, object], name: str) -> dict[str, object]:
    return {key: value for key, value in row.items() if key != name}


BAD: list[tuple[dict[str, object], str, str]] = [
    (without(GOOD, "amount"), "missing-field", "`Transfer` has no `amount` at `$[0].amount`"),
    ({**GOOD, "amount": None}, "missing-field", "`Transfer` has no `amount` at `$[0].amount`"),
    ({**GOOD, "amount": "2000"}, "wrong-kind", "expected `Integer`, got `str` at `$[0].amount`"),
    ({**GOOD, "amount": 2000.5}, "wrong-kind", "expected `Integer`, got `float` at `$[0].amount`"),
    ({**GOOD, "amount": True}, "wrong-kind", "expected `Integer`, got `bool` at `$[0].amount`"),
    ({**GOOD, "id": {"number": 1}}, "wrong-kind", "expected `TransactionId`, got `record` at `$[0].id`"),
    ({**GOOD, "via": "x"}, "wrong-kind", "expected `[AccountId; 2]`, got `str` at `$[0].via`"),
    ({**GOOD, "via": ["x", "y", "z"]}, "wrong-kind", "expected `[AccountId; 2]`, got `list of 3` at `$[0].via`"),
    ({**GOOD, "type": "Transfr"}, "unknown-template", "there is no template `Transfr` at `$[0]`"),
    ({**CLOSED, "share": "1"}, "wrong-kind", "expected `Float`, got `str` at `$[0].share`"),
    ({**CLOSED, "at": "2024-05-17"}, "wrong-kind", "expected `Timestamp`, got `str` at `$[0].at`"),
    ({**CLOSED, "note": 1}, "wrong-kind", "expected `String`, got `int` at `$[0].note`"),
    ({**CLOSED, "final": 0}, "wrong-kind", "expected `Boolean`, got `int` at `$[0].final`"),
]


@pytest.mark.parametrize(("row", "code", "said"), BAD)
def test_what_is_of_no_template_is_set_aside_and_counted(row: dict[str, object], code: str, said: str) -> None:
    for disorder in (None, "0 s"):
        rejects: list[Reject] = []
        run = query(disorder=disorder).run([row, {**GOOD, "time": 3}], on_reject=rejects.append)
        assert len(list(run)) == 1
        assert (run.summary.rejects, run.summary.events) == ({code: 1}, 1)
        [reject] = rejects
        assert (reject.code, f"{reject.diagnostic.message} {reject.diagnostic.place}", reject.raw) == (code, said, row)


@pytest.mark.parametrize(("row", "code", "said"), BAD)
def test_strict_it_is_an_error(row: dict[str, object], code: str, said: str) -> None:
    with pytest.raises(CepheidError) as caught:
        list(query().run([row], strict=True))
    [finding] = caught.value.diagnostics
    assert draw(finding).splitlines()[0] == f"error[{code}]: {said}"


@pytest.mark.parametrize(("row", "code", "said"), BAD)
def test_pushed_it_is_an_error(row: dict[str, object], code: str, said: str) -> None:
    detector = query().detector()
    with pytest.raises(CepheidError) as caught:
        detector.push(row)
    [finding] = caught.value.diagnostics
    inside = said.replace("[0]", "").removesuffix(" at `$`")
    assert draw(finding).splitlines()[0] == f"error[{code}]: {inside}"
    assert [match.start for match in detector.push(GOOD) + detector.close()] == [1]


def test_what_fills_its_slots_is_taken_and_may_say_more() -> None:
    rows = [{**GOOD, "amount": 2000.0, "extra": "x"}, CLOSED, {"type": "Flag", "time": 3, "id": 1}]
    run = query().run(rows, strict=True)
    assert (len(list(run)), run.summary.events) == (1, 3)
    assert len(list(query().run([Event("Transfer", 1, 1, 1, {"id": 1, "amount": 2000, "via": ()})], strict=True))) == 1


def test_an_event_object_is_of_a_template_as_well() -> None:
    with pytest.raises(CepheidError, match="`Transfer` has no `amount`"):
        query().detector().push(point("Transfer", 1, 1, {"id": 1}))


def test_an_event_that_is_no_event_takes_no_id() -> None:
    rows = [{"type": "Transfer", "time": 1, "id": 1}, {"type": "Transfer", "time": 2, "id": 1, "amount": 2000}]
    run = query(SMALL).run(rows, id_column="id")
    assert [match.start for match in run] == [2]
    assert run.summary.rejects == {"missing-field": 1}


def as_json(rows: list[dict[str, object]], folder: Path) -> Path:
    (folder / "in.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return folder / "in.jsonl"


def as_csv(rows: list[dict[str, object]], folder: Path) -> Path:
    lines = [",".join(str(row.get(name, "")) for name in ("type", "time", "id", "amount")) for row in rows]
    (folder / "in.csv").write_text("\n".join(["type,time,id,amount", *lines]), encoding="utf-8")
    return folder / "in.csv"


def as_parquet(rows: list[dict[str, object]], folder: Path) -> Path:
    pq.write_table(pa.Table.from_pylist([{"amount": None, **row} for row in rows]), folder / "in.parquet")
    return folder / "in.parquet"


@pytest.mark.parametrize(("write", "line"), [(as_json, 2), (as_csv, 3), (as_parquet, 2)])
def test_the_command_line_tells_the_place(
    write: Callable[[list[dict[str, object]], Path], Path], line: int, tmp_path: Path
) -> None:
    rows: list[dict[str, object]] = [
        {"type": "Transfer", "time": 1, "id": "t1", "amount": 2000},
        {"type": "Transfer", "time": 2, "id": "t2"},
        {"type": "Transfr", "time": 3, "id": "t3", "amount": 1},
    ]
    path, rules, rejects = write(rows, tmp_path), tmp_path / "rules.parte", tmp_path / "rejects.jsonl"
    rules.write_text(SMALL, encoding="utf-8")
    answer = command("run", str(rules), "--input", str(path), "--rejects", str(rejects))
    assert "1 event, 1 match, 2 rows rejected" in answer.said
    told = [json.loads(row) for row in rejects.read_text(encoding="utf-8").splitlines()]
    assert [(one["code"], one["place"], one["path"]) for one in told] == [
        ("missing-field", f"{path}:{line}", "$.amount"),
        ("unknown-template", f"{path}:{line + 1}", None),
    ]
    strict = command("run", str(rules), "--input", str(path), "--strict")
    assert strict.status == 2
    assert strict.said.startswith(f"error[missing-field]: `Transfer` has no `amount` at `$.amount` ({path}:{line})\n")


def test_other_languages_take_any_event() -> None:
    run = cepheid.compile("A", language="algebra").run(
        [{"type": "A", "time": 1}, {"type": "B", "time": 2}], strict=True
    )
    assert len(list(run)) == 1


def test_a_slot_of_a_template_is_read_even_where_no_rule_looks_at_it() -> None:
    table = pa.table({"type": ["Transfer"], "time": [1], "id": ["t1"], "amount": [5]})
    rules = "template Transfer { id : Id, amount : Integer } rule Any where t : Transfer then"
    assert len(list(query(rules).run(table, strict=True))) == 1


def test_a_list_of_other_things_is_mistyped() -> None:
    assert SlotKind("Integer", 3).holds((1, 2))
    assert not SlotKind("Integer", 3).holds((1, "x"))
