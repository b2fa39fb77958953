"""Of events that come one after the other `recent` keeps two: nothing to come can take more than one of these."""

from collections.abc import Iterator

import pytest

from cepheid.analysis import certify, plan_of
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import held, waiting
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements
from tests.properties.measured_state import measured

SEEDS, TOGETHER = 160, 40
AFTER, INSIDE = "start($1) - end($0) >= 1", "start($absent) - end(p) >= 1, start(q) - end($absent) >= 1"
TIES = ("", "tie start($candidate) - end($candidate)", "tie $candidate.value")
FIRST = "rule first: (x: A and y: A relation {after} {on} choose {choice} {where}) emits P({fields})\n"
OTHER = "rule other: (x: B and y: B relation {after} choose recent {where}) emits Q(value = y.value)\n"


def random_rules(draw: Draw) -> Case:
    """Return a rule over matches that come one after the other, perhaps with something absent between them."""
    keyed = draw.chance(25)
    fields = "key = x.key, value = y.value"
    where = draw.pick(("", "where y.value >= x.value", "where y.value != 0"))
    on = "on x.key == y.key" if keyed else ""
    choice = draw.pick(("recent", "latest-start"))
    first = FIRST.format(after=AFTER, on=on, choice=choice, where=where, fields=fields)
    other = OTHER.format(after=AFTER, where=draw.pick(("", "where y.value >= x.value")))
    within = f"within {draw.integer(3, 12)}" if draw.chance(20) else ""
    equal = "on p.key == q.key" if keyed or draw.chance(15) else ""
    chosen = f"choose recent {draw.pick(TIES)} {'where q.value >= p.value' if draw.chance(20) else ''}"
    pattern = f"(p: P and q: P relation {AFTER} {within} {equal} {chosen})"
    absent, gap = draw.pick(("c: Q", "c: Q", "c: C", "c: A", "c: P")), draw.integer(0, 2)
    inside = INSIDE.replace(">= 1,", f">= {gap},")
    whole = draw.pick((pattern, f"({pattern} unless {absent} relation {inside})"))
    trace = _trace(draw, given=draw.chance(15))
    disorder = draw.integer(1, 4) if draw.chance(40) else 0
    arrivals = tuple(random_disordered(draw, trace, disorder))
    program = read_program(f"{first}{other}rule second: {whole} emits R(both = p.value)")
    return Case(program, tuple(trace), arrivals, disorder, random_cuts(draw, len(arrivals)))


def _trace(draw: Draw, *, given: bool) -> list[Event]:
    """Return points, some of which are perhaps of a type that a rule emits, too."""
    time, found = 0, []
    for number in range(draw.integer(10, 30)):
        time += draw.integer(0, 2)
        fields = {"key": draw.pick([1, 2]), "value": draw.integer(0, 3)}
        found.append(Event(draw.pick("AABBCP" if given else "AABBC"), time, time, number, fields))
    return found


def cases(first: int) -> Iterator[Case]:
    return (random_rules(seeded(seed)) for seed in range(first, first + TOGETHER))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules(first: int) -> None:
    compiled, found = check_agreement(cases(first))
    assert compiled > TOGETHER / 2, "too few run in kernels"
    assert found > TOGETHER / 3, "too few find anything"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(0, 64, 8))
def test_random_rules_in_machine_code(seed: int) -> None:
    assert disagreements(random_rules(seeded(seed))) == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_matches_are_certain_when_the_interpreter_says_so(first: int) -> None:
    check_certainty(cases(first))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_random_rules_stay_below_their_bounds(first: int) -> None:
    bounded = 0
    with plain_kernels():
        for number, case in enumerate(cases(first)):
            for name, used, promised in held(case):
                bounded += name == "second" and promised is not None
                assert promised is None or used <= promised, (number, name)
            for one in measured(case):
                assert one.promised is None or one.used <= one.promised, (number, one)
    assert bounded > TOGETHER / 3, "too few have a bound"


AFTER_IT = f"rule first: (x: A and y: A relation {AFTER} choose recent) emits P(key = y.key, value = y.value)"
KEYED = f"(x: A and y: A relation {AFTER} on x.key == y.key choose recent)"
SECOND = f"(p: P and q: P relation {AFTER} choose recent)"


def first(pattern: str, emits: str = "emits P(key = y.key)") -> str:
    return f"rule first: {pattern} {emits}"


