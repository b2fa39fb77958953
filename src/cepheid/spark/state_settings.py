"""The settings that the state of a stream depends on: a restart keeps them, or is refused before anything is written.

They lie beside the state of every bucket, and for a pipeline beside its checkpoint too, where they are compared before
the stream starts. What makes no stored state wrong may change: new rules, rates, disorder, columns that nobody reads.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import types as T

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import state_fingerprint
from cepheid.spark.event_columns import EventRows
from cepheid.spark.lanes import Lane, Route

Told = Mapping[str, Any]  # JSON that we wrote
QUERIES, BUCKETS, INPUT, RELEASE = "queries", "buckets", "input", "release"
FORMAT = 3
"""The form in which state is stored here; what the engine writes has a version of its own."""
OR_ANEW = "or start a new checkpoint"


@dataclass(frozen=True, slots=True)
class Change:
    """A setting that state depends on and that is another one now; `about` is one of the names above."""

    about: str
    message: str
    hint: str

    @property
    def diagnostic(self) -> Diagnostic:
        return Diagnostic("state-mismatch", self.message, hints=(self.hint,))


def lane_name(lane: Lane) -> str:
    """Return what the state of a lane is called: the query it is of, and all that its state depends on."""
    return f"{lane.title}:{_fingerprint(lane)}"


def _fingerprint(lane: Lane) -> str:
    own = state_fingerprint(lane.plan.program)
    return own if lane.stage is None else f"{own}.{state_fingerprint(lane.whole)}"


def settings_of(routes: Sequence[Route], buckets: int, rows: EventRows | None = None) -> Told:
    """Return the settings of a stream; `rows` are its input, where that is known."""
    lanes = {lane_name(lane): _lane(lane, route.buckets(buckets)) for route in routes for lane in route.lanes}
    levels = max((route.level for route in routes), default=0) + 1
    told = None if rows is None else _input(rows)
    return {"format": FORMAT, "buckets": buckets, "levels": levels, "lanes": lanes, "input": told}


def _lane(lane: Lane, buckets: range) -> Told:
    key = None if lane.key is None else {kind: _told_key(names) for kind, names in sorted(lane.key.items())}
    rules, fields = sorted(rule.name for rule in lane.rules), sorted(lane.fields)
    return {"title": lane.title, "rules": rules, "key": key, "fields": fields, "place": [buckets.start, buckets.stop]}


def _told_key(names: tuple[str, ...]) -> str | list[str]:
    return names[0] if len(names) == 1 else list(names)


def _input(rows: EventRows) -> Told:
    columns = dict(rows.columns.needed)
    if rows.columns.order_by:
        columns["order_by"] = ", ".join(rows.columns.order_by)
    times = f"numbers of {rows.form.unit}" if isinstance(rows.form.type, T.NumericType) else "times"
    kinds = {name: kind.value for name, kind in rows.fields.items()}
    return {"columns": columns, "times": times, "fields": kinds, "called_by": dict(rows.called_by)}


def settings_to_json(settings: Told) -> bytes:
    """Return settings as bytes, the same for the same settings."""
    return json.dumps(settings, sort_keys=True).encode()


def refuse_changes(before: Told, now: Told) -> None:
    """Refuse settings with which the state of others would be wrong, all of them at once."""
    found = [change.diagnostic for change in changes(before, now)]
    if found:
        raise CepheidError(found[0], *found[1:])


def changes(before: Told, now: Told) -> Iterator[Change]:
    """Yield what is another setting now, and makes the state wrong that was stored with those before."""
    kept = {name: told for name, told in before["lanes"].items() if name in now["lanes"]}
    if before["format"] != now["format"]:
        yield other_format(before["format"])
    yield from _moved(before, now, kept)
    if before["levels"] != now["levels"]:
        message = "the checkpoint holds a stream with another number of stages"
        yield Change(QUERIES, message, f"continue with the queries that were running, {OR_ANEW}")
    for name in now["lanes"].keys() - kept.keys():
        yield from _replaced(name, now["lanes"][name], {k: v for k, v in before["lanes"].items() if k not in kept})
    if kept and before["input"] is not None and now["input"] is not None:
        yield from _of_input(before["input"], now["input"], {name for told in kept.values() for name in told["fields"]})


def other_format(number: int) -> Change:
    """Return what is said of state in another form."""
    message = f"the checkpoint holds state of format {number}, and only format {FORMAT} can be read"
    return Change(RELEASE, message, f"go on with the release that wrote it, {OR_ANEW}")


def _moved(before: Told, now: Told, kept: Told) -> Iterator[Change]:
    """Yield what takes the state of lanes away from where their events go."""
    others = [name for name, told in kept.items() if told["place"] != now["lanes"][name]["place"]]
    keys = [name for name, told in kept.items() if told["key"] != now["lanes"][name]["key"]]
    if keys:
        was = kept[keys[0]]["key"]
        held = [[one] if isinstance(one, str) else one for one in (was or {}).values()]
        by = "without a key" if was is None else "by " + _listed(sorted({name for some in held for name in some}))
        message = (
            f"the checkpoint has the state of {_rules(kept[keys[0]])} {by}, and now it would be dealt out otherwise"
        )
        hint = "start a new checkpoint" if was is None else f"keep the types of the columns, {OR_ANEW}"
        yield Change(INPUT, message, hint)
    elif others and before["buckets"] != now["buckets"]:
        message = f"the checkpoint was made with {before['buckets']} buckets, and this stream has {now['buckets']}"
        yield Change(BUCKETS, message, f"keep `buckets = {before['buckets']}`, {OR_ANEW}")
    elif others:
        message = (
            f"the state of {_rules(kept[others[0]])} is not where its events would go, as other queries come before it"
        )
        yield Change(
            QUERIES,
            message,
            f"leave the queries that were running in their order, and add others after them, {OR_ANEW}",
        )


def _replaced(name: str, lane: Told, gone: Told) -> Iterator[Change]:
    """Yield what a lane without state of its own takes the place of: its state would be lost in silence."""
    for stored, told in gone.items():
        both = sorted(set(told["rules"]) & set(lane["rules"]))
        if told["title"] == lane["title"] and both:
            message = f"the checkpoint holds state of another version of {_listed(both)}"
            hint = f"continue with the query that was running, give the changed rule a new name, {OR_ANEW}"
            yield Change(QUERIES, message, hint)
        elif told["title"] != lane["title"] and stored.rpartition(":")[2] == name.rpartition(":")[2]:
            message = f"the checkpoint holds the state of {_rules(told)} for a query called `{told['title']}`"
            yield Change(
                QUERIES, message, f"call the query `{told['title']}` again instead of `{lane['title']}`, {OR_ANEW}"
            )


def _of_input(before: Told, now: Told, read: set[str]) -> Iterator[Change]:
    for option in sorted(before["columns"].keys() | now["columns"].keys()):
        was, told = before["columns"].get(option), now["columns"].get(option)
        if was != told:
            keep = "no column" if was is None else f"`{was}`"
            message = f"the checkpoint was made with {keep} for the {option} of events, and now it is {_column(told)}"
            yield Change(INPUT, message, f"keep {keep}, {OR_ANEW}")
    if before["times"] != now["times"]:
        message = f"the checkpoint was made with {before['times']} in the time column, and now they are {now['times']}"
        yield Change(INPUT, message, f"keep {before['times']}, {OR_ANEW}")
    for name in sorted(before["fields"].keys() & read):
        was, told = before["fields"][name], now["fields"].get(name)
        if was != told:
            message = f"the column `{name}` was of kind `{was}` when the checkpoint was made, and now {_kind(told)}"
            yield Change(INPUT, message, f"keep `{name}` as it was, {OR_ANEW}")
    if before["called_by"] and now["called_by"] and before["called_by"] != now["called_by"]:
        yield _other_row(before["called_by"], now["called_by"])


def _other_row(before: Told, now: Told) -> Change:
    names = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    message = f"events without an id column are called by all that their row says, and {_listed(names)} changed"
    return Change(INPUT, message, f"keep the columns as they were, {OR_ANEW}")


def _kind(told: str | None) -> str:
    return "it is not there" if told is None else f"it is `{told}`"


def _column(name: str | None) -> str:
    return "none" if name is None else f"`{name}`"


def _rules(lane: Told) -> str:
    return _listed(lane["rules"])


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
