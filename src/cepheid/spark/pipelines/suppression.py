"""Suppression: of matches with one key, a sink gets the first, and others only when more than a span has passed.

That is what `suppress` says in a query, but of when matches became certain, which goes on from batch to batch. Which
match was the last of each key is written down for every batch before the sink gets it, so a batch that is repeated lets
the same matches pass. Keys whose span is over are forgotten: what is kept are the keys of one span.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os.path import isdir
from pathlib import Path
from shutil import rmtree
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.connectors import TimeUnit
from cepheid.spark.event_columns import quoted
from cepheid.spark.pipelines.ownership import note, noted
from cepheid.spark.times import time_form

FOLDER = "_cepheid_suppressed"
_QUERY, _ID, _KEY, _AT = "query", "id", "key", "at"
Last = dict[str, int]
"""When the last match of each key passed."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """How long a match keeps others with the same values away, in ticks; `by` are the names of these values."""

    span: int
    by: tuple[str, ...] = ()


def let_pass(matches: Iterable[tuple[str, int, str]], last: Mapping[str, int], span: int) -> tuple[set[str], Last]:
    """Return the names of matches that pass, and when the last of each key did; a match is a key, a time and a name.

    >>> passed, last = let_pass([("x", 1, "a"), ("x", 11, "b"), ("y", 9, "c"), ("x", 12, "d")], {}, 10)
    >>> sorted(passed), last
    (['a', 'c', 'd'], {'x': 12, 'y': 9})
    """
    passed, latest = set(), dict(last)
    newest = max(last.values(), default=None)
    for key, at, name in sorted(matches, key=lambda one: (one[1], one[2])):
        if key not in latest or at - latest[key] > span:
            passed.add(name)
            latest[key] = at
        newest = at if newest is None else max(newest, at)
    return passed, {key: at for key, at in latest.items() if newest is None or newest - at <= span}


@dataclass(frozen=True, slots=True)
class SuppressingSink:
    """A sink that gets what is not suppressed; `folder` is where that is noted, `unit` is that of times."""

    sink: Any  # a sink, as `sinks.py` has it, which knows this module
    suppression: Suppression
    folder: Path
    unit: TimeUnit

    def check(self, run: str | None) -> None:
        self.sink.check(run)

    def begin(self, run: str, schema: T.StructType) -> None:
        self.sink.begin(run, schema)

    def write(self, results: DataFrame, batch: int) -> None:
        """Write what passes, again if the batch is repeated."""
        before = self._before(batch)
        found = [tuple(row) for row in self._asked(results).collect()]
        passed, last = let_pass(found, before, self.suppression.span)
        note(self.folder / str(batch), {"about": self._about, "last": last})
        self._forget(batch)
        self.sink.write(_those(results, passed), batch)

    def _asked(self, results: DataFrame) -> DataFrame:
        """Return the key, the time and the name of every match."""
        form = time_form(results.schema["known"], self.unit, 1, "known")
        at = form.ticks(F.coalesce("known", "end"))
        values = [F.col("values").getField(name).alias(name) for name in self.suppression.by]
        key = F.to_json(F.struct(_QUERY, "match", *values), {"ignoreNullFields": "false"})
        matches = results.where(F.col("tag") == "match")
        return matches.select(key.alias(_KEY), at.alias(_AT), _name().alias(_ID))

    @property
    def _about(self) -> str:
        return json.dumps([self.suppression.span, *self.suppression.by])

    def _batches(self) -> list[int]:
        if not isdir(self.folder):
            return []
        return sorted(int(one.name) for one in self.folder.iterdir() if one.name.isdigit())

    def _before(self, batch: int) -> Last:
        """Return what was written down before a batch; with another span, or other values, it begins anew."""
        earlier = [number for number in self._batches() if number < batch]
        told = noted(self.folder / str(earlier[-1])) if earlier else {}
        return dict(told["last"]) if told.get("about") == self._about else {}

    def _forget(self, batch: int) -> None:
        """Remove what no batch can need any more: one that is repeated needs what was before it."""
        for number in [number for number in self._batches() if number < batch][:-1]:
            rmtree(self.folder / str(number))


def _name() -> Any:  # a column
    return F.concat_ws(" ", F.col(quoted(_QUERY)), F.col(quoted(_ID)))


def _those(results: DataFrame, passed: set[str]) -> DataFrame:
    """Return the results that are no matches, or among those that pass."""
    names = results.sparkSession.createDataFrame([(name,) for name in sorted(passed)], "passed string")
    others = results.where(F.col("tag") != "match")
    return results.where(F.col("tag") == "match").join(names, _name() == F.col("passed"), "left_semi").union(others)
