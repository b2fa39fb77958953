"""Processors over traces of values of any kind: they count, fold, cut and compare by position.

A pipe with several inputs reads *fronts*, one value from the same position of every input. Its function reads them
as `$0`, `$1`, ... Every value carries the time of the event it came from; a front carries the latest of its times.
"""

from dataclasses import dataclass

from cepheid.algebra.expressions import NULL, TRUE, Expr
from cepheid.algebra.formulas import Formula, Holds
from cepheid.algebra.relations import Ticks

INPUT = "*"
_ALWAYS = Holds(TRUE)


@dataclass(frozen=True, slots=True)
class Pipe:
    """A trace; `Pipe` itself is only the common name of the nodes below."""

    inputs: tuple["Pipe", ...] = ()


@dataclass(frozen=True, slots=True)
class Source(Pipe):
    """The events of a type as records (the empty name: of all types); `*` is the input of a windowed or sliced body."""

    stream: str = INPUT


_BODY = Source()


@dataclass(frozen=True, slots=True)
class Detect(Pipe):
    """The matches of a rule, by its name, as records of their values, `start` and `end`."""

    rule: str = ""


@dataclass(frozen=True, slots=True)
class Map(Pipe):
    """A function of each front: apply, choose, turn into a constant, collate."""

    function: Expr = NULL


@dataclass(frozen=True, slots=True)
class Fold(Pipe):
    """Accumulate: `$total` starts as `initial` and becomes `step` at each front; `output` (else `$total`) is shown."""

    step: Expr = NULL
    initial: Expr = NULL
    output: Expr | None = None


@dataclass(frozen=True, slots=True)
class Resample(Pipe):
    """Drop the first `skip`, then keep every `every`-th from the first on, at most `limit`, each `copies` times."""

    skip: int = 0
    every: int = 1
    limit: int | None = None
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Gate(Pipe):
    """The other inputs of each front (one: itself, several: a tuple) where the last input is true."""


@dataclass(frozen=True, slots=True)
class Window(Pipe):
    """A fresh `body` over each window.

    With `count` n: its n-th output over each n successive values. With `length`: its last output over the values at
    most `length` older than each value.
    """

    body: Pipe = _BODY
    count: int | None = None
    length: Ticks | None = None


@dataclass(frozen=True, slots=True)
class Slice(Pipe):
    """One `body` per value of `key` (over `$0`; null goes nowhere, `#` to all that exist).

    After each value: the last outputs of all bodies, as a `map` from key to output or as a `set`, in the order in
    which the slices began.
    """

    body: Pipe = _BODY
    key: Expr = NULL
    gather: str = "map"


@dataclass(frozen=True, slots=True)
class Verdict(Pipe):
    """Temporal logic over the trace.

    Boolean: the verdict of every position, in order, as soon as it is known. Three-valued: after each value, what is
    known about the first position: true, false or null.
    """

    formula: Formula = _ALWAYS
    three_valued: bool = False
