"""What is written down of rules that feed rules, and taken up again: tables of events, and what waits in stages."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.row_store import LEAST_ROOM
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.rules.rule_chain import RuleChain
from cepheid.engine.kernels.sequences.written_state import Entries, roomy, take_up_column, written_column
from cepheid.engine.kernels.stages.stages import Stage
from cepheid.engine.kernels.tables.given_table import GivenTable


def written_chain(chain: RuleChain) -> Entries:
    """Return the state of all rules by name."""
    entries = _named("given", _given(chain.tables.given))
    entries["lived"] = None if chain.lived is None else list(chain.lived)
    for number, table in enumerate(chain.tables.made):
        entries |= _named(f"made {number}", table.written())
    for number, stage in enumerate(_stages(chain)):
        entries |= _named(f"stage {number}", stage.written())
    for number, rule in enumerate(chain.rules):
        entries |= {} if rule.records is None else _named(f"records {number}", rule.records.written())
    return entries


def take_up_chain(chain: RuleChain, entries: Mapping[str, Any], frontier: int) -> None:  # what `written_chain` gave
    """Go on from a state, in which a frontier had been reached."""
    lived = entries["lived"]
    chain.lived = None if lived is None else (lived[0], lived[1])
    _take_up_given(chain.tables.given, _under("given", entries))
    for number, table in enumerate(chain.tables.made):
        table.take_up(_under(f"made {number}", entries))
    for number, stage in enumerate(_stages(chain)):
        stage.take_up(_under(f"stage {number}", entries))
    for number, rule in enumerate(chain.rules):
        if rule.records is not None:
            rule.records.take_up(_under(f"records {number}", entries))
    chain.settle(frontier)


def _stages(chain: RuleChain) -> Iterator[Stage]:
    return (stage for rule in chain.rules for stage in rule.stage.every())


def _named(name: str, entries: Mapping[str, Entry]) -> Entries:
    return {f"{name} {one}": entry for one, entry in entries.items()}


def _under(name: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    return {one.removeprefix(f"{name} "): entry for one, entry in entries.items() if one.startswith(f"{name} ")}


def _given(table: GivenTable) -> Entries:
    log = table.log
    entries: Entries = {
        "base": table.base,
        "unordered": int(table.unordered),
        "done": log.done,
        "time": log.time[: log.top],
        "member": log.member[: log.top],
        "ties": None if log.ties is None else list(log.ties),
        "in order": int(log.in_order),
        "numbered": int(log.numbered),
    }
    for name, column in (("ids", log.ids), *((f"field {name}", one) for name, one in log.fields.items())):
        entries |= _named(name, written_column(column, log.top))
    return entries


def _take_up_given(table: GivenTable, entries: Mapping[str, Any]) -> None:
    log, top = table.log, len(entries["time"])
    table.base, table.unordered = entries["base"], bool(entries["unordered"])
    log.room = max(LEAST_ROOM, 2 * top)
    log.done, log.top, log.ties, log.in_order = entries["done"], top, entries["ties"], bool(entries["in order"])
    log.numbered = bool(entries["numbered"])
    log.time, log.member = roomy(entries["time"], log.room, 0), roomy(entries["member"], log.room, 0)
    for name in ("key", "truth", "numbers"):
        array = getattr(log, name)
        setattr(log, name, np.zeros((len(array), log.room), array.dtype))
    for name, column in (("ids", log.ids), *((f"field {name}", one) for name, one in log.fields.items())):
        take_up_column(column, _under(name, entries), log.room)
