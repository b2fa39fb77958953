"""From the plan of a rule to its shape, or to the reason why the interpreter runs it."""

from dataclasses import replace

from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Collect, Join, Select, Suppress
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Edge, Endpoint
from cepheid.algebra.traversal import event_types, walk
from cepheid.analysis.plans.plan import RulePlan
from cepheid.engine.kernels.facts.absences import absences_of, rule_keys
from cepheid.engine.kernels.facts.collections_shape import alike, collect_shape
from cepheid.engine.kernels.facts.common_key import CommonKey, common_key
from cepheid.engine.kernels.facts.declining import Declined, readable
from cepheid.engine.kernels.facts.sequences import Chosen, Joined, all_combinations, choosing_steps, selections
from cepheid.engine.kernels.facts.shapes import AbsenceShape, Core, Gap, Part, Shape, SuppressedShape
from cepheid.engine.kernels.facts.suppressed import key_of
from cepheid.engine.kernels.facts.time_bounds import TimeBounds
from cepheid.engine.kernels.facts.wrappers import Around, named_points, place_of, plain_atom, unwrapped

CORES = {
    Choice.NEXT: Core.RUNS,
    Choice.RECENT: Core.SLOTS,
    Choice.LATEST_START: Core.SLOTS,
    Choice.CHRONOLOGICAL: Core.QUEUE,
}


def shape_of(plan: RulePlan, *, points: bool, derived: frozenset[str]) -> Shape | str:
    """Return the shape of a rule, or why it has none; `derived` are the types that rules emit."""
    try:
        _check_input(plan, points, derived)
        pattern = plan.rule.pattern
        return _suppressed(plan, pattern) if isinstance(pattern, Suppress) else _unsuppressed(plan, unwrapped(pattern))
    except Declined as reason:
        return str(reason)


def _suppressed(plan: RulePlan, suppress: Suppress) -> Shape:
    """Return the shape of a rule that leaves out some of its matches as it finds them."""
    around = unwrapped(suppress.pattern)
    if not plan.root.prompt:
        raise Declined("what passes is certain when an instant is complete")
    if around.absences or isinstance(around.core, Collect):
        raise Declined("what passes may wait for something else")
    shape, by = _unsuppressed(plan, around), key_of(suppress)
    return replace(shape, suppressed=SuppressedShape((*rule_keys(plan, shape.names[0]), *by), suppress.apart))


def _unsuppressed(plan: RulePlan, around: Around) -> Shape:
    core = around.core
    if isinstance(core, Collect):
        return _collecting(plan, around, core)
    chooses = isinstance(core, Join) and core.policy.choice is not Choice.ALL
    return _choosing(plan, around) if chooses else _combining(plan, around)


def _check_input(plan: RulePlan, points: bool, derived: frozenset[str]) -> None:
    if not points:
        raise Declined("events last")
    if plan.counts_records:
        raise Declined("positions matter")
    if event_types(plan.rule.pattern) & derived:
        raise Declined("it reads what rules emit")
    for expression in (plan.rule.start, plan.rule.end, *plan.rule.fields.values()):
        readable(expression, hull=True)


def _combining(plan: RulePlan, around: Around) -> Shape:
    """Return the shape of a rule that takes all combinations."""
    joined = all_combinations(around.core)
    written = tuple(atom.name for atom in joined.atoms)
    joined.bounds()
    order = joined.order()
    if order is None:
        raise Declined("the order of its events in time is not fixed")
    places = named_points(written)
    places |= {("$pattern", Edge.START): order[0], ("$pattern", Edge.END): order[-1]}
    joined.distances += [(*place_of(one, places), one.low, one.high) for one in around.limits]
    bounds = joined.bounds()
    key = common_key(joined.equal, written)
    parts = _parts(plan, joined, key)
    absences = absences_of(plan, around, [parts[i] for i in order], len(key.classes))
    closed = bounds.arranged(order)
    return Shape(
        plan,
        Core.GRAPH,
        Choice.ALL,
        tuple(parts[i] for i in order),
        tuple(order.index(i) for i in range(len(order))),
        tuple(map(tuple, closed.most)),
        (),
        (*joined.filters, *key.conditions, *around.filters),
        (),
        absences,
        _keep(closed, absences),
        eager=all(one.high < 0 for one in absences),
        by_arrival=bool(joined.following),
    )


def _collecting(plan: RulePlan, around: Around, collect: Collect) -> Shape:
    """Return the shape of a rule that tells folds, of one collection or of several over the same items."""
    filters, nested = _nested(around, collect)
    atoms = [plain_atom(nested[0].anchor), plain_atom(nested[0].item)]
    names = (atoms[0].name, atoms[1].name)
    collects = alike(nested, names[1])
    key = common_key(collects[0].equal, names)
    if key.conditions:
        raise Declined("not all of its events agree on the key")
    told = {one.name for one in collects}
    if any(isinstance(node, Endpoint) and node.part in told for node in walk((plan.rule, filters))):
        raise Declined("it asks where the items of a collection lie")
    found = collect_shape(collects, names, filters)
    parts = tuple(_parts(plan, Joined(atoms), key))
    most = ((0, None), (None, 0))
    core, keep = Core.COLLECT, max(found.high, 0) - min(found.low, 0)
    return Shape(plan, core, Choice.ALL, parts, (0,), most, (), filters, (), (), keep, eager=False, collect=found)


