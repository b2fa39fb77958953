"""How the built-in operations run that have no body: most of them handle a whole column at once."""

from collections.abc import Callable
from copy import deepcopy
from itertools import repeat

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.collections import elements
from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Apply
from cepheid.algebra.graphs.running import Around, Column, Outputs, Stateless, Stepwise, runs
from cepheid.algebra.graphs.user_processors import outputs_of
from cepheid.engine.pipes.graphs.cells import InCell
from cepheid.engine.pipes.graphs.exact_totals import ExactTotal


class Mapping(Stateless):
    """What keeps nothing: a function of columns.

    `give` is the same of one front, where each has one output or none; what `tests` says with it which values pass.
    """

    __slots__ = ("give", "outputs", "take", "tests")

    def __init__(
        self,
        take: Callable[..., Outputs],
        outputs: int = 1,
        give: Callable[..., Thing] | None = None,
        *,
        tests: bool = False,
    ) -> None:
        self.take, self.outputs, self.give, self.tests = take, outputs, give, tests


@runs(op.Passthrough)
def _passthrough(operation: op.Passthrough, around: Around) -> Mapping:
    if operation.count == 1:
        return Mapping(lambda column: column, give=lambda value: value)
    return Mapping(lambda *columns: columns, operation.count)


@runs(Apply)
def _apply(operation: Apply, around: Around) -> Mapping:
    calls = [(around.mapped(function), max(1, function.arity)) for function in operation.functions]
    ((first, arity), *others) = calls
    if not others:
        (function,) = operation.functions
        call, count = around.function(function), function.arity
        give = call if count == operation.inputs else lambda *front: call(*front[:count])
        take = first if arity == operation.inputs else lambda *columns: first(*columns[:arity])
        return Mapping(take, give=give)
    return Mapping(lambda *columns: tuple(call(*columns[:count]) for call, count in calls), len(calls))


@runs(op.TurnInto)
def _turn_into(operation: op.TurnInto, around: Around) -> Mapping:
    return Mapping(lambda *columns: [operation.value] * len(columns[0]), give=lambda *_: operation.value)


@runs(op.Fork)
def _fork(operation: op.Fork, around: Around) -> Mapping:
    if operation.count == 1:
        return Mapping(lambda column: column)
    return Mapping(lambda column: (column,) * operation.count, operation.count)


@runs(op.Where)
def _where(operation: op.Where, around: Around) -> Mapping:
    function = operation.function
    call = around.function(function)
    return Mapping(around.kept(function), give=call if function.arity == 1 else lambda _: call(), tests=True)


@runs(op.Filter)
def _filter(operation: op.Filter, around: Around) -> Mapping:
    def passed(column: Column, truths: Column) -> Column:
        return [value for value, truth in zip(column, truths, strict=True) if truth is True]

    if operation.count == 1:
        return Mapping(passed, give=lambda value, truth: value if truth is True else NOTHING)
    return Mapping(lambda *columns: tuple(passed(one, columns[-1]) for one in columns[:-1]), operation.count)


@runs(op.Stutter)
def _stutter(operation: op.Stutter, around: Around) -> Mapping:
    return Mapping(lambda column: [value for value in column for _ in repeat(None, operation.count)])


@runs(op.Choose)
def _choose(operation: op.Choose, around: Around) -> Mapping:
    return Mapping(
        lambda *columns: [yes if is_so is True else no for is_so, yes, no in zip(*columns, strict=True)],
        give=lambda is_so, yes, no: yes if is_so is True else no,
    )


@runs(op.Collate)
def _collate(operation: op.Collate, around: Around) -> Mapping:
    names = operation.names
    if not names:
        return Mapping(lambda *columns: list(zip(*columns, strict=True)), give=lambda *front: front)
    return Mapping(
        lambda *columns: [dict(zip(names, front, strict=True)) for front in zip(*columns, strict=True)],
        give=lambda *front: dict(zip(names, front, strict=True)),
    )


@runs(op.Unpack)
def _unpack(operation: op.Unpack, around: Around) -> Mapping:
    return Mapping(lambda column: [element for value in column for element in elements(value)])


@runs(op.Cumulate)
def _cumulate(operation: op.Cumulate, around: Around) -> Stepwise:
    is_sum = around.is_exact and operation.known == "+"
    return ExactTotal(operation.initial) if is_sum else Cumulation(operation, around)


class Cumulation(Stepwise):
    """The total so far."""

    kept = ("total",)
    total = InCell[Thing]()

    def __init__(self, operation: op.Cumulate, around: Around) -> None:
        self.call = around.function(operation.function)
        self.arity = operation.function.arity
        self.total = operation.initial

    def take(self, *columns: Column) -> Outputs:
        call, total = self.call, self.total
        outputs: Column = []
        values = iter(columns[0])
        if total is NOTHING:
            total = next(values)
            outputs.append(total)
        if self.arity != 2:
            call = lambda total, value: self.call(*(total, value)[: self.arity])  # noqa: E731  # it is called below only
        for value in values:
            total = call(total, value)
            outputs.append(total)
        self.total = total
        return outputs

    def give(self, value: Thing) -> Thing:
        """Take one value, and return the total."""
        if self.total is NOTHING:
            self.total = value
        elif self.arity == 2:
            self.total = self.call(self.total, value)
        else:
            self.total = self.call(*(self.total, value)[: self.arity])
        return self.total

    def state(self) -> Thing:
        return [] if self.total is NOTHING else [self.total]

    def restore(self, state: Thing) -> None:
        self.total = state[0] if state else NOTHING


