"""What a rule holds back keeps the frontier of what it emits back, also where it feeds itself."""

from cepheid.testing import Runner
from tests.conformance.examples import Example, examples, shows

QUIET = "rule quiet: a unless b relation 1 <= start($absent) - end($pattern) <= 10 emits quiet\n"
CALM = "a unless b relation 1 <= start($absent) - end($pattern) <= 3"
TURN = "p then c within 20"
READ = "rule read: q: p emits read\n"
FOUND = ("p: 1 a", "p: 1-2 a c#2", "p: 1-3 a c#3", "p: 1-3 a c#2 c#3")
ALONE = tuple(line.removeprefix("p: ") for line in FOUND)
READ_TOO = tuple(line.replace("p:", "read:") for line in FOUND)

WAITING = (
    shows(
        "a match that waits may still be dated before all that has come",
        QUIET + "rule lone: c unless quiet relation -5 <= start($absent) - end($pattern) <= -1 emits lone",
        "1 a, 3 c, 4 z, 5 z, 30 z",
        "quiet: 1 a",
    ),
    shows(
        "another type is not kept waiting by what a rule derives",
        QUIET + "rule both: either [quiet, (d unless e relation 1 <= start($absent) - end($pattern) <= 2)] emits both",
        "1 a, 2 d, 9 z",
        "quiet: 1 a",
        "both: 1 a",
        "both: 2 d",
    ),
    shows("a fixed time comes once", "instant t: at(5)", "3 z, 6 z, 7 z", "5"),
)
CYCLES = (
    shows(
        "an absence begins a cycle",
        f"rule p: either [({CALM}), ({TURN})] emits p\n{READ}",
        "1 a, 2 c, 3 c, 10 z",
        *FOUND,
        *READ_TOO,
    ),
    shows(
        "an absence that the end of the input decides begins a cycle",
        f"rule p: either [({CALM}), ({TURN})] emits p\n{READ}",
        "1 a, 2 c, 3 c",
        *FOUND,
        *READ_TOO,
    ),
    shows(
        "another rule that begins a cycle holds it back",
        f"rule begin: {CALM} emits p\nrule turn: {TURN} emits p\n{READ}",
        "1 a, 2 c, 3 c, 10 z",
        *(line.replace("p:", "begin:" if line == "p: 1 a" else "turn:") for line in FOUND),
        *READ_TOO,
    ),
    shows(
        "what begins a cycle may itself be derived and late",
        f"rule calm: {CALM} emits calm\nrule p: either [calm, ({TURN})] emits p\n{READ}",
        "1 a, 2 c, 3 c, 10 z",
        "calm: 1 a",
        *FOUND,
        *READ_TOO,
    ),
    shows(
        "distinct matches of a cycle are told instant by instant",
        f"rule p: distinct (either [a, ({TURN})]) emits p",
        "1 a, 2 c, 3 c",
        *ALONE,
    ),
    shows(
        "a cycle may go back in time within one instant",
        "rule p: distinct (either [a, (c then p within 20)]) emits p",
        "1 c, 2 c, 3 a, 9 z",
        "3 a",
        "2-3 c#2 a",
        "1-3 c#1 a",
        "1-3 c#1 c#2 a",
        disorder=8,
    ),
    shows(
        "a cycle through a repetition takes its items in order",
        "rule p: either [a, ((repeat g: 1..2 of p gap end($next) - end($previous) >= 1 choose all) then c within 6)]"
        " emits p",
        "1 a, 2 c, 3 c, 20 z",
        *ALONE,
        "1-3 a c#2 c#3",
        disorder=5,
    ),
)


@examples(*WAITING, *CYCLES)
def test_nothing_overtakes_what_is_held_back(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found
