"""The join of two that chooses: it works instant by instant, each when it is complete.

At an instant, the candidates are the pairs whose later part ends there. The policy chooses among them exactly as the
definition does; what is consumed, or worse than what already waits, need not wait on.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain

from cepheid.algebra.choices import Pair, choose, pair_of
from cepheid.algebra.closures import agree, closure, holds, key_maker, stands
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.expressions import Expr
from cepheid.algebra.instances import Instance, scope_of
from cepheid.algebra.patterns import Join
from cepheid.algebra.relations import Relation
from cepheid.analysis.plans.plan import Operator, Retention
from cepheid.analysis.plans.retention import side_of
from cepheid.engine.clock.certainty import not_before
from cepheid.engine.clock.turn import Turn
from cepheid.engine.operators.dominance import Dominance
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.operators.ladders import RankedStore
from cepheid.engine.operators.preferences import CONSUMED, PreferredStore, is_taken_once, preference_of
from cepheid.engine.state.deadlines import FOREVER, deadline
from cepheid.engine.state.order_buffer import OrderBuffer
from cepheid.engine.state.store import Store

Numbered = tuple[int, Instance]
Place = tuple[int, int]
Candidates = list[tuple[Pair, tuple[Place, Place]]]

PASSING = -1
"""The number of an instance that only what waits already can join, and that need not wait itself."""


class ChoiceJoin(Interpreter):
    """What waits on the left and on the right, and a buffer for instants that are not complete."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Join)
        self.join = operator.pattern
        self.buffer = OrderBuffer(by_arrival=self.join.policy.by_arrival)
        self.consumes = CONSUMED.get(self.join.policy.choice, ())
        self.dominance = None if operator.retention is Retention.EVERYTHING else Dominance(self.join, operator)
        self.sides = sides_of(self.join)
        self.keys = None if self.sides is None else [key_maker(side) for side in self.sides]
        self.pair_key = key_maker((*self.join.policy.per, *(one for one, _ in self.join.equal)))
        self.where = None if self.join.where is None else closure(self.join.where)
        self.own = [own_relation(self.join, side) for side in (0, 1)]
        indexes = (self.sides is not None) + (self.dominance is not None)
        self.ranked = None
        if self.dominance is not None:
            self.ranked = [RankedStore(indexes, successive=operator.successive), RankedStore(indexes)]
        preference = None if self.ranked else preference_of(operator)
        self.preferred = None if preference is None else [PreferredStore(preference, side) for side in (0, 1)]
        per = self.join.policy.per
        self.rivals = [key_maker([one for one in per if side_of(one, self.join) == side]) for side in (0, 1)]
        self.stores: Sequence[Store] = self.ranked or self.preferred or [Store(indexes), Store(indexes)]
        self.searches = operator.retention is Retention.QUEUE and all(
            side_of(one, self.join) == 1 for one in self.join.policy.per
        )
        # The keys under which an instance was taken, where it may be taken again under others.
        self.taken: dict[Place, set[Hashable]] = {}

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        for side, some in enumerate(news):
            self.buffer.add(some, side)
        self.settle(inputs)
        found = []
        for end, instant in self.buffer.release(self.complete(turn)):
            found += self._instant(end, instant, turn)
            self._drop_final(instant)
            # Where arrivals are told apart, others of this time may follow.
            self._forget(end if self.join.policy.by_arrival else end + 1, 0, turn)
        # What waits for its instant may still find partners that lie before what was given meanwhile.
        self.place = self.buffer.place(self.place)
        self._forget(self.frontier, self.place, turn)
        if self.operator.has_points:
            self.hold_place(chain(*self.stores))
        return found

    def entries(self) -> int:
        return sum(len(store) for store in self.stores)

    def buffered(self) -> int:
        return len(self.buffer)

    def left_ends(self) -> Iterable[int]:
        return [instance.end for instance in self.stores[0]]

    def held(self, below: Sequence[int], *, buffered: bool = True) -> int:
        return self.buffer.first(min(below)) if buffered else min(below)

    def wake(self) -> int:
        waiting = min(store.next_time() for store in self.stores)
        due = FOREVER if self.dominance is None else self.dominance.next_time()
        return min(self.buffer.first(waiting), due)

    def state(self) -> object:
        waiting = [
            [(instance, tuple(self.taken.get((side, number), ()))) for number, instance in store.numbered()]
            for side, store in enumerate(self.stores)
        ]
        return [self.buffer.held(), waiting]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        held, waiting = state
        for side, instance in held:
            self.buffer.add([instance], side)
        for side, some in enumerate(waiting):
            for instance, keys in some:
                number = self._wait(side, instance, turn)
                if number is not None and keys:
                    self.taken[side, number] = set(keys)
        self._rank(self.frontier, turn)

    def _instant(self, end: int, instant: list[Numbered], turn: Turn) -> list[Instance]:
        new: tuple[list[Numbered], list[Numbered]] = ([], [])
        before = [store.next for store in self.stores]
        for side, instance in instant:
            number = self._wait(side, instance, turn)
            if number is not None:
                new[side].append((number, instance))
        pairs = self._pairs(new, turn) if self.preferred is None else self._preferred(new, before, turn)
        if not pairs:
            return []
        chosen = [pair for pair, _ in pairs]
        if len(chosen) > 1:
            chosen = choose(self.join.policy, chosen, turn.tables)
        if self.consumes:
            self._consume(chosen, {id(pair): places for pair, places in pairs})
        certain, where = self.certain_at(end), self.where
        hulls = [pair.hull.certain_at(not_before(pair.hull.known, certain)) for pair in chosen]
        return [hull for hull in hulls if where is None or where(scope_of(hull, turn.tables)) is True]

    def _drop_final(self, instant: list[Numbered]) -> None:
        """Drop what has just arrived and nothing to come can join."""
        for side in self.operator.final:
            arrived = {id(instance) for one, instance in instant if one == side}
            for number, instance in self.stores[side].numbered() if arrived else ():
                if id(instance) in arrived:
                    self.stores[side].remove(number)

    def _wait(self, side: int, instance: Instance, turn: Turn) -> int | None:
        """Let an instance wait; None if it can be in no pair."""
        keys, own = self._keys(side, instance, turn), self.own[side]
        if None in keys or (own and not stands(own, Scope({f"${side}": instance}))):
            return None
        limit = deadline(self.operator.reach[side, 1 - side], instance)
        if limit[0] < instance.end:
            return PASSING
        number = self.stores[side].add(instance, limit, keys)
        if self.dominance is not None:
            self.dominance.note(side, keys[-1], number, instance)
        return number

    def _keys(self, side: int, instance: Instance, turn: Turn) -> list[Hashable]:
        keys: list[Hashable] = []
        if self.preferred is not None:
            return [self._common(side, instance, turn), self.rivals[side](scope_of(instance, turn.tables))]
        if self.keys is not None:
            keys.append(self.keys[side](scope_of(instance, turn.tables)))
        if self.dominance is not None:
            keys.append(self.dominance.key(side, instance, turn))
        return keys

    def _common(self, side: int, instance: Instance, turn: Turn) -> Hashable:
        """Return what an instance has in common with all its partners."""
        return () if self.keys is None else self.keys[side](scope_of(instance, turn.tables))

    def _preferred(self, new: tuple[list[Numbered], list[Numbered]], before: list[int], turn: Turn) -> Candidates:
        """Return the candidates that decide: pairs of what is new, and for each the best that waited before it."""
        pairs: Candidates = []
        for left in new[0]:
            for right in new[1]:
                pair = self._pair(left[1], right[1], turn)
                pairs += [] if pair is None else [(pair, ((0, left[0]), (1, right[0])))]
        for side, some in enumerate(new):
            for one in some:
                pairs += self._with_best(side, one, before[1 - side], len(new[0]) + len(new[1]), turn)
        return pairs

    def _with_best(self, side: int, new: Numbered, before: int, together: int, turn: Turn) -> Candidates:
        """Return the pairs of an instance with those among whom it makes its choice, and who waited before it."""
        assert self.preferred is not None
        (number, instance), store = new, self.preferred[1 - side]
        found: dict[int, Pair] = {}

        def fits(other: int) -> bool:
            if other >= before:
                return False
            partner = store.of(other)
            pair = self._pair(*((instance, partner) if side == 0 else (partner, instance)), turn)
            if pair is not None:
                found[other] = pair
            return pair is not None

        span, common = (instance.start, instance.end), self._common(side, instance, turn)
        chosen = [other for some in store.rankings.candidates(common, span, together, fits) for other in some]
        if side == 0:
            return [(found[other], ((0, number), (1, other))) for other in chosen]
        return [(found[other], ((0, other), (1, number))) for other in chosen]

    def _pairs(self, new: tuple[list[Numbered], list[Numbered]], turn: Turn) -> Candidates:
        fresh = {number for number, _ in new[0] if number != PASSING}
        meetings = [(left, right) for left in new[0] for right in self._opposite(1, left[1], turn)]
        pairs = []
        for right in new[1]:
            if self.searches:
                pairs += self._best(right, turn)
            else:
                meetings += [(left, right) for left in self._opposite(0, right[1], turn) if left[0] not in fresh]
        for left, right in meetings:
            pair = self._pair(left[1], right[1], turn)
            places = ((0, left[0]), (1, right[0]))
            if pair is not None and not any(pair.key in self.taken.get(places[side], ()) for side in self.consumes):
                pairs.append((pair, places))
        return pairs

    def _best(self, right: Numbered, turn: Turn) -> Candidates:
        """Return the pair of an instance with the best of all before it that wait, if there is one.

        What is preferred fits into a window wherever others do, so if the best before it does not, none does.
        """
        assert self.ranked is not None
        key = () if self.keys is None else self.keys[1](scope_of(right[1], turn.tables))
        ladder = self.ranked[0].ladders.get(key)
        for rung in () if ladder is None else ladder.best_until(right[1].start):
            pair = self._pair(rung.instance, right[1], turn)
            if pair is not None:
                return [(pair, ((0, rung.number), (1, right[0])))]
            if rung.instance.end < right[1].start:
                break
        return []

    def _opposite(self, side: int, instance: Instance, turn: Turn) -> list[Numbered]:
        if self.keys is None:
            return self.stores[side].numbered()
        return self.stores[side].under(0, self.keys[1 - side](scope_of(instance, turn.tables)))

    def _pair(self, left: Instance, right: Instance, turn: Turn) -> Pair | None:
        """Return the two as a candidate, None if they are none."""
        scope = Scope(
            {**left.parts, **right.parts, "$0": left, "$1": right}, {**left.variables, **right.variables}, turn.tables
        )
        join = self.join
        if not (stands(join.relation, scope) and agree(join.equal, scope) and holds(join.candidate, scope)):
            return None
        key = self.pair_key(scope)
        return None if key is None else pair_of(left, right, key)

    def _consume(self, chosen: list[Pair], places: dict[int, tuple[Place, Place]]) -> None:
        for pair in chosen:
            for side in self.consumes:
                place = places[id(pair)][side]
                if place[1] == PASSING:
                    continue
                if not is_taken_once(self.join, side):
                    self.taken.setdefault(place, set()).add(pair.key)
                elif place[1] in self.stores[side]:
                    self.stores[side].remove(place[1])

    def _forget(self, frontier: int, place: int, turn: Turn) -> None:
        for store in self.stores:
            if len(store):
                store.expire(frontier, place)
        self._rank(frontier, turn)
        if self.taken:
            self.taken = {key: used for key, used in self.taken.items() if key[1] in self.stores[key[0]]}

    def _rank(self, frontier: int, turn: Turn) -> None:
        if self.dominance is not None and self.ranked is not None:
            self.dominance.prune(self.ranked, frontier, turn)


def sides_of(join: Join) -> tuple[list[Expr], list[Expr]] | None:
    """Return each side's share of the equalities, None if there are none or they cannot be told apart."""
    pairs = [pair if side_of(pair[0], join) == 0 else pair[::-1] for pair in join.equal]
    if not pairs or any((side_of(one, join), side_of(other, join)) != (0, 1) for one, other in pairs):
        return None
    return [one for one, _ in pairs], [other for _, other in pairs]


def own_relation(join: Join, side: int) -> Relation:
    """Return the part of a join's relation that speaks of one side alone."""
    return tuple(one for one in join.relation if {one.later.part, one.earlier.part} == {f"${side}"})
