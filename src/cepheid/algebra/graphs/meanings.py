"""What the built-in operations give, one short function for each."""

from collections.abc import Sequence

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.collections import elements
from cepheid.algebra.graphs.evaluation import value_of
from cepheid.algebra.graphs.functions import NOTHING
from cepheid.algebra.graphs.meaning import Trace, World, ends, fronts, means, part, times_in, trace_of
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Apply
from cepheid.algebra.graphs.slices import gathered, slice_key
from cepheid.algebra.graphs.sums import exact_sum
from cepheid.algebra.graphs.times import known_time
from cepheid.algebra.graphs.user_processors import outputs_of


def _like(inputs: Sequence[Trace], *outputs: Sequence[Thing]) -> list[Trace]:
    """Return outputs that end when there are no more fronts."""
    return [Trace(values, ends(inputs)) for values in outputs]


@means(op.Passthrough)
def _passthrough(operation: op.Passthrough, inputs: Sequence[Trace], world: World) -> list[Trace]:
    together = fronts(inputs)
    return _like(inputs, *([front[place] for front in together] for place in range(operation.count)))


@means(Apply)
def _apply(operation: Apply, inputs: Sequence[Trace], world: World) -> list[Trace]:
    together = fronts(inputs)
    return _like(inputs, *([value_of(one, front, world.names) for front in together] for one in operation.functions))


