"""Some of the matches of a run, in columns or as objects, for who wants lists, a table or reports."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.api.detectors import MOST_TOLD
from cepheid.api.match_tables import MatchTables
from cepheid.connectors import Form, Listed, MatchColumns, MatchLists, Report, Time, reports, show_time
from cepheid.engine import (
    Found,
    MatchBatch,
    Words,
    found_of_matches,
    lists_as_arrow,
    rule_numbers,
    times_as_arrow,
    whole_or_listed,
)
from cepheid.events import MAX_TIME, TICKS_PER_UNIT, show_times

Table = Any  # pyarrow has no types
Ticks = Any  # an array of NumPy
AnyFound = list[Match] | Found


@dataclass(frozen=True, slots=True)
class Telling:
    """How matches of a plan are told: in which form their times are, and whether they have evidence."""

    plan: Plan
    form: Form
    evidence: bool = True

    @property
    def fields(self) -> Mapping[str, Sequence[str]]:
        """The names of the values of each rule, by its name."""
        return {rule.name: tuple(rule.fields) for rule in self.plan.program.rules}


@dataclass(frozen=True, slots=True)
class Portion:
    """Some matches of a run, in the order in which they come out."""

    found: AnyFound
    telling: Telling

    def __len__(self) -> int:
        return len(self.found)

    def first(self, count: int) -> "Portion":
        """Return the first ones, as many as are asked for."""
        found = self.found
        return replace(self, found=found.slice(0, count) if isinstance(found, Found) else found[:count])

    def reports(self) -> list[Report]:
        """Return them one by one, as users get them."""
        found = self.found
        if not isinstance(found, Found):
            return reports(found, self.telling.form)
        listed = list(self._in_columns(found))
        return listed if found.order is None else [listed[row] for row in found.order.tolist()]

    def each(self) -> Iterator[Report]:
        """Yield them one by one; what nobody keeps is gone before the next is made, in memory that is at hand."""
        found = self.found
        in_order = isinstance(found, Found) and found.order is None
        return self._in_columns(found) if in_order else iter(self.reports())  # type: ignore[arg-type]  # they are found

    def _in_columns(self, found: Found) -> Iterator[Report]:
        return chain.from_iterable(_reports_of_batch(batch, self.telling.form) for batch in found.batches)

    def table(self) -> Table:
        """Return them as a table of Arrow, with their ids."""
        found, telling = self.found, self.telling
        return _table([found if isinstance(found, Found) else _found_of(found, telling)], telling)

    def listed(self) -> Listed:
        """Return them in lists, those of the same values together."""
        form = self.telling.form
        if isinstance(self.found, Found):
            order = self.found.order
            groups = [_lists_of_batch(batch, form) for batch in self.found.batches]
            return Listed(groups, None if order is None else order.tolist())
        return _listed(self.found, form)

    def columns(self) -> tuple[list[MatchColumns], Ticks] | None:
        """Return them in columns with their order; None where they are objects."""
        found, form = self.found, self.telling.form
        if not isinstance(found, Found):
            return None
        return [_columns_of_batch(batch, form) for batch in found.batches], found.order


def reports_of(pieces: Sequence[list[Report] | Found], telling: Telling) -> list[Report]:
    """Return matches one by one, some of which may be in columns still."""
    each = (Portion(one, telling).reports() if isinstance(one, Found) else one for one in pieces)
    return [match for some in each for match in some]


def table_of(pieces: Sequence[list[Report] | Found], telling: Telling) -> Table:
    """Return matches as one table of Arrow with their ids, some of which may be objects already."""
    found = [
        one if isinstance(one, Found) else _found_of([each.match for each in one if each.match], telling)
        for one in _gathered(pieces)
    ]
    return _table(found, telling)


def _found_of(matches: Sequence[Match], telling: Telling) -> Found:
    return found_of_matches(matches, rule_numbers(telling.plan), Words())


def _table(found: Sequence[Found], telling: Telling) -> Table:
    return MatchTables(found, telling.fields, telling.form, evidence=telling.evidence, ids=True).whole()


def _gathered(pieces: Iterable[list[Report] | Found]) -> Iterator[list[Report] | Found]:
    """Yield the same matches, and those that are objects in as few lists as can be."""
    objects: list[Report] = []
    for one in pieces:
        if isinstance(one, list):
            objects += one
            continue
        if objects:
            yield objects
            objects = []
        yield one
    if objects:
        yield objects


def portions(found: AnyFound, telling: Telling) -> Iterator[Portion]:
    """Yield matches in portions, and let go of each before the next; one at least, so that others can look on."""
    if isinstance(found, Found):
        for first in range(0, max(len(found), 1), MOST_TOLD):
            yield Portion(found.slice(first, first + MOST_TOLD), telling)
        return
    found.reverse()
    while True:
        some = found[: -MOST_TOLD - 1 : -1]
        del found[-MOST_TOLD:]
        yield Portion(some, telling)
        if not found:
            return


def _lists_of_batch(batch: MatchBatch, form: Form) -> MatchLists:
    return MatchLists(
        batch.names(),
        show_times(batch.start.tolist(), form),
        show_times(batch.end.tolist(), form),
        _known(batch.known, form),
        batch.listed_values(),
        batch.listed_evidence(),
        batch.listed_ids(),
    )


def _columns_of_batch(batch: MatchBatch, form: Form) -> MatchColumns:
    end, evidence = _times(batch.end, form), batch.evidence
    numbered = evidence is not None and evidence.flat.dtype == np.int64
    return MatchColumns(
        batch.names(),
        _times(batch.start, form),
        end,
        end if np.array_equal(batch.known, batch.end) else _known_times(batch.known, form),
        {name: whole_or_listed(column, batch.words) for name, column in batch.values.items()},
        lists_as_arrow(evidence) if evidence is not None and numbered else batch.listed_evidence(),
        batch.listed_ids() if batch.ids is None else batch.ids,
    )


def _times(ticks: Ticks, form: Form) -> Any:  # an Array of Arrow, or a list
    """Return times in a form, where all of them are whole numbers in Arrow."""
    scale = TICKS_PER_UNIT.get(form)  # type: ignore[arg-type]  # a calendar has none
    if scale == 1:
        return times_as_arrow(ticks)
    if scale is None or (ticks % scale).any():
        return show_times(ticks.tolist(), form)
    return times_as_arrow(ticks // scale)


def _known_times(ticks: Ticks, form: Form) -> Any:  # as above
    return _known(ticks, form) if (ticks == MAX_TIME).any() else _times(ticks, form)


def _reports_of_batch(batch: MatchBatch, form: Form) -> Iterator[Report]:
    """Make the objects that somebody asked for, one after the other."""
    columns = batch.listed_values()
    said = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    values = said if columns else ({} for _ in range(len(batch)))
    start, end = (show_times(ticks.tolist(), form) for ticks in (batch.start, batch.end))
    known = end if np.array_equal(batch.known, batch.end) else _known(batch.known, form)
    return map(Report, batch.names(), start, end, known, values, batch.each_evidence(), batch.listed_ids())


def _known(ticks: Ticks, form: Form) -> list[Time | None]:
    if not (ticks == MAX_TIME).any():
        return [*show_times(ticks.tolist(), form)]
    return [None if one == MAX_TIME else show_time(one, form) for one in ticks.tolist()]


def _listed(matches: Sequence[Match], form: Form) -> Listed:
    """Return matches in lists, those together that have values of the same names."""
    places: dict[tuple[str, ...], list[int]] = {}
    for place, match in enumerate(matches):
        places.setdefault(tuple(match.values), []).append(place)
    groups = [_lists_of([matches[place] for place in own], names, form) for names, own in places.items()]
    order = np.argsort([place for own in places.values() for place in own]) if len(groups) > 1 else None
    return Listed(groups, None if order is None else order.tolist())


def _lists_of(matches: Sequence[Match], names: Sequence[str], form: Form) -> MatchLists:
    told = [MAX_TIME if match.known is None else match.known for match in matches]
    return MatchLists(
        [match.name for match in matches],
        [show_time(match.start, form) for match in matches],
        [show_time(match.end, form) for match in matches],
        [None if known == MAX_TIME else show_time(known, form) for known in told],
        {name: [match.values[name] for match in matches] for name in names},
        [match.evidence for match in matches],
        [match.id for match in matches],
    )
