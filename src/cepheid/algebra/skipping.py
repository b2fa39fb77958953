"""What happens after a match: from which record on the next one may begin."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from cepheid.algebra.choices import key_under
from cepheid.algebra.evaluation import evaluate
from cepheid.algebra.instances import Instance, scope_of
from cepheid.algebra.patterns import Skip
from cepheid.algebra.programs import Table

NO_RECORD = -1


@dataclass(frozen=True, slots=True)
class Resumption:
    """From which record on matches may begin, and the end and the last record of the match that said so."""

    place: int
    end: int
    high: int


def turn_of(instance: Instance) -> tuple[object, ...]:
    """Return when an instance has its turn: by its first record, then by its last one, then in the total order."""
    return (first_record(instance), NO_RECORD if instance.high is None else instance.high, instance.rank)


def first_record(instance: Instance) -> int:
    """Return the position of the first record; what has no records comes before all."""
    return NO_RECORD if instance.low is None else instance.low


def counted(
    skip: Skip, some: Iterable[Instance], tables: Mapping[str, Table], resumptions: dict[Hashable, Resumption]
) -> list[Instance]:
    """Return the instances that count, of some that come in their turn; `resumptions` say where each key goes on."""
    found = []
    for one in some:
        scope = scope_of(one, tables, pattern=one)
        key = key_under(skip.per, scope)
        known = resumptions.get(key)
        if key is None or (known is not None and first_record(one) < known.place):
            continue
        found.append(one)
        to = evaluate(skip.to, scope)
        if type(to) is int and (known is None or to > known.place):
            resumptions[key] = Resumption(to, one.end, NO_RECORD if one.high is None else one.high)
    return found