@means(op.TurnInto)
def _turn_into(operation: op.TurnInto, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return _like(inputs, [operation.value for _ in fronts(inputs)])


@means(op.Fork)
def _fork(operation: op.Fork, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return [inputs[0]] * operation.count


@means(op.Cumulate)
def _cumulate(operation: op.Cumulate, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values = inputs[0].values
    if world.is_exact and operation.known == "+":
        before = [] if operation.initial is NOTHING else [operation.initial]
        return _like(inputs, [exact_sum([*before, *values[: place + 1]]) for place in range(len(values))])
    outputs: list[Thing] = []
    total = operation.initial
    for value in values:
        total = value if total is NOTHING else value_of(operation.function, (total, value), world.names)
        outputs.append(total)
    return _like(inputs, outputs)


@means(op.Decimate)
def _decimate(operation: op.Decimate, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values = inputs[0].values
    is_short = operation.last and inputs[0].has_ended and len(values) % operation.step != 1 % operation.step
    return _like(inputs, [*values[:: operation.step], *(values[-1:] if is_short else ())])


@means(op.Freeze)
def _freeze(operation: op.Freeze, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return _like(inputs, [inputs[0].values[0] for _ in inputs[0].values])


@means(op.Trim)
def _trim(operation: op.Trim, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return _like(inputs, inputs[0].values[operation.count :])


@means(op.Prefix)
def _prefix(operation: op.Prefix, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values = inputs[0].values[: operation.count]
    return [Trace(values, inputs[0].has_ended or len(values) == operation.count)]


@means(op.Stutter)
def _stutter(operation: op.Stutter, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return _like(inputs, [value for value in inputs[0].values for _ in range(operation.count)])


@means(op.Insert)
def _insert(operation: op.Insert, inputs: Sequence[Trace], world: World) -> list[Trace]:
    # It waits for the first value, so that a trace without values stays without.
    values = inputs[0].values
    return _like(inputs, [*[operation.value] * operation.count, *values] if values else [])


@means(op.KeepLast)
def _keep_last(operation: op.KeepLast, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return _like(inputs, inputs[0].values[-1:] if inputs[0].has_ended else [])


@means(op.Filter)
def _filter(operation: op.Filter, inputs: Sequence[Trace], world: World) -> list[Trace]:
    passed = [front for front in fronts(inputs) if front[-1] is True]
    return _like(inputs, *([front[place] for front in passed] for place in range(operation.count)))


@means(op.Where)
def _where(operation: op.Where, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return _like(
        inputs, [value for value in inputs[0].values if value_of(operation.function, (value,), world.names) is True]
    )


@means(op.Window)
def _window(operation: op.Window, inputs: Sequence[Trace], world: World) -> list[Trace]:
    size, inside = operation.size, world.in_window()
    windows = [part(inputs[0], first, first + size) for first in range(len(inputs[0].values) - size + 1)]
    given = [trace_of(operation.body, window, inside) for window in windows]
    return _like(inputs, [outputs[size - 1] for outputs in given if len(outputs) >= size])


@means(op.TimeWindow)
def _time_window(operation: op.TimeWindow, inputs: Sequence[Trace], world: World) -> list[Trace]:
    trace, times = inputs[0], times_in(inputs[0])
    outputs: list[Thing] = []
    for last in range(len(times)):
        newest = max(map(known_time, times[: last + 1]))
        recent = [place for place in range(last + 1) if newest - known_time(times[place]) <= operation.ticks]
        window = Trace([trace.values[place] for place in recent], False, [times[place] for place in recent])
        outputs += trace_of(operation.body, window, world.in_window())[-1:]
    return _like(inputs, outputs)


@means(op.Successive)
def _successive(operation: op.Successive, inputs: Sequence[Trace], world: World) -> list[Trace]:
    values, size = inputs[0].values, operation.size
    together = [values[first : first + size] for first in range(len(values) - size + 1)]
    return _like(inputs, [value_of(operation.function, front, world.names) for front in together])


@means(op.Slice)
def _slice(operation: op.Slice, inputs: Sequence[Trace], world: World) -> list[Trace]:
    trace, outputs = inputs[0], []
    places: dict[Thing, list[int]] = {}
    for place, value in enumerate(trace.values):
        key = slice_key(value_of(operation.function, (value,), world.names))
        if key is not None and key != op.EVERY_SLICE:
            places.setdefault(key, [])
        for one, own in places.items():
            if key in (one, op.EVERY_SLICE):
                own.append(place)
        outputs.append(gathered(operation.gather, _last_outputs(operation, trace, places, world)))
    return _like(inputs, outputs)


def _last_outputs(
    operation: op.Slice, trace: Trace, places: dict[Thing, list[int]], world: World
) -> list[tuple[Thing, Thing]]:
    found = []
    for key, own in places.items():
        times = times_in(trace)
        inside = Trace([trace.values[place] for place in own], False, [times[place] for place in own])
        found += [(key, output) for output in trace_of(operation.body, inside, world)[-1:]]
    return found


@means(op.Choose)
def _choose(operation: op.Choose, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return _like(inputs, [yes if first is True else no for first, yes, no in fronts(inputs)])


@means(op.Yield)
def _yield(operation: op.Yield, inputs: Sequence[Trace], world: World) -> list[Trace]:
    outputs: list[Thing] = []
    last = -operation.count
    for place, (first, yes, no) in enumerate(fronts(inputs)):
        is_free = first is True and place - last >= operation.count
        last = place if is_free else last
        outputs.append(yes if is_free else no)
    return _like(inputs, outputs)


@means(op.Collate)
def _collate(operation: op.Collate, inputs: Sequence[Trace], world: World) -> list[Trace]:
    together = fronts(inputs)
    if operation.names:
        return _like(inputs, [dict(zip(operation.names, front, strict=True)) for front in together])
    return _like(inputs, together)


@means(op.Pack)
def _pack(operation: op.Pack, inputs: Sequence[Trace], world: World) -> list[Trace]:
    together = fronts(inputs)
    cuts = [place for place, front in enumerate(together) if front[1] is True]
    starts = [0, *cuts]
    return _like(inputs, [[front[0] for front in together[a:b]] for a, b in zip(starts, cuts, strict=False)])


@means(op.Unpack)
def _unpack(operation: op.Unpack, inputs: Sequence[Trace], world: World) -> list[Trace]:
    return _like(inputs, [element for value in inputs[0].values for element in elements(value)])


@means(op.RunOn)
def _run_on(operation: op.RunOn, inputs: Sequence[Trace], world: World) -> list[Trace]:
    given = [trace_of(operation.body, Trace(list(elements(value))), world) for value in inputs[0].values]
    return _like(inputs, [outputs[-1] for outputs in given if outputs])


@means(op.UserProcessor)
def _user(operation: op.UserProcessor, inputs: Sequence[Trace], world: World) -> list[Trace]:
    state = operation.first_state()
    outputs: list[list[Thing]] = [[] for _ in range(operation.gives)]
    for front in fronts(inputs):
        state, given = operation.step(state, *front)
        for told, new in zip(outputs, outputs_of(operation, given), strict=True):
            told += new
    return _like(inputs, *outputs)
