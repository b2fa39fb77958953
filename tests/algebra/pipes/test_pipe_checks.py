"""Every reason for which a pipe is refused, told whole."""

import pytest

from cepheid.algebra import pipe_semantics, processors
from cepheid.algebra.expressions import Expr, Literal, Moment, Variable
from cepheid.algebra.formulas import And, Eventually, Formula, Globally, Holds
from cepheid.algebra.machines import Transition, machine
from cepheid.algebra.patterns import Atom
from cepheid.algebra.pipe_checks import sound
from cepheid.algebra.pipes import Detect, Fold, Gate, Map, Pipe, Resample, Slice, Source, Verdict, Window
from cepheid.algebra.programs import HULL, Program, Rule
from cepheid.algebra.relations import end, start
from cepheid.diagnostics import CepheidError

P = Source(stream="P")
HERE = Source()
RULE = Rule("alarm", Atom("a", frozenset({"P"})), "alarm", Moment(start(HULL)), Moment(end(HULL)))


def refusal(pipe: Pipe) -> str:
    with pytest.raises(CepheidError) as caught:
        pipe_semantics.trace_of(Program((RULE,), pipes={"it": pipe}), "it", [])
    return str(caught.value)


@pytest.mark.parametrize(
    ("pipe", "expected"),
    [
        (Map((), Literal(1)), "error[bad-pipe]: a map has no inputs and needs at least 1"),
        (Gate((P,)), "error[bad-pipe]: a filter has 1 input and needs at least 2"),
        (
            Resample((P, P)),
            "error[bad-pipe]: a resampling has 2 inputs and reads 1\n  = hint: `collate` makes one pipe of several",
        ),
        (Source((P,), "P"), "error[bad-pipe]: a stream has 1 input and reads none"),
        (
            Resample((P,), skip=-1),
            "error[bad-pipe]: the number of values to drop is -1\n  = hint: write 0 or more",
        ),
        (
            Resample((P,), every=0),
            "error[bad-pipe]: the step between values to keep is 0\n  = hint: write 1 or more",
        ),
        (
            Resample((P,), limit=-2),
            "error[bad-pipe]: the number of values to keep is -2\n  = hint: write 0 or more",
        ),
        (Resample((P,), copies=0), "error[bad-pipe]: the number of copies is 0\n  = hint: write 1 or more"),
        (
            Window((P,), HERE),
            "error[bad-pipe]: a window is measured in values or in time, and in one of them only\n"
            "  = hint: give `count` or `length`",
        ),
        (
            Window((P,), HERE, 2, 2),
            "error[bad-pipe]: a window is measured in values or in time, and in one of them only\n"
            "  = hint: give `count` or `length`",
        ),
        (
            Window((P,), HERE, count=0),
            "error[bad-pipe]: the number of values in a window is 0\n  = hint: write 1 or more",
        ),
        (
            Window((P,), HERE, length=-1),
            "error[bad-pipe]: the length of a window is -1\n  = hint: write 0 or more",
        ),
        (
            Slice((P,), HERE, Literal(1), "list"),
            "error[bad-pipe]: slices are gathered as `list`\n  = hint: gather them as `map` or as `set`",
        ),
        (Map((P,), Variable("$1")), "error[bad-pipe]: a map of 1 input reads `$1`"),
        (Map((P,), Expr()), "error[bad-pipe]: a map lacks its function, its condition or its formula"),
        (
            Verdict((P,), And(Formula(), Holds(Expr()))),
            "error[bad-pipe]: a verdict lacks its function, its condition or its formula",
        ),
        (
            Verdict((P,), Globally(Holds(Literal(True)), 0)),
            "error[bad-pipe]: the number of values that a formula looks at is 0\n  = hint: write 1 or more",
        ),
        (HERE, "error[bad-pipe]: `*` stands outside a window and outside a slice\n  = hint: name a stream"),
        (
            Window((P,), P, count=1),
            "error[bad-pipe]: the body of a window or a slice reads the stream `P`\n  = hint: read `*` instead",
        ),
        (
            Slice((P,), Detect(rule="alarm"), Literal(1)),
            "error[bad-pipe]: the body of a window or a slice reads the rule `alarm`\n  = hint: read `*` instead",
        ),
        (
            Detect(rule="alarms"),
            "error[bad-pipe]: there is no rule `alarms`\n  = hint: did you mean `alarm`?",
        ),
        (Gate((P, Pipe())), "error[bad-pipe]: a pipe is missing"),
    ],
)
def test_a_pipe_that_cannot_run_is_refused(pipe: Pipe, expected: str) -> None:
    assert refusal(pipe) == expected


def test_everything_that_is_wrong_is_told_at_once() -> None:
    twice_wrong = Window((Resample((P,), every=0),), HERE, count=0)
    assert refusal(twice_wrong).count("error[bad-pipe]") == 2


def test_a_window_may_stand_in_a_window() -> None:
    inner = Window((HERE,), processors.total(HERE), count=2)
    nested = Map((Window((P,), inner, length=5),), Variable("$0"))
    assert pipe_semantics.trace_of(Program(pipes={"it": nested}), "it", []) == []


def test_a_name_without_a_pipe_is_refused() -> None:
    with pytest.raises(CepheidError) as caught:
        pipe_semantics.trace_of(Program(pipes={"prices": P}), "price", [])
    assert str(caught.value) == "error[bad-pipe]: there is no pipe `price`\n  = hint: did you mean `prices`?"


def test_constructors_refuse_at_once() -> None:
    with pytest.raises(CepheidError, match="the number of copies is 0"):
        processors.stutter(HERE, 0)
    with pytest.raises(CepheidError, match="the number of values that `yes` comes once in is 0"):
        processors.yield_(0, HERE, HERE, HERE)
    with pytest.raises(CepheidError, match="a fold has no inputs"):
        sound(Fold((), Literal(1), Literal(0)))
    with pytest.raises(CepheidError, match="looks at is -1"):
        sound(Verdict((HERE,), Eventually(Holds(Literal(True)), -1)))


def test_a_machine_refuses_names_it_does_not_have() -> None:
    go = Transition("off", "on")
    with pytest.raises(CepheidError, match="`onn` is not a state of the machine"):
        machine(HERE, "off", [go], {"onn": Literal(1)})
    forgetful = Transition("off", "on", remembers={"count": Literal(1)})
    with pytest.raises(CepheidError, match="`count` is not something the machine remembers"):
        machine(HERE, "off", [forgetful], {"on": Literal(1)})
