"""Results as users see them: times in the form of the input, values in typed columns, and figures out of sight."""

from collections.abc import Mapping, Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from cepheid.algebra.expressions import Moment
from cepheid.algebra.programs import Program
from cepheid.analysis.closures.kinds import joined, kinds_of_rules
from cepheid.events import Kind
from cepheid.spark.results import CORRUPT, DUPLICATE, FIGURES, LATE, MATCH
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


def shown(
    results: DataFrame, form: TimeForm, programs: Sequence[Program], names: Sequence[str], *, figures: bool = False
) -> DataFrame:
    """Return results as users see them; where queries have names, a column has the one that each match is of.

    With `figures`, the rows that say them stay among the results.
    """
    between = not all(_ends_at_events(program) for program in programs)
    counted = results.observe(METRICS, *_figures())
    query = [_named(names).alias("query")] if names else []
    return (counted if figures else counted.where(f"tag != '{FIGURES}'")).select(
        "tag",
        *query,
        "match",
        form.shown(F.col("start"), between=between).alias("start"),
        form.shown(F.col("end"), between=between).alias("end"),
        form.shown_after(F.col("known"), between=between).alias("known"),
        "id",
        "values",
        "evidence",
        F.expr(f"CASE WHEN tag != '{MATCH}' THEN struct(record, reason, file) END AS rejected"),
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
    """Return what is counted on the way: in the progress of a stream, and with every batch.

    Only rows of figures say a place and events. It is written as text, which is one expression for Spark and not many.
    """
    sums = [f"sum({name}) AS {name}" for name in ("events", "used", "promised")]
    most = ["max(peak) AS peak", "max_by(place, events) AS hottest", "max(events) AS hottest_events"]
    counted = [f"count_if(tag = '{tag}') AS {tag}" for tag in (MATCH, LATE, DUPLICATE, CORRUPT)]
    said = [_lines("reason", "exceeded"), _lines("record", "arrivals"), _lines("file", "keys")]
    held = f"collect_list(CASE WHEN tag = '{FIGURES}' THEN struct(query, match, used, promised) END) AS held"
    return [F.expr(text) for text in (*sums, *most, *counted, *said, held)]


def _lines(column: str, name: str) -> str:
    """Return all that rows of figures say in a column, each once, a line for each."""
    return f"array_join(array_sort(collect_set(CASE WHEN tag = '{FIGURES}' THEN {column} END)), '\\n') AS {name}"
