"""Partitions of a source that have clocks of their own: what is ahead of the slowest of them is held until it follows.

A detector knows one clock for each source, and an event that comes behind it is late. Partitions of one topic are read
side by side, one further than the other. So a bucket keeps the clock of every partition, and takes in what all of them
have passed. Which partitions are waited for is decided before a batch runs, and comes with its rows.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cepheid.events import MIN_TIME
from cepheid.spark.event_columns import END, PARTITION, SOURCE, WAITED_FOR

Table = Any  # pyarrow has no types
Clocks = dict[str, int]
_HEAD = 8


@dataclass(slots=True)
class Told:
    """What a part of a batch tells of time: clocks by query and source, by source and partition, and who counts."""

    clocks: dict[str, Clocks] = field(default_factory=dict)
    partitions: dict[str, Clocks] = field(default_factory=dict)
    waited_for: dict[str, list[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.clocks or self.partitions or self.waited_for)

    def of_partitions(self, source: str) -> Clocks:
        """Return the clocks of the partitions of a source."""
        return self.partitions.setdefault(source, {})

    def to_json(self) -> Mapping[str, object]:
        return {"clocks": self.clocks, "partitions": self.partitions, "waited_for": self.waited_for}

    def merge(self, other: Mapping[str, Any]) -> None:
        """Take in what another part tells, as JSON."""
        for mine, its in ((self.clocks, other["clocks"]), (self.partitions, other["partitions"])):
            mine.update({name: later(mine.get(name, {}), clocks) for name, clocks in its.items()})
        self.waited_for.update(other["waited_for"])


def later(one: Mapping[str, int], other: Mapping[str, int]) -> Clocks:
    """Return the later of two clocks, name by name.

    >>> later({"a": 1, "b": 5}, {"b": 3})
    {'a': 1, 'b': 5}
    """
    return {name: max(clock.get(name, MIN_TIME) for clock in (one, other)) for name in {**one, **other}}


@dataclass(slots=True)
class Held:
    """The clocks of partitions in one bucket, how far each source was let in, and the rows that wait."""

    partitions: dict[str, Clocks] = field(default_factory=dict)
    waited_for: dict[str, list[str]] = field(default_factory=dict)
    bounds: Clocks = field(default_factory=dict)
    rows: Table | None = None

    def after(self, told: Told, table: Table | None) -> tuple[Table | None, Clocks]:
        """Return the rows that may be taken in now, and how far the sources with partitions are."""
        self._move(told)
        if table is None or PARTITION not in table.schema.names:
            return self._together([] if table is None else [table]), dict(self.bounds)
        own = pc.is_valid(table.column(PARTITION))
        plain = table.drop_columns([name for name in (PARTITION, WAITED_FOR) if name in table.schema.names])
        waiting, self.rows = [plain.filter(own), *_there(self.rows)], None
        held = pa.concat_tables(waiting, promote_options="default")
        let_in = self._is_let_in(held)
        self.rows = held.filter(pc.invert(let_in)).combine_chunks()
        free = pa.concat_tables([plain.filter(pc.invert(own)), held.filter(let_in)], promote_options="default")
        return free if free.num_rows else None, dict(self.bounds)

    def _together(self, tables: list[Table]) -> Table | None:
        """Return rows without partitions together with those that waited and are let in now."""
        if self.rows is not None and self.rows.num_rows:
            let_in = self._is_let_in(self.rows)
            tables = [*tables, self.rows.filter(let_in)]
            self.rows = self.rows.filter(pc.invert(let_in)).combine_chunks()
        there = [table for table in tables if table.num_rows]
        return pa.concat_tables(there, promote_options="default") if there else None

    def _move(self, told: Told) -> None:
        self.waited_for.update(told.waited_for)
        for source in {*told.partitions, *told.waited_for}:
            self.partitions[source] = later(self.partitions.get(source, {}), told.partitions.get(source, {}))
            bound = bound_of(self.partitions[source], self.waited_for.get(source, ()))
            if bound is not None:
                self.bounds[source] = max(bound, self.bounds.get(source, bound))

    def _is_let_in(self, table: Table) -> Any:
        """Say of every row whether all partitions that are waited for have passed it."""
        ends = table.column(END)
        if SOURCE not in table.schema.names:
            return pc.less_equal(ends, self.bounds.get("", MIN_TIME))
        sources = pc.fill_null(table.column(SOURCE), "")
        let_in = pa.chunked_array([pa.repeat(pa.scalar(False), table.num_rows)])
        for source, bound in self.bounds.items():
            let_in = pc.or_(let_in, pc.and_(pc.equal(sources, source), pc.less_equal(ends, bound)))
        return let_in

    def to_bytes(self) -> bytes:
        """Return it as bytes; nothing where no source has partitions."""
        if not self.partitions:
            return b""
        head = {"partitions": self.partitions, "waited_for": self.waited_for, "bounds": self.bounds}
        told = json.dumps(head, sort_keys=True).encode()
        return len(told).to_bytes(_HEAD, "big") + told + _to_bytes(self.rows)

    @staticmethod
    def from_bytes(data: bytes) -> "Held":
        """Return what was written as bytes."""
        if not data:
            return Held()
        start = _HEAD + int.from_bytes(data[:_HEAD], "big")
        head = json.loads(data[_HEAD:start])
        rows = pa.ipc.open_stream(data[start:]).read_all() if data[start:] else None
        return Held(head["partitions"], head["waited_for"], head["bounds"], rows)


def bound_of(clocks: Mapping[str, int], waited_for: Sequence[str]) -> int | None:
    """Return how far a source is: as far as the slowest partition that is waited for, None where one never began.

    >>> bound_of({"0": 7, "1": 4, "2": 1}, ["0", "1"]), bound_of({"0": 7}, ["0", "1"])
    (4, None)

    Where nobody is waited for, nobody is slow.

    >>> bound_of({"0": 7, "1": 4}, [])
    7
    """
    if not waited_for:
        return max(clocks.values(), default=None)
    every = [clocks.get(partition) for partition in waited_for]
    return None if None in every else min(clock for clock in every if clock is not None)


def _there(rows: Table | None) -> list[Table]:
    return [] if rows is None else [rows]


def _to_bytes(rows: Table | None) -> bytes:
    if rows is None or not rows.num_rows:
        return b""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write(rows)
    return bytes(sink.getvalue().to_pybytes())
