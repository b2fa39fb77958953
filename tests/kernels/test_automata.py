"""Chains in kernels: greedy runs with variables, alternatives, loops and what they avoid."""

from collections.abc import Iterator

import pytest

from cepheid.analysis import plan_of
from cepheid.engine import tiers_of
from cepheid.engine.kernels.automata.automaton_log import AutomatonLog
from cepheid.engine.kernels.automata.automaton_stage import AutomatonStage
from cepheid.engine.kernels.columns.batches import batch_of_events
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.engine.kernels.tables.chain_matches import ChainMatches
from cepheid.events import Event, Value, point
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds, waiting
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements
from tests.kernels_runner import KernelsRunner

SEEDS, TOGETHER = 240, 40
KEYS: tuple[Value, ...] = (1, 2, "x", None, 1.5, (1, None), True)
VALUES: tuple[Value, ...] = (1, 2, 3, 2.5, None, "text", 2**60)
FORMS = (
    {"one": "two", "two": ""},
    {"one": "two", "two": "three", "three": ""},
    {"one": "two or three", "two": "", "three": ""},
    {"one": "two or three", "two": "three", "three": ""},
    {"one": "two or three", "two": "two or three", "three": ""},
    {"one": "two", "two": "one or three", "three": ""},
    {"one": ""},
)
ASKED = (
    "key == @k",
    "is_null(@k) or key == @k",
    "key != @k",
    "not is_null(@v)",
    "value > @v",
    "value != @v",
    "@v == value",
    "@n < 3",
    "value + @n <= 4",
    "key == @k and value >= @v",
    "value * 2 > @v",
    "value > 1 or @n > 1",
)
LETS = ("k = {0}.key", "v = {0}.value", "n = @n + 1", "v = @v + {0}.value", "k = @v", "n = {0}.value, v = @n * 2")


