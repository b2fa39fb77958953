"""Rules that differ in data alone run in one kernel, and find what each finds alone."""

import pytest

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Moment
from cepheid.algebra.keyed import keyed
from cepheid.algebra.patterns import Atom, Join, Pattern, Restrict
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import HULL, Program, Rule
from cepheid.algebra.relations import after, end, length, start
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine.kernels.doors.event_door import CompiledDetector
from cepheid.engine.kernels.rules.kernel_run import families_of
from cepheid.testing.cases import Draw, random_disordered, seeded
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.random_rules import TYPES, RandomRule, random_trace
from tests.kernels.test_agreement import disagreements


def random_family(draw: Draw) -> RandomRule:
    """Return a program of rules of one shape."""
    choice, count = draw.pick([Choice.RECENT, Choice.LATEST_START]), draw.integer(2, 3)
    by_key, filtered = draw.chance(50), draw.chance(70)
    rules = []
    for number in range(draw.integer(2, 4)):
        names = [f"e{number}_{place}" for place in range(count)]
        pattern = _pattern(draw, names, choice)
        pattern = keyed(pattern, ["key"]) if by_key else pattern
        if filtered:
            shifted = Call("+", (Field(names[0], "value"), Literal(draw.pick([0, 1, 0.5]))))
            pattern = Restrict(pattern, where=Call("<=", (shifted, Field(names[-1], "value"))))
        fields: dict[str, Expr] = {"value": Field(names[0], "value"), "rule": Literal(number)}
        name = f"rule{number}"
        rules.append(Rule(name, pattern, name, Moment(start(HULL)), Moment(end(HULL)), fields))
    trace = random_trace(draw)
    disorder = draw.integer(0, 3)
    arrivals = random_disordered(draw, trace, disorder)
    return RandomRule(Program(tuple(rules)), tuple(trace), tuple(arrivals), disorder, (len(arrivals) // 2,))


def _pattern(draw: Draw, names: list[str], choice: Choice) -> Pattern:
    conditions = [_condition(draw, name) if draw.chance(40) else None for name in names]
    atoms = [Atom(name, frozenset({draw.pick(TYPES)}), where) for name, where in zip(names, conditions, strict=True)]
    found: Pattern = atoms[0]
    for atom in atoms[1:]:
        relation = (after("$1", "$0"), length("$0", "$1", draw.integer(2, 9)))
        found = Join((found, atom), relation, policy=Policy(choice))
    return found


def _condition(draw: Draw, name: str) -> Expr:
    return Call(draw.pick([">", "<="]), (Field(name, "value"), Literal(draw.integer(0, 3))))


@pytest.mark.parametrize("first", range(0, 60, 30))
def test_families_find_what_the_definition_finds(first: int) -> None:
    with plain_kernels():
        cases = {seed: random_family(seeded(seed)) for seed in range(first, first + 30)}
        assert {seed: wrong for seed, case in cases.items() if (wrong := disagreements(case))} == {}


@pytest.mark.parametrize("seed", [0, 3])
def test_families_find_it_in_machine_code_too(seed: int) -> None:
    assert disagreements(random_family(seeded(seed))) == []


@pytest.mark.parametrize("seed", range(20))
def test_all_rules_of_a_shape_are_one_family(seed: int) -> None:
    plan = plan_of(random_family(seeded(seed)).program)
    assert [len(family.members) for family in families_of(plan)] == [len(plan.rules)]


def test_a_hundred_rules_are_compiled_once() -> None:
    draw = seeded(1)
    patterns = [_pattern(draw, [f"a{number}", f"b{number}"], Choice.RECENT) for number in range(100)]
    rules = [
        Rule(f"rule{number}", pattern, f"rule{number}", Moment(start(HULL)), Moment(end(HULL)))
        for number, pattern in enumerate(patterns)
    ]
    with plain_kernels():
        (kernel,) = CompiledDetector(plan_of(Program(tuple(rules)))).run.kernels
        assert kernel.lanes == 100