BOUNDED = {
    "nothing else": (AFTER_IT, SECOND),
    "some are left out": (first(f"(x: A and y: A relation {AFTER} choose recent where x.key != y.key)"), SECOND),
    "the latest start": (first(f"(x: A and y: A relation {AFTER} choose latest-start)"), SECOND),
    "what is too long": (first(f"(x: A and y: A relation {AFTER} within 7 choose recent)"), SECOND),
    "a condition on both": (first(f"(x: A[key == 1] and y: A[key == 1] relation {AFTER} choose recent)"), SECOND),
    "more on the left": (first(f"(x: A and y: A[key == 1] relation {AFTER} choose recent)"), SECOND),
    "more types on the left": (first(f"(x: {{A, B}} and y: B relation {AFTER} choose recent)"), SECOND),
    "without what has something inside": (
        first(f"((x: A and y: A relation {AFTER} choose recent) unless c: C between x and y)"),
        SECOND,
    ),
    "suppressed": (first(f"((x: A and y: A relation {AFTER} choose recent) suppress 3)"), SECOND),
    "some on the left": (AFTER_IT, f"(p: P[key == 1] and q: P relation {AFTER} choose recent)"),
    "some on the right": (AFTER_IT, f"(p: P and q: P[key == 1] relation {AFTER} choose recent)"),
}
UNBOUNDED = {
    "all": (first(f"(x: A and y: A relation {AFTER})"), SECOND),
    "the oldest": (first(f"(x: A and y: A relation {AFTER} choose chronological)"), SECOND),
    "the next": (first(f"(x: A and y: A relation {AFTER} choose next)"), SECOND),
    "chosen under a condition": (first(f"(x: A and y: A relation {AFTER} if x.key != y.key choose recent)"), SECOND),
    "chosen for each": (first(f"(x: A and y: A relation {AFTER} choose recent per x.key)"), SECOND),
    "more on the right": (first(f"(x: A[key == 1] and y: A relation {AFTER} choose recent)"), SECOND),
    "another condition": (first(f"(x: A[key == 1] and y: A[key == 2] relation {AFTER} choose recent)"), SECOND),
    "more types on the right": (first(f"(x: A and y: {{A, B}} relation {AFTER} choose recent)"), SECOND),
    "others": (first(f"(x: B and y: A relation {AFTER} choose recent)"), SECOND),
    "apart": (first("(x: A and y: A relation start($1) - end($0) >= 5 choose recent)"), SECOND),
    "of some length": (first(f"(x: A and y: A relation {AFTER}, end($1) - start($0) >= 5 choose recent)"), SECOND),
    "in any order": (first("(x: A and y: A choose recent)"), SECOND),
    "emitted elsewhere": (
        first(f"(x: A and y: A relation {AFTER} choose recent)", "emits P from start(x) - 3 to end(y)"),
        SECOND,
    ),
    "of a rule by a key": (f"rule first per key: (x: A and y: A relation {AFTER} choose recent) emits P", SECOND),
    "of several rules": (f"{AFTER_IT}\nrule too: (b: B then c: C within 5) emits P", SECOND),
    "given as well": (f"stream P rate 1 per 5\n{AFTER_IT}", SECOND),
    "of matches that last": (
        f"{AFTER_IT}\nrule more: (p: P and q: P relation {AFTER} choose recent) emits M",
        f"(p: M and q: M relation {AFTER} choose recent)",
    ),
    "with others": (
        f"{AFTER_IT}\nrule too: (b: B then c: C within 5) emits M",
        f"(p: M and q: P relation {AFTER} choose recent)",
    ),
    "among others": (
        f"{AFTER_IT}\nrule too: (b: B then c: C within 5) emits M",
        f"(p: {{P, M}} and q: {{P, M}} relation {AFTER} choose recent)",
    ),
    "by the latest start above": (AFTER_IT, f"(p: P and q: P relation {AFTER} choose latest-start)"),
    "apart above": (AFTER_IT, "(p: P and q: P relation start($1) - end($0) >= 5 choose recent)"),
    "under a condition above": (AFTER_IT, f"(p: P and q: P relation {AFTER} if p.value < q.value choose recent)"),
}


