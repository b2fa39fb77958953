"""What a case exercises, by name: so that a table can show that nothing is left out."""

from collections.abc import Iterator

from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import Chain, Collect, Join, Pattern, Repeat, Step, Unless
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Program, Rule
from cepheid.algebra.relations import Axis, Difference, Endpoint
from cepheid.algebra.strata import feeds_itself, readers
from cepheid.algebra.traversal import walk
from cepheid.events import Event, is_nan
from cepheid.testing.cases.case import Case
from cepheid.testing.cases.events import TYPES


def features(case: Case) -> frozenset[str]:
    """Return the names of all that occurs in a case.

    >>> from cepheid.testing.cases import random_case
    >>> "node Join" in features(random_case(1)) or "node Chain" in features(random_case(1))
    True
    """
    found = {*_of_nodes(case.program), *_of_rules(case.program), *_of_events(case.trace)}
    if case.arrivals != case.trace and case.disorder:
        found.add("arrival out of order")
    if len(case.arrivals) > len(case.trace):
        found.add("arrival of a duplicate")
    return frozenset(found)


def _of_nodes(program: Program) -> Iterator[str]:
    for node in walk(program.rules):
        match node:
            case Pattern():
                yield f"node {type(node).__name__}"
                yield from _of_pattern(node)
            case Step(avoid=avoid, lets=lets, every=every):
                yield from _when({"chain avoids": avoid is not None, "chain binds": bool(lets)})
                yield from _when({"chain that takes every record": every})
            case Difference(later=Endpoint(axis=Axis.POSITION)):
                yield "position window"


def _of_pattern(pattern: Pattern) -> Iterator[str]:
    match pattern:
        case Join(policy=policy):
            yield f"choice {policy.choice.value}"
            yield from _when(
                {
                    "join of three or more": len(pattern.parts) > 2,
                    "join with a key": bool(pattern.equal),
                    "join with a candidate condition": pattern.candidate is not None,
                    "join with a where": pattern.where is not None,
                    "choice per key": bool(policy.per or pattern.equal) and policy.choice is not Choice.ALL,
                    "choice with a tie": bool(policy.tie),
                }
            )
        case Repeat(choice=choice):
            yield f"repeat {choice.value}"
            yield from _when({"repeat with a link": pattern.link is not None, "repeat per key": bool(pattern.per)})
        case Chain():
            yield from _of_chain(pattern)
        case Unless() | Collect():
            yield from _when({f"{type(pattern).__name__.lower()} with a key": bool(pattern.equal)})


def _of_chain(chain: Chain) -> Iterator[str]:
    follows = [step.follow for step in chain.steps.values()]
    names = list(chain.steps)
    recursive = any(names.index(name) <= place for place, follow in enumerate(follows) for name in follow)
    yield "chain with evidence" if chain.reads_support else "chain that merges"
    yield from _when(
        {
            "chain with alternatives": any(len(follow) > 1 for follow in follows),
            "chain with recursion": recursive,
            "chain with a window": bool(chain.window),
        }
    )


def _of_rules(program: Program) -> Iterator[str]:
    feeds = readers(program.rules)
    recursive = feeds_itself(program.rules)
    yield from _when(
        {
            "rule that feeds another": any(feeds.values()) and not recursive,
            "rules that feed themselves": recursive,
            "rule per key": any(rule.per for rule in program.rules),
            "event dated by a part": any(_is_dated_by_a_part(rule) for rule in program.rules),
            "type both input and derived": any(rule.emits in TYPES for rule in program.rules),
            "streams declared": bool(program.streams),
        }
    )


def _is_dated_by_a_part(rule: Rule) -> bool:
    return isinstance(rule.end, Moment) and not rule.end.endpoint.part.startswith("$")


def _of_events(trace: tuple[Event, ...]) -> Iterator[str]:
    ends = [event.end for event in trace]
    fields = [value for event in trace for value in event.fields.values()]
    yield from _when(
        {
            "simultaneous events": len(set(ends)) < len(ends),
            "intervals": any(event.start < event.end for event in trace),
            "order columns": any(event.tie for event in trace),
            "string ids": any(isinstance(event.id, str) for event in trace),
            "null key": any(event.get("key") is None for event in trace),
            "null value": any(event.get("value") is None for event in trace),
            "NaN": any(is_nan(value) for value in fields),
            "no event": not trace,
        }
    )


def _when(found: dict[str, bool]) -> Iterator[str]:
    return (name for name, holds in found.items() if holds)