def _nested(around: Around, collect: Collect) -> tuple[tuple[Expr, ...], list[Collect]]:
    """Return the conditions on collections that stand in each other, and these from within."""
    filters, nested = [], [collect]
    while True:
        if around.absences or around.limits:
            raise Declined("a collection stands under an absence or a limit")
        filters += around.filters
        around = unwrapped(nested[0].anchor)
        if not isinstance(around.core, Collect):
            return tuple(filters), nested
        nested.insert(0, around.core)


def _choosing(plan: RulePlan, around: Around) -> Shape:
    """Return the shape of a rule that chooses."""
    chosen = choosing_steps(around.core)
    choice, core = chosen.joins[-1].policy.choice, CORES.get(chosen.joins[-1].policy.choice)
    if core is None:
        raise Declined(f"there is no kernel for the choice `{choice.value}`")
    bounds = chosen.bounds()
    gaps = tuple(_gap(chosen, number) for number in range(1, len(chosen.atoms)))
    _check_gaps(core, choice, gaps, 0 if _is_by_arrival(chosen) else 1)
    key = common_key(chosen.equal, tuple(atom.name for atom in chosen.atoms))
    _check_choices(chosen, key, selections(around.core))
    parts = _parts(plan, chosen, key)
    absences = absences_of(plan, around, parts, len(key.classes))
    return Shape(
        plan,
        core,
        choice,
        tuple(parts),
        tuple(range(len(parts))),
        tuple(map(tuple, bounds.most)),
        gaps,
        (*chosen.filters, *around.filters),
        tuple(around.limits),
        absences,
        _keep(bounds, absences),
        eager=_is_by_arrival(chosen),
        by_arrival=_is_by_arrival(chosen),
    )


def _is_by_arrival(chosen: Chosen) -> bool:
    return chosen.joins[-1].policy.by_arrival


def _gap(chosen: Chosen, number: int) -> Gap:
    """Return how far a step may be from the one before it, and from the first."""
    least = 1
    if _is_by_arrival(chosen):
        if (number - 1, number) not in chosen.following or len(chosen.following) != len(chosen.atoms) - 1:
            raise Declined("a step does not simply arrive after the one before it")
        least = 0
    lows = [low for i, j, low, _ in chosen.distances if (i, j) == (number - 1, number) and low is not None]
    highs = [high for i, j, _, high in chosen.distances if (i, j) == (number - 1, number) and high is not None]
    whole = [high for i, j, _, high in chosen.distances if (i, j) == (0, number) and high is not None]
    others = [
        one
        for one in chosen.distances
        if max(one[:2]) == number and (one[:2] not in ((number - 1, number), (0, number)) or one[0] > one[1])
    ]
    early = [one for one in chosen.distances if one[:2] == (0, number) and one[2] is not None and number > 1]
    if others or early or not lows or max(lows) < least:
        raise Declined("a step is not simply after the one before it")
    return Gap(max(lows), min(highs, default=None), min(whole, default=None))


def _check_gaps(core: Core, choice: Choice, gaps: tuple[Gap, ...], least: int) -> None:
    if core is not Core.SLOTS:
        return
    if any(gap.low != least for gap in gaps):
        raise Declined("a step must come some time after the one before it")
    if choice is Choice.LATEST_START and any(gap.high is not None for gap in gaps[1:]):
        raise Declined("a step must come soon after the one before it")


def _check_choices(chosen: Chosen, key: CommonKey, selected: list[Select]) -> None:
    """Every choice must be made under the whole common key, and under nothing else."""
    if key.conditions:
        raise Declined("not all of its events agree on the key")
    for join in chosen.joins:
        under = {one for pair in join.equal for one in pair} | set(join.policy.per)
        _check_under(under, key)
    for select in selected:
        if select.policy.choice is not Choice.LATEST_START or select.policy.tie:
            raise Declined("a choice on single events has a tie of its own")
        _check_under(set(select.policy.per), key)


def _check_under(under: set[Expr], key: CommonKey) -> None:
    touched = [bool(under & set(one)) for one in key.classes]
    if not all(touched) or under - {one for each in key.classes for one in each}:
        raise Declined("it chooses under other keys than its events agree on")


def _parts(plan: RulePlan, joined: Joined, key: CommonKey) -> list[Part]:
    return [
        Part(atom.name, atom.types, atom.where, (*rule_keys(plan, atom.name), *key.of_part(number)))
        for number, atom in enumerate(joined.atoms)
    ]


def _keep(bounds: TimeBounds, absences: tuple[AbsenceShape, ...]) -> int | None:
    """Return how long before the end of a match anything that decides it can lie."""
    longest = bounds.most[0][bounds.count - 1]
    if longest is None:
        return None
    return longest + max([0, *(-one.low for one in absences)])
