"""What is written down of rules that feed rules, and taken up again: tables of events, and what waits in stages."""

from collections.abc import Iterator, Mapping
from typing import Any

from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.rules.rule_chain import RuleChain
from cepheid.engine.kernels.stages.stages import Stage
from cepheid.engine.kernels.tables.given_table import GivenTable


def written_chain(chain: RuleChain) -> dict[str, Entry]:
    """Return the state of all rules by name."""
    entries = named("given", _given(chain.tables.given))
    entries["lived"] = None if chain.lived is None else list(chain.lived)
    for number, table in enumerate(chain.tables.made):
        entries |= named(f"made {number}", table.written())
    for number, stage in enumerate(_stages(chain)):
        entries |= named(f"stage {number}", stage.written())
    for number, rule in enumerate(chain.rules):
        entries |= {} if rule.records is None else named(f"records {number}", rule.records.written())
    return entries


def take_up_chain(chain: RuleChain, entries: Mapping[str, Any], frontier: int) -> None:  # what `written_chain` gave
    """Go on from a state, in which a frontier had been reached."""
    lived = entries["lived"]
    chain.lived = None if lived is None else (lived[0], lived[1])
    _take_up_given(chain.tables.given, under("given", entries))
    for number, table in enumerate(chain.tables.made):
        table.take_up(under(f"made {number}", entries))
    for number, stage in enumerate(_stages(chain)):
        stage.take_up(under(f"stage {number}", entries))
    for number, rule in enumerate(chain.rules):
        if rule.records is not None:
            rule.records.take_up(under(f"records {number}", entries))
    chain.settle(frontier)


def _stages(chain: RuleChain) -> Iterator[Stage]:
    return (stage for rule in chain.rules for stage in rule.stage.every())


def _given(table: GivenTable) -> dict[str, Entry]:
    own = {"base": table.base, "unordered": int(table.unordered), "in order": int(table.log.in_order)}
    return {**table.log.written(), **own}


def _take_up_given(table: GivenTable, entries: Mapping[str, Any]) -> None:
    table.log.take_up(entries)
    table.base, table.unordered = entries["base"], bool(entries["unordered"])
    table.log.in_order = bool(entries["in order"])
