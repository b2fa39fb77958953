"""Results as users see them: times in the form of the input, values in typed columns, and figures out of sight."""

from collections.abc import Mapping, Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from cepheid.algebra.expressions import Moment
from cepheid.algebra.programs import Program
from cepheid.analysis.kinds import joined, kinds_of_rules
from cepheid.events import Kind
from cepheid.spark.results import FIGURES, MATCH
from cepheid.spark.times import TimeForm

METRICS = "cepheid"


def kinds_of_values(programs: Sequence[Program], fields: Mapping[str, Kind]) -> Mapping[str, Kind]:
    """Return the kinds of the values that matches of some programs have, by their names."""
    every: dict[str, Kind] = {}
    for program in programs:
        for kinds in kinds_of_rules(program, fields).values():
            for name, kind in kinds.items():
                every[name] = joined((every.get(name), kind)) or Kind.ANY
    return every


def shown(results: DataFrame, form: TimeForm, programs: Sequence[Program], names: Sequence[str]) -> DataFrame:
    """Return results as users see them; with several queries a column names the one that each match is of."""
    between = not all(_ends_at_events(program) for program in programs)
    counted = results.observe(METRICS, *_figures())
    query = [_named(names).alias("query")] if len(names) > 1 else []
    return counted.where(F.col("tag") != FIGURES).select(
        "tag",
        *query,
        "match",
        form.shown(F.col("start"), between=between).alias("start"),
        form.shown(F.col("end"), between=between).alias("end"),
        form.shown_after(F.col("known"), between=between).alias("known"),
        "id",
        "values",
        "evidence",
        F.when(F.col("tag") != MATCH, F.struct("record", "reason", "file")).alias("rejected"),
    )


def _named(names: Sequence[str]) -> Column:
    """Return the name of the query that a result is of; a row that says no event is of none.

    Spark takes what `element_at` gives for never null, whatever its index is.
    """
    return F.when(F.col("query").isNotNull(), F.element_at(F.array(*map(F.lit, names)), F.col("query") + 1))


def _ends_at_events(program: Program) -> bool:
    """Say whether matches start and end where events do, so that their times are numbers like those of events."""
    return all(isinstance(rule.start, Moment) and isinstance(rule.end, Moment) for rule in program.rules)


def _figures() -> list[Column]:
    """Return what is counted on the way: in the progress of a stream, and with every batch."""
    tag, figures = F.col("tag"), F.col("tag") == FIGURES
    counted = [F.count(F.when(tag == one, 1)).alias(one) for one in (MATCH, "late", "duplicate", "corrupt")]
    hottest = F.max_by(F.when(figures, F.col("place")), F.when(figures, F.col("events"))).alias("hottest")
    sums = [F.sum(name).alias(name) for name in ("events", "used", "promised")]
    return [
        *sums,
        F.max("peak").alias("peak"),
        hottest,
        F.max("events").alias("hottest_events"),
        *counted,
    ]
