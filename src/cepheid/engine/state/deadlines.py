"""When an instance is of no more use: after the last moment at which a partner can still end."""

from collections.abc import Iterable

from cepheid.algebra.evaluation import Scope, moment
from cepheid.algebra.instances import Instance
from cepheid.algebra.relations import Endpoint, end
from cepheid.analysis.plans.plan import SELF, Reach
from cepheid.events import MAX_TIME, MIN_TIME

NEVER = MIN_TIME
FOREVER = MAX_TIME

Deadline = tuple[int, int]
_OWN_END = end(SELF)


def deadline(reach: Reach, instance: Instance) -> Deadline:
    """Return the last time and the last position at which a partner of `instance` can end."""
    if not reach.possible:
        return (NEVER, NEVER)
    return (_least(reach.times, instance), _least(reach.positions, instance))


def meets(reach: Reach, instance: Instance, partner: Instance) -> bool:
    """Say whether a partner ends early enough after an instance for both to be in one match."""
    if not reach.possible or (reach.ends is not None and partner.end > instance.end + reach.ends):
        return False
    if reach.records is None or instance.high is None or partner.high is None:
        return True
    return partner.high <= instance.high + reach.records


def latest(deadlines: Iterable[Deadline]) -> Deadline:
    """Return when the last of several partners can end, in time and in positions."""
    times, places = zip(*deadlines, strict=True)
    return (max(times), max(places))


def is_past(limit: Deadline, frontier: int, place: int) -> bool:
    """Say whether nothing that is still to come can end by the deadline."""
    return limit[0] < frontier or limit[1] < place


def _least(bounds: tuple[tuple[Endpoint, int], ...], instance: Instance) -> int:
    if not bounds:
        return FOREVER
    if len(bounds) == 1 and bounds[0][0] == _OWN_END:
        return instance.end + bounds[0][1]
    scope = Scope({**instance.parts, SELF: instance})
    found = [value + offset for endpoint, offset in bounds if (value := moment(endpoint, scope)) is not None]
    return min(found, default=FOREVER)