def held_by(first: str, second: str, *, intervals: bool = False, ties: str = "simultaneous") -> list[int | None]:
    """Return what the operators of the second rule hold at most."""
    text = f"ties {ties}\nstream A rate 1 per 1\nstream C rate 1 per 1\n{first}\nrule second: {second} emits R"
    rules = {rule.name: rule for rule in certify(plan_of(read_program(text), intervals=intervals)).rules}
    return [one.entries.number for one in rules["second"].operators]


@pytest.mark.parametrize("case", BOUNDED)
def test_two_are_enough_where_each_match_starts_after_those_before_it(case: str) -> None:
    assert held_by(*BOUNDED[case])[:3] == [0, 0, 2]


@pytest.mark.parametrize("case", UNBOUNDED)
def test_nothing_else_is_said_to_be_enough(case: str) -> None:
    assert held_by(*UNBOUNDED[case])[:3] == [0, 0, None]


ON_KEY, ON_VALUE = (SECOND.replace("choose", f"on p.{name} == q.{name} choose") for name in ("key", "value"))


@pytest.mark.parametrize(
    ("rule", "above", "successive"),
    [
        (AFTER_IT, ON_VALUE, True),
        (first(KEYED), ON_KEY, True),
        (first(KEYED), ON_VALUE, False),
        (first(KEYED), SECOND, False),
        (first(KEYED, "emits P(key = y.value)"), ON_KEY, False),
        (first(KEYED.replace("y.key", "y.value")), ON_KEY, False),
    ],
)
def test_matches_with_a_key_come_one_after_the_other_under_that_key(rule: str, above: str, successive: bool) -> None:
    plan = plan_of(read_program(f"ties simultaneous\n{rule}\nrule second: {above} emits R"))
    assert [one.successive for one in plan.rules[-1].operators] == [False, False, successive]


def test_events_that_last_and_arrivals_have_no_such_order() -> None:
    assert held_by(AFTER_IT, SECOND, intervals=True)[2] is None
    assert held_by(AFTER_IT, SECOND, ties="arrival")[2] is None


BETWEEN = "start($absent) - end(p) >= 1, start(q) - end($absent) >= 1"
ABSENT = {
    "between": ("c: C", BETWEEN, 2),
    "something that lasts": ("c: P", BETWEEN, 2),
    "at the end of the left one": ("c: C", "start($absent) - end(p) >= 0, start(q) - end($absent) >= 1", 3),
    "before the right one ends": ("c: C", "start($absent) - end(p) >= 1, end(q) - end($absent) >= 0", 2),
    "after the left one": ("c: C", "start($absent) - end(p) >= 1, end($pattern) - end($absent) >= 0", 2),
    "since the left one began": ("c: C", "start($absent) - start(p) >= 1, start(q) - end($absent) >= 1", None),
    "just before the left one ended": ("c: C", "start($absent) - end(p) >= -2, start(q) - end($absent) >= 1", None),
    "that starts early enough": ("c: C", "start($absent) - end(p) >= 1, start(q) - start($absent) >= 1", None),
    "that ends late enough": ("c: C", "end($absent) - end(p) >= 1, start(q) - end($absent) >= 1", None),
    "any time before": ("c: C", "start(q) - end($absent) >= 1", None),
}


@pytest.mark.parametrize("case", ABSENT)
def test_of_what_must_be_absent_the_first_after_each_left_one_is_enough(case: str) -> None:
    absent, relation, most = ABSENT[case]
    assert held_by(AFTER_IT, f"({SECOND} unless {absent} relation {relation})")[2:] == [2, 0, most]


@pytest.mark.parametrize("also", ["where c.key == p.key", "on c.key == p.key"])
def test_what_tells_apart_what_is_absent_leaves_all_of_it(also: str) -> None:
    assert held_by(AFTER_IT, f"({SECOND} unless c: C relation {BETWEEN} {also})")[2:] == [2, 0, None]


def test_a_long_run_holds_no_more_than_four() -> None:
    program = read_program(
        f"ties simultaneous\n{AFTER_IT}\nrule second: ({SECOND} unless c: C relation {BETWEEN}) emits R"
    )
    plan = plan_of(program)
    events = [Event("AC"[time % 7 > 1], time, time, time, {"key": time % 3, "value": time}) for time in range(600)]
    assert sum(rule.state.number or 0 for rule in certify(plan).rules) == 5
    assert max(waiting(KernelRun(plan, disorder=0, identified=True, evidence=True, state=None), events)) <= 5
