"""Rules that ask which alternative there was, in kernels: a name is bound where the part of that name is."""

import pytest

from cepheid.engine import tiers_of
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.testing import Case, DefinitionRunner
from cepheid.testing.cases import random_cuts, seeded
from tests.engine_runner import plan_for
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements

ALTERNATIVES = {
    "after the fact": "(a: A or b: B) then c: C within 4 where bound(a) or c.value > 1",
    "of candidates": "(a: A or b: B) then c: C within 4 if not bound(b) or b.value < c.value choose next",
    "of runs": "((repeat g: 1..2 of a: A gap 0 <= start($next) - end($previous) <= 3 with count = count of items) "
    "or b: B) then c: C within 5 where not bound(g) or g.count > 1",
    "of three": "join [(a: A or b: B), c: C, d: A] within 5 where bound(b) or c.value == 2",
    "of what is absent": "c: C unless (a: A or b: B) relation 0 <= start($pattern) - end($absent) <= 3 where bound(a)",
}


@pytest.mark.parametrize("text", ALTERNATIVES.values(), ids=ALTERNATIVES)
def test_a_name_is_bound_where_its_part_is(text: str) -> None:
    program, found = read_program(f"rule match: {text} emits Match"), 0
    with plain_kernels():
        for seed in range(6):
            draw = seeded(seed)
            trace = tuple(
                Event(draw.pick("ABC"), time, time, time, {"value": draw.integer(1, 3)}) for time in range(14)
            )
            assert all(tier.shape is not None for tier in tiers_of(plan_for(program, intervals=False)))
            assert disagreements(Case(program, trace, trace, 0, random_cuts(draw, len(trace)))) == []
            found += len(DefinitionRunner().run(program, trace).matches)
    assert found > 5
