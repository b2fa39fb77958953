"""What Spark will do with a query is said in words before it does anything."""

import pytest
from pyspark.sql import SparkSession

import cepheid
from cepheid.spark.detecting import prepared
from cepheid.spark.explaining import described_work, lanes_in_one_place, one_partition
from cepheid.spark.lanes import lanes_of

COLUMNS = "type string, time long, id long, user string, floor int, note string, price decimal(9,2)"


def said(spark: SparkSession, text: str, policy: str | None = None) -> list[str]:
    query = cepheid.compile(text, policy=policy, allow_unbounded=True, language="algebra")
    work = prepared(spark.createDataFrame([], COLUMNS), query, id="id")
    assert lanes_in_one_place(work) == [], "only streams run in one place for want of a key"
    return described_work(work).splitlines()


def test_a_key_deals_events_out(spark: SparkSession) -> None:
    assert said(spark, "Alarm = (a:Button[floor > 1] ; Lift) within 2 s by user") == [
        "reads    `type`, `time`, `id`, `floor`, `user`",
        "takes    of `Button` only those with `floor > 1`",
        "takes    all of `Lift`",
        "runs     Alarm: dealt out by `user` into partitions",
    ]


def test_rules_with_different_keys_run_one_after_another(spark: SparkSession) -> None:
    rules = (
        "Busy = (a:Button ; b:Lift) within 2 s by user emits floor = b.floor\nFull = (Busy ; Lift) within 2 s by floor"
    )
    assert said(spark, rules)[-2:] == [
        "runs     Busy: dealt out by `user` into partitions",
        "then     Full: dealt out by `floor` into partitions; it gets `Busy` from before",
    ]


def test_a_key_that_is_rounded_on_its_way_deals_nothing_out(spark: SparkSession) -> None:
    rules = (
        "Busy = (a:Button ; b:Lift) within 2 s by user emits price = b.price\nFull = (Busy ; Lift) within 2 s by price"
    )
    [*_, last] = said(spark, rules)
    assert last.startswith("then     Full: no key, ")
    assert last.endswith("; it gets `Busy` from before")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "a: Button then b: Button within 2 s on a.user == b.note",
            "dealt out by `note` and `user` into 32 buckets",
        ),
        (
            "a: Button and b: Lift and c: Stop within 2 s on a.user == b.user, b.floor == c.floor",
            "dealt out by `user` into 32 buckets, and `Stop` goes to all of them",
        ),
    ],
)
def test_events_go_to_several_buckets(spark: SparkSession, text: str, told: str) -> None:
    query = cepheid.compile(text, ties="simultaneous")
    work = prepared(spark.createDataFrame([], COLUMNS), query, id="id")
    assert described_work(work).splitlines()[-1] == f"runs     match: {told}"


def test_without_a_key_finite_input_is_cut_into_slices_of_time(spark: SparkSession) -> None:
    [*_, last] = said(spark, "Alarm = (Button ; Lift) within 2 s")
    assert last.startswith("runs     Alarm: no key, so in slices of time that overlap by ")


def test_what_looks_back_without_end_runs_in_one_place(spark: SparkSession) -> None:
    [*_, last] = said(spark, "Alarm = Button ; Lift", policy="all")
    assert last == "runs     Alarm: no key and no end to what it looks back on, so in one place"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Alarm = (a:Button ; b:Lift) within 2 s", "let the events of a match agree: `a.user == b.user`"),
        (
            "Alarm = (a:Button ; b:Lift - c:Stop) within 2 s",
            "let the events of a match agree: `a.user == b.user and a.user == c.user`",
        ),
        ("Alarm = a:Button[floor > 1]", "let the events of a match agree: `by floor`"),
    ],
)
def test_a_warning_names_an_equality_that_would_be_a_key(text: str, hint: str) -> None:
    [lane] = lanes_of(0, cepheid.compile(text, language="algebra"))
    told = one_partition(lane, ["user", "floor"])
    assert (told.code, told.hints) == ("one-partition", (hint,))
