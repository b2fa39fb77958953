"""From the plan of a rule to its stages, or to the reason why the interpreter runs it.

Here parts may last, be chosen themselves, and be what other rules emit; a join is of two.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from cepheid.algebra.expressions import NULL, Call, Expr, Field, Moment, conjunction, conjuncts
from cepheid.algebra.patterns import (
    Chain,
    Collect,
    Distinct,
    Either,
    Equalities,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Skip,
    Suppress,
    Unless,
)
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import HULL, Rule
from cepheid.algebra.relations import MEASURED, Axis, Difference, Endpoint, end, start
from cepheid.algebra.traversal import event_types, reads_any_type, rename, walk
from cepheid.analysis.closures.tree import has_position
from cepheid.analysis.plans.plan import Operator, Retention, RulePlan
from cepheid.engine.kernels.automata.automaton_recognition import automaton_shape
from cepheid.engine.kernels.facts.absences import rule_keys
from cepheid.engine.kernels.facts.arrival_order import asks_for_arrivals, check_arrivals
from cepheid.engine.kernels.facts.declining import Declined, Never, readable
from cepheid.engine.kernels.facts.suppressed import key_of
from cepheid.engine.kernels.facts.time_bounds import AT_ONCE, UNLIMITED
from cepheid.engine.kernels.facts.wrappers import plain_atom
from cepheid.engine.kernels.plans.group_folds import readable_folds
from cepheid.engine.kernels.plans.part_bounds import (
    ABSENT,
    UNCOUNTED,
    bounds_of,
    check_endpoints,
    combined_bounds,
    expiry_of,
    named_distances,
    own_end,
    span_of,
)
from cepheid.engine.kernels.plans.pattern_stages import (
    AbsenceStageShape,
    AutomatonShape,
    CollectStageShape,
    CombinationShape,
    Distances,
    DistinctShape,
    FilterShape,
    LatestShape,
    NeverShape,
    PairShape,
    PointShape,
    RepeatShape,
    ScanShape,
    SieveShape,
    SkipShape,
    StagedShape,
    StageShape,
    SuppressShape,
    UnionShape,
    every,
    key_field,
    names_of,
)
from cepheid.engine.kernels.plans.run_bounds import (
    LONG_AGO,
    NEXT,
    PREVIOUS,
    apart,
    between,
    ends_after,
    growth,
    is_single,
    of_axis,
    places_after,
    places_of_runs,
)
from cepheid.engine.kernels.plans.stage_equalities import Keys, equal_classes, equal_sides, own_sides
from cepheid.engine.kernels.plans.stage_names import check_names, optional_names

CANDIDATE, ANCHOR, ITEM = "$candidate", "$anchor", "$item"
SHORTER = Call("-", (Moment(start(CANDIDATE)), Moment(end(CANDIDATE))))
LONGER = Call("-", (Moment(end(CANDIDATE)), Moment(start(CANDIDATE))))


def stages_of(plan: RulePlan, *, points: bool) -> StagedShape | str:
    """Return the stages of a rule, or why it has none; `points`: no event that is given lasts."""
    try:
        return _Reader(plan, points=points).whole()
    except Declined as reason:
        return str(reason)


class _Reader:
    """The operators of one rule, read from the outermost node inwards."""

    def __init__(self, plan: RulePlan, *, points: bool) -> None:
        self.plan, self.points = plan, points
        self.by_arrival = asks_for_arrivals(plan.rule)
        self.operators = {id(operator.pattern): operator for operator in plan.operators}

    def whole(self) -> StagedShape:
        rule = self.plan.rule
        check_arrivals(self.plan, points=self.points)
        if self.plan.counts_records and self.by_arrival and self.plan.reads_derived:
            raise Declined("events of one time follow each other, and positions are not only those of given ones")
        for expression in (rule.start, rule.end, *rule.fields.values()):
            readable(expression, hull=True, variables=True)
        root = self._stage(rule.pattern)
        check_names(root)
        alternatives = [node for node in walk(rule.pattern) if isinstance(node, Either)]
        may_be_level = any(isinstance(one, AutomatonShape) and one.may_be_level for one in every(root))
        nested = any(_is_nested_run(node) for node in walk(rule.pattern))
        repeats = may_be_level or nested or any(_overlap(node) for node in alternatives)
        return StagedShape(self.plan, root, repeats, self.by_arrival)

    def _stage(self, pattern: Pattern) -> StageShape:
        match pattern:
            case Join(parts):
                try:
                    return self._pair(pattern) if len(parts) == 2 else self._combination(pattern)
                except Never:
                    return NeverShape(tuple(name for part in parts for name in names_of(self._stage(part))))
            case Either(branches):
                return UnionShape(tuple(self._stage(branch) for branch in branches))
            case Restrict(inner, relation, where):
                readable(where, hull=True, variables=True)
                shape = self._stage(inner)
                check_endpoints(relation, {HULL, *names_of(shape)}, MEASURED)
                return FilterShape(shape, relation, tuple(conjuncts(where)))
            case Instant(name, schedule):
                if self.plan.rule.per:
                    raise Declined("points of time are those of a key")
                operator = self._operator(pattern)
                # Derived events may come after points that are near them.
                return PointShape(name, schedule, operator.lag, None if self.plan.reads_derived else operator.near)
            case Unless():
                return self._absence(pattern)
            case Select():
                return self._latest(pattern)
            case Distinct():
                return self._distinct(pattern)
            case Suppress():
                return self._suppress(pattern)
            case Repeat():
                return self._repeat(pattern)
            case Collect():
                return self._collect(pattern)
            case Chain():
                return automaton_shape(pattern, self._operator(pattern), self.plan)
            case Skip():
                return self._skip(pattern)
            case _:
                atom = plain_atom(pattern, typed=False)
                has_key = (Call("not", (Call("is_null", (one,)),)) for one in rule_keys(self.plan, atom.name))
                return ScanShape(atom.name, atom.types, conjunction((*conjuncts(atom.where), *has_key)))

    def _operator(self, pattern: Pattern) -> Operator:
        found = self.operators.get(id(pattern))
        assert found is not None, "every pattern has an operator"
        return found

    def _pair(self, join: Join) -> PairShape:
        left, right = map(self._stage, join.parts)
        operator, (candidate, where, per) = self._operator(join), self._conditions(join, (left, right))
        own = own_sides(per, names_of(left), names_of(right))
        if all(own) and join.policy.choice is Choice.LATEST_START:
            raise Declined("it chooses by a key of both of its parts")
        keys = self._keys(join.equal, left, right)
        most, places = bounds_of(join, left, right, operator)
        tie, settles = _tie(join.policy), _settles(operator)
        by_arrival = self.by_arrival and (places is not None or join.policy.choice is not Choice.ALL)
        if by_arrival:
            places = _one_arrival(UNCOUNTED if places is None else places, operator)
            if settles not in (None, AT_ONCE, 0):
                raise Declined("events of one time follow each other, and some last or are emitted by rules")
        chosen, lag = (candidate, where), operator.lag
        shape = PairShape(
            left, right, join.policy.choice, *tie, most, places, keys, len(self.plan.rule.per), *chosen, lag, settles
        )
        prompt = by_arrival and operator.prompt
        return replace(shape, by_arrival=by_arrival, prompt=prompt, own=own, follows=operator.successive)

    def _conditions(
        self, join: Join, parts: Sequence[StageShape]
    ) -> tuple[tuple[Expr, ...], tuple[Expr, ...], tuple[Expr, ...]]:
        """Return the conditions on candidates, those on what is chosen, and by what else than its key that is done.

        Where nothing is outdone, all are conditions on what is chosen.
        """
        said_equal = {one for pair in join.equal for one in pair}
        own = tuple(one for one in join.policy.per if one not in said_equal)
        for condition in (join.candidate, join.where, *own):
            readable(condition, hull=False, variables=True)
        candidate = (*named_distances(join.relation, parts), *conjuncts(join.candidate))
        where = conjuncts(join.where)
        if join.policy.choice in (Choice.ALL, Choice.STRICT):
            has_key = (Call("not", (Call("is_null", (one,)),)) for one in own)
            return (), (*candidate, *has_key, *where), ()
        return candidate, where, own

    def _combination(self, join: Join) -> CombinationShape:
        if len(join.parts) < 2:
            raise Declined("it joins a single part")
        parts = [self._stage(part) for part in join.parts]
        _, where, _ = self._conditions(join, parts)
        classes = equal_classes(join.equal, [set(names_of(part)) for part in parts])
        own = [self._key(part) for part in parts]
        common = [each for each in classes if all(each)]
        keys = tuple((*own[number], *(one for each in common for one in each[number])) for number in range(len(parts)))
        bounds, far = combined_bounds(join, parts, self._operator(join))
        apart = tuple(each for each in classes if not all(each))
        return CombinationShape(tuple(parts), bounds, far, keys, len(self.plan.rule.per), apart, where)

    def _absence(self, unless: Unless) -> StageShape:
        readable(unless.where, hull=False, variables=True)
        inner, absent = self._stage(unless.pattern), self._stage(unless.absent)
        operator, other = self._operator(unless), self._operator(unless.absent)
        certain, expiry = operator.reach[0, 1], operator.reach[1, 0]
        if not certain.possible:
            return inner
        if certain.positions or expiry.positions:
            raise Declined("positions matter to what must be absent")
        names = {HULL, *names_of(inner)} - optional_names(inner)
        is_point = isinstance(absent, ScanShape) if self.by_arrival else operator.widths[1] == 0
        if self.by_arrival and not is_point and any(one.later.axis is Axis.TIME for one in unless.relation):
            raise Declined("events of one time follow each other, and several must be absent together")
        relation = rename(unless.relation, {absent.name: ABSENT}) if isinstance(absent, ScanShape) else unless.relation
        span = span_of(relation, names, is_point=is_point, by_arrival=self.by_arrival)
        if not expiry.possible:
            raise Declined("what must be absent can never come")
        times = tuple((own_end(endpoint), offset) for endpoint, offset in certain.times)
        check_endpoints([Difference(endpoint, endpoint) for endpoint, _ in times], names)
        keys = self._keys(unless.equal, inner, absent)
        per, where = len(self.plan.rule.per), conjuncts(unless.where)
        arrives = (self.by_arrival, self.by_arrival and operator.at_once)
        rests = (times, expiry_of(expiry), operator.forbidding, other.lag, *arrives)
        return AbsenceStageShape(inner, absent, span, keys, per, where, *rests)

    def _latest(self, select: Select) -> LatestShape:
        for expression in select.policy.per:
            readable(expression, hull=False, variables=True)
        inner, lag = self._stage(select.pattern), self._operator(select).lag
        return LatestShape(inner, (*self._key(inner), *select.policy.per), lag)

    def _distinct(self, distinct: Distinct) -> DistinctShape:
        for expression in distinct.by or ():
            readable(expression, hull=False, variables=True)
        inner, lag = self._stage(distinct.pattern), self._operator(distinct).lag
        return DistinctShape(inner, self._key(inner), distinct.by, lag)

    def _suppress(self, suppress: Suppress) -> SuppressShape:
        by, inner = key_of(suppress, variables=True), self._stage(suppress.pattern)
        return SuppressShape(inner, (*self._key(inner), *by), suppress.apart, self._operator(suppress).lag)

    def _skip(self, skip: Skip) -> SkipShape:
        for expression in skip.per:
            readable(expression, hull=False, variables=True)
        readable(skip.to, hull=True, variables=True, places=True)
        if not has_position(skip.pattern):
            raise Declined("places of points of time matter, which have none")
        inner, operator = self._stage(skip.pattern), self._operator(skip)
        if any(_names_place(self.plan.rule, one.name) for one in every(inner) if isinstance(one, CollectStageShape)):
            raise Declined("positions of a collection matter")
        reach, below = operator.reach[0, 0], self._operator(skip.pattern)
        limits, keys = ends_after(reach), self._key(inner)
        rests = (limits, reach.records, reach.ends, below.lag)
        return SkipShape(inner, skip.to, (*keys, *skip.per), len(keys), *rests)

    def _repeat(self, repeat: Repeat) -> RepeatShape:
        readable(repeat.link, hull=False, also=(PREVIOUS, NEXT))
        readable_folds(repeat.folds)
        inner = self._stage(repeat.item)
        operator, lag = self._operator(repeat), self._operator(repeat.item).lag
        for expression in repeat.per:
            readable(expression, hull=False)
        greedy, keys, reaches = repeat.choice is not Choice.ALL, self._key(inner), list(operator.reach.values())
        gap, grow = places_of_runs(repeat)
        return RepeatShape(
            repeat.name,
            inner,
            greedy,
            repeat.least,
            repeat.most,
            between(of_axis(repeat.gap, Axis.TIME), (PREVIOUS, NEXT)),
            gap,
            conjuncts(repeat.link),
            repeat.window,
            growth(of_axis(repeat.window, Axis.TIME), Axis.TIME),
            grow,
            (*ends_after(reaches[0]), *ends_after(reaches[1])),
            places_after(reaches),
            (*keys, *repeat.per),
            len(keys),
            repeat.folds,
            is_single(inner),
            lag,
        )

    def _collect(self, collect: Collect) -> CollectStageShape:
        if _names_place(self.plan.rule, collect.name):
            raise Declined("positions of a collection matter")
        readable(collect.where, hull=False)
        readable_folds(collect.folds)
        anchor, item = self._stage(collect.anchor), self._stage(collect.item)
        operator, lag = self._operator(collect), self._operator(collect.item).lag
        certain, names = operator.reach[0, 1], {HULL, *names_of(anchor)} - optional_names(anchor)
        times = tuple((own_end(endpoint), offset) for endpoint, offset in certain.times)
        if not certain.possible:
            times = ((end(HULL), LONG_AGO),)
        check_endpoints([Difference(endpoint, endpoint) for endpoint, _ in times], names)
        keys, expiry = self._keys(collect.equal, anchor, item), expiry_of(operator.reach[1, 0])
        bounds = (apart if certain.possible else between)(collect.relation, (ANCHOR, ITEM))
        rests = (conjuncts(collect.where), collect.folds, times, expiry, lag)
        return CollectStageShape(collect.name, anchor, item, bounds, keys, len(self.plan.rule.per), *rests)

    def _keys(self, equal: Equalities, left: StageShape, right: StageShape) -> Keys:
        """Return what two sides must have in common: what the rule is detected by, and what is said to be equal."""
        found = equal_sides(equal, names_of(left), names_of(right))
        return (*self._key(left), *found[0]), (*self._key(right), *found[1])

    def _key(self, shape: StageShape) -> tuple[Expr, ...]:
        """Return what the rule is detected by, read from an occurrence, all of whose events have the same."""
        match shape:
            case ScanShape(name):
                return rule_keys(self.plan, name)
            case PointShape() | NeverShape():
                return (NULL,) * len(self.plan.rule.per)
            case RepeatShape() | AutomatonShape():
                name = names_of(shape)[-1]
                return tuple(Field(name, key_field(number)) for number in range(len(self.plan.rule.per)))
            case PairShape(inner) | SieveShape(inner) | CollectStageShape(_, inner):
                return self._key(inner)
            case CombinationShape(parts):
                return self._key(parts[0])
            case UnionShape(branches):
                return tuple(Call("coalesce", some) for some in zip(*map(self._key, branches), strict=True))


def _names_place(rule: Rule, name: str) -> bool:
    """Say whether the place of something of a name matters."""
    ends = (node for node in walk((rule.pattern, rule.start, rule.end, rule.fields)) if isinstance(node, Endpoint))
    return any(end.axis is Axis.POSITION and end.part == name for end in ends)


def _overlap(either: Either) -> bool:
    """Say whether two branches can be the same events, or the same points of time."""
    if reads_any_type(either):
        return True
    types = [event_types(branch) for branch in either.branches]
    return any(one & other or not (one or other) for one, other in combinations(types, 2))


def _tie(policy: Policy) -> tuple[int, tuple[Expr, ...]]:
    """Return which of level candidates is taken: by their lengths, or by what they say."""
    if not policy.tie or policy.choice not in (Choice.RECENT, Choice.CHRONOLOGICAL):
        return 0, ()
    if policy.tie in ((SHORTER,), (LONGER,)):
        return 1 if policy.tie == (SHORTER,) else -1, ()
    for expression in policy.tie:
        readable(expression, hull=False, also=(CANDIDATE,), variables=True)
    return 0, policy.tie


def _one_arrival(places: Distances, operator: Operator) -> Distances:
    """Return distances in arrivals where parts that are one arrival begin where they end."""
    found = [list(row) for row in places]
    for side in operator.singles:
        if operator.widths[side] == 0:
            found[2 * side][2 * side + 1] = 0
    return tuple(map(tuple, found))


def _settles(operator: Operator) -> int | None:
    """Return how long after its end only the best one of a key is kept; in a sequence, until no partner overlaps it."""
    match operator.retention:
        case Retention.QUEUE:
            return UNLIMITED if operator.widths[1] is None else operator.widths[1]
        case Retention.BEST:
            return AT_ONCE
        case _:
            return None


def _is_nested_run(node: object) -> bool:
    """Say whether runs of runs may be of the same events, cut otherwise."""
    return isinstance(node, Repeat) and any(isinstance(inner, Repeat) for inner in walk(node.item))
