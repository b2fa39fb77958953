"""What Spark will do with some queries, in words: the columns that are read, what is checked early, who works where."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cepheid.algebra.expressions import Call, Expr, Field, conjuncts
from cepheid.algebra.patterns import Atom, Collect, Join, Unless
from cepheid.algebra.programs import EVENT, Rule
from cepheid.algebra.text import show
from cepheid.algebra.traversal import walk
from cepheid.analysis.keys.common_keys import common_key
from cepheid.analysis.keys.key_classes import ANY_TYPE
from cepheid.analysis.keys.keys import partition_key
from cepheid.diagnostics import Diagnostic, Severity
from cepheid.events import Duration
from cepheid.spark.batch import is_sliced, overlap
from cepheid.spark.catalyst import pushed_down
from cepheid.spark.detecting import Work
from cepheid.spark.event_columns import OURS
from cepheid.spark.lanes import Lane, Route


def described_work(work: Work) -> str:
    """Return how Spark runs some queries, a line for each thing there is to know."""
    lines = [f"reads    {_columns(work)}"]
    lines += [f"takes    {one}" for one in _early_checks(work)]
    for route in sorted(work.routes, key=lambda route: route.level):
        names = ", ".join(lane.name for lane in route.lanes)
        lines.append(f"{'then' if route.level else 'runs'}     {names}: {_place(work, route)}{_taken(route)}")
    return "\n".join(lines)


def _columns(work: Work) -> str:
    columns = work.rows.columns
    own = list(dict.fromkeys([*columns.needed.values(), *columns.order_by, *work.rows.fields]))
    told = ", ".join(f"`{name}`" for name in own if not name.startswith(OURS))
    return told if columns.id is not None else f"{told}; and all others, to distinguish events that have no id column"


def _early_checks(work: Work) -> Iterator[str]:
    """Yield what Spark itself checks before a detector sees an event."""
    told = dict.fromkeys(
        f"of {_types(atom)} only those with `{text}`" if text else f"all of {_types(atom)}"
        for lane in (lane for route in work.routes for lane in route.lanes)
        for atom, text in _pushed(work, lane)
    )
    yield from told


def _pushed(work: Work, lane: Lane) -> Iterator[tuple[Atom, str]]:
    derived = {rule.emits for rule in lane.whole.rules}
    for atom in _atoms(lane.rules):
        some = [] if atom.types & derived else [one for one in conjuncts(atom.where) if _goes_down(work, atom, one)]
        yield atom, " and ".join(show(one).replace(f"{atom.name}.", "") for one in some)


def _goes_down(work: Work, atom: Atom, condition: Expr) -> bool:
    return bool(pushed_down(replace(atom, where=condition), work.rows.compared))


def _types(atom: Atom) -> str:
    return ", ".join(f"`{kind}`" for kind in sorted(atom.types)) or "all types"


def _place(work: Work, route: Route) -> str:
    streaming = work.rows.frame.isStreaming
    if route.key is not None:
        places = f"{work.buckets} buckets" if streaming or route.multiplies else "partitions"
        return f"dealt out by {_key(route)} into {places}{_everywhere(route)}"
    if streaming:
        return "no key, so one bucket takes all its events"
    if is_sliced(route):
        return f"no key, so in slices of time that overlap by {Duration(overlap(route))}"
    return "no key and no end to what it looks back on, so in one place"


def _taken(route: Route) -> str:
    """Return what a later stage gets from those before it."""
    types = sorted(frozenset().union(*(lane.takes for lane in route.lanes)))
    return f"; it gets {' and '.join(f'`{name}`' for name in types)} from before" if types else ""


def _key(route: Route) -> str:
    key = {kind: names for kind, names in (route.key or {}).items() if names}
    if len(set(key.values())) == 1:
        return _all_of(next(iter(key.values())))
    return ", ".join(
        f"{_all_of(names)} of {'any other' if kind == ANY_TYPE else f'`{kind}`'}" for kind, names in key.items()
    )


def _everywhere(route: Route) -> str:
    """Return which events go to all buckets, if some do."""
    types = [kind for kind, names in (route.key or {}).items() if not names]
    return f", and {_all_of(types)} goes to all of them" if types else ""


def _all_of(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def lanes_in_one_place(work: Work) -> list[Lane]:
    """Return the lanes of a stream that all events go through one bucket for."""
    if not work.rows.frame.isStreaming:
        return []
    return [lane for route in work.routes if route.key is None for lane in route.lanes]


def one_partition(lane: Lane, columns: Sequence[str]) -> Diagnostic:
    """Return the warning that a stream runs in one place, with what that costs.

    Where nothing is said about how events belong together, it names an equality that would change that. `columns` are
    those of the input; an attribute that the rules read already is proposed before them.
    """
    message = f"`{lane.name}` has no key, so one worker takes all its events"
    told = [note for rule in lane.rules if (note := _agreeing_on(rule)) is not None]
    equality = None if told else _equality(lane, columns)
    hints = () if equality is None else (f"let the events of a match agree: `{equality}`",)
    notes = (*told, f"that worker holds all of its state: {_held(lane)}")
    return Diagnostic("one-partition", message, hints=hints, notes=notes, severity=Severity.WARNING)


def _agreeing_on(rule: Rule) -> str | None:
    """Return what the events of a match agree on, where that is no key; another equality would be another query."""
    equal = [one for one in walk(rule.pattern) if isinstance(one, Join | Unless | Collect) for one in one.equal]
    told = dict.fromkeys(f"`{show(left)} == {show(right)}`" for left, right in equal)
    return f"its events agree on {' and '.join(told)}, and not all of them on one thing" if told else None


def _held(lane: Lane) -> str:
    own = [rule.state for rule in lane.certificate.rules if rule.name in {one.name for one in lane.rules}]
    numbers = [one.number for one in own]
    known = [one for one in numbers if one is not None]
    if len(known) == len(numbers):
        return f"at most {sum(known):,} entries"
    return " and ".join(str(one) for one in own)


def _equality(lane: Lane, columns: Sequence[str]) -> str | None:
    """Return an equality over all events of a match that would be a key, None where nothing would."""
    rule = next((one for one in lane.rules if partition_key(one) is None), lane.rules[0])
    parts = list(dict.fromkeys(atom.name for atom in _atoms([rule])))
    for name in dict.fromkeys([*_equated(rule), *_read(rule), *columns]):
        if common_key([_split_by(one, name) for one in lane.rules]) is not None:
            if len(parts) == 1:
                return f"by {name}"
            return " and ".join(f"{parts[0]}.{name} == {other}.{name}" for other in parts[1:])
    return None


def _split_by(rule: Rule, name: str) -> Rule:
    return replace(rule, per=(Field(EVENT, name),))


def _equated(rule: Rule) -> Iterator[str]:
    for call in walk(rule.pattern):
        if isinstance(call, Call) and call.function == "==":
            yield from (one.name for one in call.arguments if isinstance(one, Field))


def _read(rule: Rule) -> Iterator[str]:
    return (one.name for one in walk(rule.pattern) if isinstance(one, Field))


def _atoms(rules: Sequence[Rule]) -> list[Atom]:
    return [node for rule in rules for node in walk(rule.pattern) if isinstance(node, Atom)]
