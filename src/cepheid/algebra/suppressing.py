"""What is left out after a match: for a span of time, all other matches of its key."""

from collections.abc import Hashable, Iterable, Mapping

from cepheid.algebra.evaluation import evaluate
from cepheid.algebra.instances import Instance, scope_of
from cepheid.algebra.patterns import Suppress
from cepheid.algebra.programs import Table
from cepheid.algebra.relations import Ticks
from cepheid.events import values


def passing(
    suppress: Suppress, some: Iterable[Instance], tables: Mapping[str, Table], last: dict[Hashable, Ticks]
) -> list[Instance]:
    """Return the instances that pass, of some that come in order; `last` says when the last of each key ended.

    The keys stay in the order of these ends.
    """
    found = []
    for one in some:
        scope = scope_of(one, tables)
        key = tuple(values.key_of(evaluate(expression, scope)) for expression in suppress.by)
        before = last.get(key)
        if before is None or one.end - before > suppress.apart:
            last.pop(key, None)
            last[key] = one.end
            found.append(one)
    return found