def random_chain(draw: Draw) -> Case:
    """Return a rule with a chain, alone or as a part, over events with keys and values of all kinds."""
    form = draw.pick(FORMS)
    names = dict.fromkeys(form, "e") if draw.chance(20) else {name: f"the_{name}" for name in form}
    steps = " ".join(_step(draw, step, names[step], follow) for step, follow in form.items())
    clauses = (
        draw.pick(("", "let n = 0", "let n = 0, v = 2")),
        draw.pick(
            ("", "within 4 us", "within 8 us", "within 5 records", "window 1 <= end($last) - start($first) <= 9")
        ),
        draw.pick(("", "", "merged", "merged observing (n)", "merged observing (k, v)")),
    )
    chain = f"chain from one {' '.join(clauses)} {{ {steps} }}"
    first = names["one"]
    pattern = draw.pick(
        (
            chain,
            chain,
            f"({chain}) where @n > 1 or {first}.value > 1",
            f"({chain}) then z: D on @k == z.key within 5 us choose recent",
            f"({chain}) unless x: D relation 0 <= start($absent) - end({first}) <= 3",
            f"({chain}) or z: D",
            f"({chain}) relation 1 <= position(end($pattern)) - position(start({first})) <= 4",
            f"({chain}) then z: D within 4 records",
            f"distinct by (@k) ({chain})",
        )
    )
    per = "per key" if draw.chance(25) else ""
    program = read_program(f"rule match {per}: {pattern} emits Match(k = @k, v = @v, n = @n, first = {first}.value)")
    trace = _trace(draw, longest=draw.pick((0, 0, 3)), plain=draw.chance(50))
    disorder = draw.integer(1, 4) if draw.chance(30) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    return Case(program, tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _step(draw: Draw, step: str, name: str, follow: str) -> str:
    asked = f"[{draw.pick(ASKED)}]" if draw.chance(20 if step == "one" else 70) else ""
    lets = f"let {draw.pick(LETS).format(name)}" if draw.chance(70) else ""
    avoid = f"avoid x: {draw.pick('ABD')}{draw.pick(('', '[key == @k]', '[value > 1]'))}" if draw.chance(30) else ""
    kinds = draw.pick(("A", "B", "C", "{A, B}"))
    return f"step {step}: {name}: {kinds}{asked} {lets} {avoid if follow else ''} {f'then {follow}' if follow else ''}"


def _trace(draw: Draw, longest: int, plain: bool) -> list[Event]:
    time, found = 0, []
    for number in range(draw.integer(10, 22)):
        time += draw.integer(0, 2)
        fields = {"key": draw.pick(KEYS[: 2 if plain else None]), "value": draw.pick(VALUES[: 3 if plain else None])}
        found.append(Event(draw.pick("AABBCD"), time - draw.integer(0, longest), time, number, fields))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_chain(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_chains(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled > 0.7 * TOGETHER
    assert found > TOGETHER / 5, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 40, 8))
def test_random_chains_in_machine_code(seed: int) -> None:
    assert disagreements(random_chain(seeded(seed))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(SEEDS, SEEDS + 2 * TOGETHER, TOGETHER))
def test_when_a_match_is_certain(first: int) -> None:
    check_certainty(cases(first))


def test_no_more_runs_wait_than_are_certified() -> None:
    seeds = range(SEEDS, SEEDS + 3 * TOGETHER)
    assert check_bounds(random_chain(seeded(seed)) for seed in seeds) > TOGETHER, "too few have a bound"


def a_run(text: str) -> KernelRun:
    plan = plan_of(read_program(text))
    assert [tier.reason for tier in tiers_of(plan)] == [""]
    run = KernelRun(plan, disorder=0, identified=True, evidence=True, state=None)
    assert isinstance(run.staged[0].stage, AutomatonStage)
    return run


def told(run: KernelRun, events: list[Event]) -> list[tuple[object, ...]]:
    found = [*run.push(batch_of_events(events, run.words)), *run.close()]
    chains = [some for some in found if isinstance(some, ChainMatches)]
    return [match.evidence for some in chains for match in some.matches(evidence=True)]


SPAWNING = """
rule shell: chain from main within 10 s merged observing (root) {
    step main: spawn: spawn[exe == "mail"] let root = spawn.pid, current = spawn.pid then drop or more
    step more: spawn: spawn[parent == @current] let current = spawn.pid then drop or more
    step drop: spawn: spawn[parent == @current and exe == "shell"]
} emits Shell(root = @root, child = spawn.pid)
"""


def test_a_chain_that_hands_its_key_on_looks_at_the_runs_of_that_key_alone() -> None:
    spawns = [(1, 0, "mail"), (2, 1, "word"), (3, 9, "shell"), (4, 2, "cmd"), (5, 4, "shell"), (6, 2, "shell")]
    events = [
        point("spawn", number, number, {"pid": pid, "parent": parent, "exe": exe})
        for number, (pid, parent, exe) in enumerate(spawns)
    ]
    run = a_run(SPAWNING)
    assert told(run, events) == [(0, 1, 3, 4), (0, 1, 5)], "both alternatives wait, each for its first record"
    stage = run.staged[0].stage
    assert isinstance(stage, AutomatonStage)
    assert (stage.automaton.state[2, 1:] >= 0).all(), "every state but the first is listed by a variable"


def test_runs_that_are_over_are_forgotten_and_so_are_their_keys() -> None:
    chain = "chain from one within 5 us { step one: a: A let k = a.key then two step two: b: B[key == @k] }"
    run = a_run(f"rule match: {chain} emits Match")
    events = [point("A", time, time, {"key": f"key {time}"}) for time in range(300)]
    assert max(waiting(run, events)) == 5
    stage = run.staged[0].stage
    assert isinstance(stage, AutomatonStage)
    with plain_kernels():
        run.snapshot()
    assert len(stage.values) < 20
    assert stage.log.nodes.top < 20


def test_of_runs_that_are_alike_one_waits() -> None:
    chain = "chain from one merged { step one: a: A let k = a.key then two step two: b: B[key == @k] }"
    run = a_run(f"rule match: {chain} emits Match(k = @k)")
    events = [point("A", time, time, {"key": time % 3}) for time in range(100)]
    assert max(waiting(run, events)) == 3
    assert told(run, [point("B", 100, 100, {"key": 0})]) == [(99, 100)]


def test_leads_that_are_taken_in_several_orders_are_left_to_the_interpreter() -> None:
    steps = "step one: a: A then two or three step two: b: B then three step three: c: C then two"
    (tier,) = tiers_of(plan_of(read_program(f"rule match: chain from one {{ {steps} }} emits Match")))
    assert tier.reason == "runs of a chain take its leads in several orders"


def test_runs_over_the_same_records_are_in_order_by_their_variables() -> None:
    steps = "step one: e: C then two or three step two: e: B let n = 1 step three: e: B let n = 0"
    chain = f"chain from one {{ {steps} }}"
    trace = (point("C", 1, 1, {}), point("B", 2, 2, {}))
    for pattern, count in ((chain, 2), (f"distinct ({chain})", 1), (f"({chain}) or z: D", 2)):
        program = read_program(f"rule match: {pattern} emits Match(n = @n)")
        assert disagreements(Case(program, trace, trace, 0, ())) == []
        assert len(KernelsRunner().run(program, trace).matches) == count


def test_room_is_made_once_for_many_records(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[int]()
    make_room = AutomatonLog.make_room

    def noted(log: AutomatonLog, coming: int) -> None:
        made.append(coming)
        make_room(log, coming)

    monkeypatch.setattr(AutomatonLog, "make_room", noted)
    chain = "chain from one within 1000 records { step one: a: A let k = a.key then two step two: b: B[key == @k] }"
    run = a_run(f"rule match: {chain} emits Match")
    with plain_kernels():
        told(run, [point("A", time, time, {"key": time}) for time in range(20_000)])
    assert 1 <= len(made) <= 5
