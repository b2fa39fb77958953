"""The usual processors, each as the pipe it is; printers and engines see only the few kinds of pipes.

freeze(p)               each value replaced by the first one
yield_(5, c, p, q)      p where c is true, but only once in five values; else q
"""

from collections.abc import Sequence

from cepheid.algebra.expressions import NULL, Call, Expr, Literal, Variable
from cepheid.algebra.pipe_checks import at_least, sound
from cepheid.algebra.pipes import Fold, Gate, Map, Pipe, Resample
from cepheid.events import Value

HERE = Variable("$0")
TOTAL = Variable("$total")


def apply(function: Expr, *pipes: Pipe) -> Map:
    """The function of each front of the pipes, `$0`, `$1`, ..."""
    return sound(Map(pipes, function))


def turn_into(pipe: Pipe, value: Value) -> Map:
    """The same value, once per value of the pipe.

    >>> turn_into(Pipe(), 1).function
    Literal(value=1)
    """
    return apply(Literal(value), pipe)


def choose(condition: Pipe, yes: Pipe, no: Pipe) -> Map:
    """At each position the value of `yes` where the condition is true, else that of `no`."""
    return apply(Call("if", _fronts(3)), condition, yes, no)


def yield_(count: int, condition: Pipe, yes: Pipe, no: Pipe) -> Fold:
    """As `choose`, but the value of `yes` comes at most once in any `count` successive ones."""
    at_least("the number of values that `yes` comes once in", count, 1)
    # The total is how many values ago `yes` came, 1 being this one.
    may_come = Call("and", (Call(">=", (TOTAL, Literal(count))), HERE))
    longer = Call("min", (Call("+", (TOTAL, Literal(1))), Literal(count + 1)))
    chosen = Call("if", (Call("==", (TOTAL, Literal(1))), Variable("$1"), Variable("$2")))
    step = Call("if", (may_come, Literal(1), longer))
    return sound(Fold((condition, yes, no), step, Literal(count), chosen))


def collate(*pipes: Pipe, names: Sequence[str] = ()) -> Map:
    """One tuple per front; with names, one record.

    >>> collate(Pipe(), Pipe(), names=("low", "high")).function.arguments[:2]
    (Literal(value='low'), Variable(name='$0'))
    """
    if not names:
        return apply(Call("list", _fronts(len(pipes))), *pipes)
    entries = zip(names, _fronts(len(pipes)), strict=True)
    return apply(Call("record", tuple(part for name, front in entries for part in (Literal(name), front))), *pipes)


def filtered(condition: Pipe, *pipes: Pipe) -> Gate:
    """The values of the pipes where the condition is true: one as itself, several as a tuple."""
    return sound(Gate((*pipes, condition)))


def cumulate(pipe: Pipe, function: str, initial: Value) -> Fold:
    """The function of what it gave before, `initial` at first, and each value.

    >>> cumulate(Pipe(), "+", 0).step
    Call(function='+', arguments=(Variable(name='$total'), Variable(name='$0')))
    """
    return sound(Fold((pipe,), Call(function, (TOTAL, HERE)), Literal(initial)))


def freeze(pipe: Pipe) -> Fold:
    """The first value, once per value."""
    is_first = Call("==", (Call("length", (TOTAL,)), Literal(0)))
    kept = Call("if", (is_first, Call("list", (HERE,)), TOTAL))
    return sound(Fold((pipe,), kept, Literal(()), Call("get", (TOTAL, Literal(0)))))


def trim(pipe: Pipe, count: int) -> Resample:
    """All values but the first `count`."""
    return sound(Resample((pipe,), skip=count))


def prefix(pipe: Pipe, count: int) -> Resample:
    """The first `count` values."""
    return sound(Resample((pipe,), limit=count))


def decimate(pipe: Pipe, step: int) -> Resample:
    """The first value and every `step`-th after it."""
    return sound(Resample((pipe,), every=step))


def stutter(pipe: Pipe, copies: int) -> Resample:
    """Each value so many times."""
    return sound(Resample((pipe,), copies=copies))


def count(pipe: Pipe) -> Fold:
    """The number of values so far."""
    return sound(Fold((pipe,), Call("+", (TOTAL, Literal(1))), Literal(0)))


def total(pipe: Pipe) -> Fold:
    """The sum of the values so far; null adds nothing."""
    return _skipping_null(pipe, Call("+", (TOTAL, HERE)), Literal(0))


def minimum(pipe: Pipe) -> Fold:
    """The least value so far; null is none."""
    return _skipping_null(pipe, Call("min", (Call("coalesce", (TOTAL, HERE)), HERE)), NULL)


def maximum(pipe: Pipe) -> Fold:
    """The greatest value so far; null is none."""
    return _skipping_null(pipe, Call("max", (Call("coalesce", (TOTAL, HERE)), HERE)), NULL)


def average(pipe: Pipe) -> Map:
    """The mean of the values so far; null does not count."""
    some = apply(Call("if", (Call("is_null", (HERE,)), Literal(0), Literal(1))), pipe)
    return apply(Call("/", (HERE, Variable("$1"))), total(pipe), total(some))


def peaks(pipe: Pipe) -> Fold:
    """The height of a rise or fall, at the value that turns the other way; else 0.

    The total is where the present rise or fall began, the last value, and the height to show.
    """
    began, last = (Call("get", (TOTAL, Literal(place))) for place in (0, 1))
    top = Call("and", (Call("<", (began, last)), Call("<", (HERE, last))))
    bottom = Call("and", (Call("<", (last, began)), Call("<", (last, HERE))))
    turns, height = Call("or", (top, bottom)), Call("-", (last, began))
    goes_on = Call("if", (turns, Call("list", (last, HERE, height)), Call("list", (began, HERE, Literal(0)))))
    is_first = Call("==", (Call("length", (TOTAL,)), Literal(0)))
    state = Call("if", (is_first, Call("list", (HERE, HERE, Literal(0))), goes_on))
    return sound(Fold((pipe,), state, Literal(()), Call("get", (TOTAL, Literal(2)))))


def _skipping_null(pipe: Pipe, step: Expr, initial: Expr) -> Fold:
    return sound(Fold((pipe,), Call("if", (Call("is_null", (HERE,)), TOTAL, step)), initial))


def _fronts(number: int) -> tuple[Expr, ...]:
    return tuple(Variable(f"${index}") for index in range(number))
