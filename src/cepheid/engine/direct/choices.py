"""The join of two that chooses: each instant is decided when it is complete.

Most instants have one event, and most choices one candidate. Where several things happen at once, or candidates are
level, the definition's own choice decides among instances.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from heapq import heappush

from cepheid.algebra.choices import Moment, Pair, choose, pair_of
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Join
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Table
from cepheid.algebra.relations import Edge
from cepheid.analysis.plans.plan import Operator, Retention
from cepheid.analysis.plans.retention import side_of
from cepheid.engine.direct.operator import DirectOperator, Give, Pace
from cepheid.engine.direct.partials import Partial, Parts, arrival
from cepheid.engine.direct.reading import Events, Reader
from cepheid.engine.direct.reading import Key as Shared
from cepheid.engine.direct.store import PreferredStore, Store, limit_of
from cepheid.engine.operators.choice import own_relation, sides_of
from cepheid.engine.operators.dominance import Dominance
from cepheid.engine.operators.preferences import CONSUMED, Preference, preference_of

Key = Callable[[Events], Shared | None]
_NOTHING: dict[Hashable, list[tuple[int, Partial]]] = {}
Numbered = tuple[int | None, Partial]
"""A partial match with its number, None where it need not wait."""


class Choices(DirectOperator):
    """What waits on both sides, and what waits for its instant to be complete."""

    def __init__(self, operator: Operator, parts: Parts, tables: Mapping[str, Table], give: Give, pace: Pace) -> None:
        super().__init__(operator, parts, tables, give, pace)
        assert isinstance(operator.pattern, Join)
        self.join = operator.pattern
        self.choice, self.by_arrival = self.join.policy.choice, self.join.policy.by_arrival
        self.consumes = CONSUMED.get(self.choice, ())
        self.delay = self.certain(0)
        """How long after the end of an instant it is certain what is chosen there."""
        names = [parts.names[number] for number in operator.inputs]
        both = Reader((*names[0], *names[1]), ("$0", "$1"), tables)
        alone = [Reader(some, (f"${side}",), tables) for side, some in enumerate(names)]
        sides = sides_of(self.join)
        self.keys = None if sides is None else [one.key(side) for one, side in zip(alone, sides, strict=True)]
        candidate = () if self.join.candidate is None else (self.join.candidate,)
        self.test = both.test(self.join.relation, self.join.equal, candidate)
        self.per = self.join.policy.per
        self.pair_key = both.key((*self.join.policy.per, *(one for one, _ in self.join.equal)))
        self.where = both.test((), (), () if self.join.where is None else (self.join.where,))
        self.own = [one.test(own_relation(self.join, side), (), ()) for side, one in enumerate(alone)]
        self.dominance = None if operator.retention is Retention.EVERYTHING else Dominance(self.join, operator)
        preference = None if self.dominance is not None else preference_of(operator)
        self.rivals = self._rivals(alone, preference)
        limits = [limit_of([operator.reach[side, 1 - side]], names[side]) for side in (0, 1)]
        self.limits = [limit for limit, _ in limits]
        self.preferred = None if preference is None else self._preferred(preference, [grows for _, grows in limits])
        self.stores: Sequence[Store] = self.preferred or [Store(3, grows=grows) for _, grows in limits]
        self.pending: dict[int, dict[Hashable, list[tuple[int, Partial]]]] = {}
        """What waits for its instant, by this and by whose it is."""

    def _rivals(self, alone: list[Reader], preference: Preference | None) -> list[Key] | None:
        """Return what says, for each side, which partial matches compete for partners."""
        if self.dominance is not None:
            return [one.key(side) for one, side in zip(alone, self.dominance.shares, strict=True)]
        if preference is None:
            return None
        own = [[one for one in self.per if side_of(one, self.join) == side] for side in (0, 1)]
        return [one.key(side) for one, side in zip(alone, own, strict=True)]

    def _preferred(self, preference: Preference, grows: list[bool]) -> list[PreferredStore]:
        grade = self._start if preference.edge is Edge.START else self._end
        return [PreferredStore(preference, side, grade, grows=grows[side]) for side in (0, 1)]

    def take(self, key: Hashable, side: int, partial: Partial) -> None:
        end = partial[1]
        waiting = self.pending.get(end)
        if waiting is None:
            self.pending[end] = {key: [(side, partial)]}
            heappush(self.pace.ends, end)
            return
        some = waiting.get(key)
        if some is None:
            waiting[key] = [(side, partial)]
        else:
            some.append((side, partial))

    def complete(self, instant: int) -> None:
        for key, some in self.pending.pop(instant, _NOTHING).items():
            side, partial = some[0]
            if len(some) > 1 and self._meet_nobody(side, some):
                self._let_wait(key, side, some)
            elif len(some) > 1 or not self._decided(key, side, partial):
                self._instant(key, some)

    def _meet_nobody(self, side: int, some: list[tuple[int, Partial]]) -> bool:
        """Say whether partial matches of one instant are all of a side, and nothing waits on the other one."""
        store = self.stores[1 - side]
        store.expire(some[0][1][1])
        return not store.entries and self.dominance is None and all(own == side for own, _ in some)

    def _let_wait(self, key: Hashable, side: int, some: list[tuple[int, Partial]]) -> None:
        """Let partial matches wait that have no partners yet."""
        for _, partial in some if side not in self.operator.final else ():
            keys = self._keys(key, side, partial)
            if keys is not None:
                self._wait(side, partial, keys)

    def _decided(self, key: Hashable, side: int, partial: Partial) -> bool:
        """Deal with the only partial match of an instant, unless it takes more care to choose."""
        keys = self._keys(key, side, partial)
        if keys is None:
            return True
        found = self._decision(keys[1], side, partial)
        if found is None:
            return False
        for number, other in found:
            if 1 - side in self.consumes and number is not None:
                self.stores[1 - side].remove(number)
            self._give(key, (partial, other) if side == 0 else (other, partial), partial[1])
        if side not in self.operator.final and not (found and side in self.consumes):
            self._wait(side, partial, keys)
        return True

    def _decision(self, under: Hashable, side: int, partial: Partial) -> list[Numbered] | None:
        """Return what the only partial match of an instant takes, None where that is not plain."""
        if self.preferred is None:
            found = self._candidates(under, side, partial)
            return found if len(found) < 2 else self._chosen(side, found)
        groups = self._best(under, side, partial, None, 1)
        if (self.choice is not Choice.NEXT or side == 0) and max(map(len, groups), default=0) > 1:
            return None
        return [one for some in groups for one in some]

    def _best(
        self, under: Hashable, side: int, partial: Partial, before: int | None, together: int
    ) -> list[list[Numbered]]:
        """Return those among whom a partial match makes its choice, for each group that competes.

        They have waited since before a number, if one is given; so many others make theirs at the same time.
        """
        assert self.preferred is not None
        store, test = self.preferred[1 - side], self.test
        store.expire(partial[1])
        entries = store.entries
        if not entries:
            return []

        def fits(number: int) -> bool:
            if before is not None and number >= before:
                return False
            other = entries[number]
            pair = (partial, other) if side == 0 else (other, partial)
            return test is None or test(pair[0][3] + pair[1][3], pair)

        groups = store.rankings.candidates(under, (partial[0], partial[1]), together, fits)
        return [[(number, entries[number]) for number in some] for some in groups]

    def _candidates(self, under: Hashable, side: int, partial: Partial) -> list[Numbered]:
        store = self.stores[1 - side]
        store.expire(partial[1])
        return [one for one in store.under(1, under).items() if self._are_candidates(side, partial, one[1])]

    def _are_candidates(self, side: int, partial: Partial, other: Partial) -> bool:
        pair = (partial, other) if side == 0 else (other, partial)
        events = pair[0][3] + pair[1][3]
        holds = self.test is None or self.test(events, pair)
        return holds and (not self.per or self.pair_key(events) is not None)

    def _chosen(self, side: int, found: list[Numbered]) -> list[Numbered] | None:
        """Return which of several candidates a partial match takes, None where that is not plain."""
        if self.per or self.join.policy.tie:
            return None
        if side == 1 and self.choice is Choice.NEXT:
            return found
        if side == 0 and self.choice is not Choice.RECENT:
            return None
        if self.choice is Choice.RECENT:
            ranked = sorted(found, key=lambda one: self._end(one[1]), reverse=True)
            return ranked[:1] if self._end(ranked[0][1]) != self._end(ranked[1][1]) else None
        latest = self.choice is Choice.LATEST_START
        ranked = sorted(found, key=lambda one: self._start(one[1]), reverse=latest)
        return ranked[:1] if self._start(ranked[0][1]) != self._start(ranked[1][1]) else None

    def _start(self, partial: Partial) -> Moment:
        return min(map(arrival, partial[3])) if self.by_arrival else partial[0]

    def _end(self, partial: Partial) -> Moment:
        return max(map(arrival, partial[3])) if self.by_arrival else partial[1]

    def _give(self, key: Hashable, pair: tuple[Partial, Partial], end: int) -> None:
        left, right = pair
        events = left[3] + right[3]
        if self.where is None or self.where(events, pair):
            known = max(left[2], right[2], end + self.delay)
            start = left[0] if left[0] < right[0] else right[0]
            self.give(key, (start, end, known, events, left[4] + right[4]))

    def _keys(self, key: Hashable, side: int, partial: Partial) -> list[Hashable] | None:
        """Return whose a partial match is, what its partners have in common with it, and its rivals; None: nothing."""
        own = self.own[side]
        if own is not None and not own(partial[3], (partial,)):
            return None
        under = () if self.keys is None else self.keys[side](partial[3])
        rivals = () if self.rivals is None else self.rivals[side](partial[3])
        if under is None or rivals is None:
            return None
        return [key, (key, under), (key, rivals)]

    def _wait(self, side: int, partial: Partial, keys: list[Hashable]) -> None:
        """Let a partial match wait, unless no partner can come, or a better one waits that all to come can take."""
        limit = self.limits[side](partial)
        if limit < partial[1]:
            return
        store = self.stores[side]
        store.expire(partial[1])
        if self.dominance is not None:
            for number, other in list(store.under(2, keys[2]).items()):
                if self.choice is Choice.LATEST_START and self._start(other) >= self._start(partial):
                    return
                if self._end(other) < self._end(partial):
                    store.remove(number)
        store.add(partial, limit, keys)

    def _instant(self, key: Hashable, some: list[tuple[int, Partial]]) -> None:
        """Decide as the definition does, among instances."""
        made = Made(self.parts, self.operator.inputs)
        some.sort(key=lambda one: (made.of(*one).order, one[0], made.of(*one).rank))
        new: tuple[list[Numbered], list[Numbered]] = ([], [])
        before = [store.next for store in self.stores]
        rivals: set[tuple[int, Hashable]] = set()
        for side, partial in some:
            keys = self._keys(key, side, partial)
            if keys is not None:
                new[side].append((self._added(side, partial, keys), partial))
                rivals.add((side, keys[2]))
        end = some[0][1][1]
        meetings = self._meetings(key, new) if self.preferred is None else self._best_meetings(key, new, before)
        self._choose(key, meetings, made, end)
        for side in self.operator.final:
            for number, _ in new[side]:
                self._drop(side, number)
        if self.dominance is not None:
            for side, under in rivals:
                group = [(number, made.of(side, one)) for number, one in self.stores[side].under(2, under).items()]
                frontier = end if self.by_arrival else end + 1
                self.dominance.prune_group(self.stores[side], group, frontier, self.tables)

    def _added(self, side: int, partial: Partial, keys: list[Hashable]) -> int | None:
        limit = self.limits[side](partial)
        return None if limit < partial[1] else self.stores[side].add(partial, limit, keys)

    def _drop(self, side: int, number: int | None) -> None:
        if number is not None and number in self.stores[side].entries:
            self.stores[side].remove(number)

    def _meetings(self, key: Hashable, new: tuple[list[Numbered], list[Numbered]]) -> list[tuple[Numbered, Numbered]]:
        """Return all candidates with something new in them: each left one with its right one."""
        fresh = {number for number, _ in new[0] if number is not None}
        found: list[tuple[Numbered, Numbered]] = []
        for side in (0, 1):
            for one in new[side]:
                keys = self._keys(key, side, one[1])
                assert keys is not None
                for other in self._candidates(keys[1], side, one[1]):
                    if side == 0:
                        found.append((one, other))
                    elif other[0] not in fresh:
                        found.append((other, one))
        return found

    def _best_meetings(
        self, key: Hashable, new: tuple[list[Numbered], list[Numbered]], before: list[int]
    ) -> list[tuple[Numbered, Numbered]]:
        """Return the candidates that decide: pairs of what is new, and for each the best that waited before it."""
        found = [(left, right) for left in new[0] for right in new[1] if self._are_new_candidates(key, left, right)]
        for side in (0, 1):
            for one in new[side]:
                keys = self._keys(key, side, one[1])
                assert keys is not None
                for some in self._best(keys[1], side, one[1], before[1 - side], len(new[0]) + len(new[1])):
                    found += [(one, other) if side == 0 else (other, one) for other in some]
        return found

    def _are_new_candidates(self, key: Hashable, left: Numbered, right: Numbered) -> bool:
        own, other = self._keys(key, 0, left[1]), self._keys(key, 1, right[1])
        assert own is not None
        assert other is not None
        return own[1] == other[1] and self._are_candidates(0, left[1], right[1])

    def _choose(self, key: Hashable, meetings: list[tuple[Numbered, Numbered]], made: "Made", end: int) -> None:
        pairs: list[Pair] = []
        for left, right in meetings:
            pair_key = self.pair_key(left[1][3] + right[1][3])
            assert pair_key is not None  # candidates have one
            pairs.append(pair_of(made.of(0, left[1]), made.of(1, right[1]), pair_key))
        places = {id(pair): both for pair, both in zip(pairs, meetings, strict=True)}
        for pair in choose(self.join.policy, pairs, self.tables):
            both = places[id(pair)]
            for side in self.consumes:
                self._drop(side, both[side][0])
            self._give(key, (both[0][1], both[1][1]), end)

    def expire(self, frontier: int) -> None:
        for store in self.stores:
            store.expire(frontier)

    def entries(self) -> int:
        return len(self.stores[0]) + len(self.stores[1])

    def buffered(self) -> int:
        return sum([len(some) for waiting in self.pending.values() for some in waiting.values()])

    def state(self) -> dict[Hashable, object]:
        made = Made(self.parts, self.operator.inputs)
        found: dict[Hashable, list[list[object]]] = {}
        for key, some in [entry for waiting in self.pending.values() for entry in waiting.items()]:
            held = found.setdefault(key, [[], [], []])
            held[0].extend((side, made.of(side, one)) for side, one in some)
        for side, store in enumerate(self.stores):
            for key, partial in store.owned():
                held = found.setdefault(key, [[], [], []])
                held[1 + side].append((made.of(side, partial), ()))
        return {key: [held, [left, right]] for key, (held, left, right) in found.items()}

    def restore(self, key: Hashable, state: object) -> None:
        assert isinstance(state, list)
        held, waiting = state
        for side, instance in held:
            self.take(key, side, self.parts.partial(self.operator.inputs[side], instance))
        for side, some in enumerate(waiting):
            for instance, _ in some:
                partial = self.parts.partial(self.operator.inputs[side], instance)
                keys = self._keys(key, side, partial)
                assert keys is not None  # otherwise it would not wait
                self._added(side, partial, keys)

    def empty_state(self) -> object:
        return [[], [[], []]]


class Made:
    """The instances of partial matches, one for each."""

    def __init__(self, parts: Parts, inputs: Sequence[int]) -> None:
        self.parts, self.inputs = parts, inputs
        self.made: dict[tuple[int, int], tuple[Instance, Partial]] = {}

    def of(self, side: int, partial: Partial) -> Instance:
        """Return the instance of a partial match of an input."""
        found = self.made.get((side, id(partial)))
        if found is None:
            # The partial match is kept beside it, so that no other can have its number.
            found = self.made[side, id(partial)] = (self.parts.instance(self.inputs[side], partial), partial)
        return found[0]