@runs(op.Decimate)
class Decimation(Stepwise):
    """The place of the next value, and the last one where it is to be kept."""

    kept = ("place", "last")
    place = InCell[int]()

    def __init__(self, operation: op.Decimate, around: Around) -> None:
        self.step_size, self.keeps_last = operation.step, operation.last
        self.place = 0
        self.last: Column = []

    def take(self, *columns: Column) -> Outputs:
        column = columns[0]
        given = column[-self.place % self.step_size :: self.step_size]
        self.place = (self.place + len(column)) % self.step_size
        if self.keeps_last:
            self.last = [] if self.place == 1 % self.step_size else column[-1:]
        return given

    def end(self) -> Outputs:
        return self.last


@runs(op.Freeze)
class Freezing(Stepwise):
    kept = ("first",)

    def __init__(self, operation: op.Freeze, around: Around) -> None:
        self.first: Column = []

    def take(self, *columns: Column) -> Outputs:
        self.first = self.first or columns[0][:1]
        return self.first * len(columns[0])

    def give(self, value: Thing) -> Thing:
        """Take one value, and return the first."""
        self.first = self.first or [value]
        return self.first[0]


@runs(op.Trim)
class Trimming(Stepwise):
    kept = ("ahead",)
    ahead = InCell[int]()

    def __init__(self, operation: op.Trim, around: Around) -> None:
        self.ahead = operation.count

    def take(self, *columns: Column) -> Outputs:
        if not self.ahead:
            return columns[0]
        given = columns[0][self.ahead :]
        self.ahead = max(0, self.ahead - len(columns[0]))
        return given


@runs(op.Prefix)
class Beginning(Stepwise):
    """How many values may still pass."""

    kept = ("ahead",)

    def __init__(self, operation: op.Prefix, around: Around) -> None:
        self.ahead = operation.count

    @property
    def is_full(self) -> bool:
        return self.ahead == 0

    def take(self, *columns: Column) -> Outputs:
        given = columns[0][: self.ahead]
        self.ahead -= len(given)
        return given


@runs(op.Insert)
class Insertion(Stepwise):
    kept = ("has_begun",)

    def __init__(self, operation: op.Insert, around: Around) -> None:
        self.before = [operation.value] * operation.count
        self.has_begun = False

    def take(self, *columns: Column) -> Outputs:
        if self.has_begun:
            return columns[0]
        self.has_begun = True
        return [*self.before, *columns[0]]


@runs(op.KeepLast)
class Last(Stepwise):
    kept = ("last",)

    def __init__(self, operation: op.KeepLast, around: Around) -> None:
        self.last: Column = []

    def take(self, *columns: Column) -> Outputs:
        self.last = columns[0][-1:]
        return []

    def end(self) -> Outputs:
        return self.last


@runs(op.Successive)
class Succession(Stepwise):
    """The values before the next one, as many as make a front with it."""

    kept = ("before",)

    def __init__(self, operation: op.Successive, around: Around) -> None:
        self.call, self.single = around.mapped(operation.function), around.function(operation.function)
        self.size, self.arity = operation.size, operation.function.arity
        self.before: Column = []

    def take(self, *columns: Column) -> Outputs:
        values = [*self.before, *columns[0]]
        count = len(values) - self.size + 1
        self.before = values[max(0, count) :] if self.size > 1 else []
        return self.call(*(values[first : first + count] for first in range(self.size))) if count > 0 else []

    def give(self, value: Thing) -> Thing:
        """Take one value, and return the function of it and those before it, where these are enough."""
        values = [*self.before, value]
        is_front = len(values) == self.size
        self.before = values[1:] if is_front else values
        return self.single(*values[: self.arity]) if is_front else NOTHING


@runs(op.Yield)
class Yielding(Stepwise):
    """How many values must pass before the second input may come again."""

    kept = ("pause",)

    def __init__(self, operation: op.Yield, around: Around) -> None:
        self.count = operation.count
        self.pause = 0

    def step(self, *front: Thing) -> Column:
        is_so, yes, no = front
        is_free = is_so is True and self.pause == 0
        self.pause = self.count - 1 if is_free else max(0, self.pause - 1)
        return [yes if is_free else no]


@runs(op.Pack)
class Packing(Stepwise):
    """What came since the last list."""

    kept = ("open",)

    def __init__(self, operation: op.Pack, around: Around) -> None:
        self.open: Column = []

    def step(self, *front: Thing) -> Column:
        value, is_so = front
        if is_so is not True:
            self.open.append(value)
            return []
        done, self.open = self.open, [value]
        return [done]


@runs(op.UserProcessor)
class UserRun(Stepwise):
    """The state that the user's step gave last."""

    def __init__(self, operation: op.UserProcessor, around: Around) -> None:
        self.operation = operation
        self.memory = operation.first_state()

    def take(self, *columns: Column) -> Outputs:
        operation, outputs = self.operation, _columns(self.operation.gives)
        for front in zip(*columns, strict=True):
            self.memory, given = operation.step(self.memory, *front)
            for told, new in zip(outputs, outputs_of(operation, given), strict=True):
                told += new
        return outputs[0] if operation.gives == 1 else outputs

    def end(self) -> Outputs:
        return [] if self.operation.gives == 1 else _columns(self.operation.gives)

    def held(self) -> int:
        return len(self.memory) if isinstance(self.memory, list | tuple | dict | set) else 1

    def state(self) -> Thing:
        return deepcopy(self.memory)

    def restore(self, state: Thing) -> None:
        self.memory = deepcopy(state)


def _columns(count: int) -> tuple[Column, ...]:
    return tuple([] for _ in range(count))
