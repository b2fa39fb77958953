"""What every processor of a pipe holds at most, at the end of any turn.

A front waits until each of its inputs has a value at its position, so what is ahead waits in a queue: as much as one
input can be ahead of another. A window holds its values, slices a body for each key, and a verdict what it still needs.
What comes into the pipe waits until its instant is complete.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.expressions import Call, Field, Literal
from cepheid.algebra.pipes import INPUT, Detect, Fold, Gate, Map, Pipe, Resample, Slice, Source, Verdict, Window
from cepheid.analysis.bounds.bound_algebra import NOTHING, ONE, least, product, total
from cepheid.analysis.bounds.bounds import AnyArrivals, Bound, Keys, Number, Unbounded
from cepheid.analysis.bounds.formula_sizes import most_demanded, positions
from cepheid.analysis.bounds.growth import TRUTHS, TRUTHS_OF_TEXTS, grows
from cepheid.analysis.bounds.paces import Output, output_of
from cepheid.analysis.bounds.paces import ahead_of as values_ahead
from cepheid.analysis.certificates.pipe_tree import pipe_called, processors
from cepheid.analysis.certificates.pipe_wording import endless_queue, endless_verdict, growing_total, unknown_keys
from cepheid.analysis.counts.counts import Counts
from cepheid.analysis.counts.lateness import added, ahead_of, most
from cepheid.analysis.keys.key_hints import declare_keys


@dataclass(frozen=True, slots=True)
class ProcessorState:
    """What one processor holds; inside a slice, over all its keys."""

    pipe: Pipe
    entries: Bound = NOTHING


def processor_states(counts: Counts, pipe: Pipe) -> list[ProcessorState]:
    """Return what each processor of a pipe holds, in the order of their numbers."""
    return list(_States(counts).of(pipe))


@dataclass(frozen=True, slots=True)
class _States:
    """The states of the processors of one pipe, or of one body: `feeding` is what flows into that, and from where."""

    counts: Counts
    feeding: tuple["_States", Pipe] | None = None

    def of(self, pipe: Pipe) -> Iterator[ProcessorState]:
        yield ProcessorState(pipe, self._own(pipe))
        for source in pipe.inputs:
            yield from self.of(source)
        if isinstance(pipe, Window):
            # Every window has a fresh body, of which nothing is left when it is over.
            yield from (ProcessorState(each) for each in processors(pipe.body))
        if isinstance(pipe, Slice):
            yield from self._bodies(pipe)

    def _own(self, pipe: Pipe) -> Bound:
        match pipe:
            case Fold():
                return total(growing_total(pipe) if grows(pipe) else ONE, _queues(pipe.inputs))
            case Map() | Gate():
                return _queues(pipe.inputs)
            case Window(count=int(count)):
                return Number(count)
            case Window(length=length):
                return self.values(pipe.inputs[0], length or 0)
            case Slice():
                return self._keys(pipe)
            case Verdict(three_valued=True, formula=formula):
                return most_demanded(formula)
            case Verdict(formula=formula):
                looks_at = positions(formula)
                return endless_verdict(pipe) if looks_at is None else Number(looks_at - 1)
            case _:
                return NOTHING

    def _bodies(self, pipe: Slice) -> Iterator[ProcessorState]:
        keys = self._keys(pipe)
        for state in replace(self, feeding=(self, pipe.inputs[0])).of(pipe.body):
            yield ProcessorState(state.pipe, product(keys, state.entries))

    # How many keys there are.

    def _keys(self, pipe: Slice) -> Bound:
        match pipe.key:
            case Literal():
                return ONE
            case Call(function, _) if function in TRUTHS + TRUTHS_OF_TEXTS:
                return Number(2)
            case Field("$0", name):
                stream = self._stream_of(pipe.inputs[0])
                return unknown_keys(pipe) if stream is None else self._declared(name, stream, pipe)
            case _:
                return unknown_keys(pipe)

    def _declared(self, name: str, stream: str, pipe: Slice) -> Bound:
        if stream in self.counts.derived:
            return unknown_keys(pipe)
        program = self.counts.plan.program
        known = {one.name for one in program.streams if one.keys is not None}
        return Keys(name, (stream,)) if stream in known else unknown_keys(pipe, declare_keys(program, stream))

    def _stream_of(self, pipe: Pipe) -> str | None:
        """Return the type of the events that a pipe gives as they are, None if it gives something else."""
        match pipe:
            case Source(stream=stream) if stream == INPUT:
                assert self.feeding is not None
                outside, source = self.feeding
                return outside._stream_of(source)
            case Source(stream=stream):
                return stream or None
            case Resample() | Gate(inputs=(_, _)):
                return self._stream_of(pipe.inputs[0])
            case _:
                return None

    # How many values there are in a time.

    def values(self, pipe: Pipe, ticks: int) -> Bound:
        """Return the most values of a pipe whose times lie in any closed span of `ticks`."""
        given = self._values(pipe, ticks)
        most_ever = output_of(pipe).most
        return given if most_ever is None else least(given, Number(most_ever))

    def _values(self, pipe: Pipe, ticks: int) -> Bound:
        match pipe:
            case Source(stream=stream) if stream == INPUT:
                assert self.feeding is not None
                outside, source = self.feeding
                return outside.values(source, ticks)
            case Source() | Detect():
                return arriving(self.counts, pipe, ticks)
            case Resample(copies=copies):
                return product(Number(copies), self.values(pipe.inputs[0], ticks))
            case _:
                # The fronts of a span are neighbours, and of one input all their values lie in it.
                return total(*dict.fromkeys(self.values(source, ticks) for source in pipe.inputs))


def arriving(counts: Counts, pipe: Source | Detect, ticks: int) -> Bound:
    """Return the most events, or matches, that end in any closed span of `ticks` and that a pipe reads."""
    if isinstance(pipe, Detect):
        return counts.told(counts.rule_named(pipe.rule), ticks)
    if not pipe.stream:
        return AnyArrivals(tuple(sorted(counts.named)), ticks)
    return counts.stream(pipe.stream, ticks)


def arrival_buffer(counts: Counts, pipe: Pipe, disorder: int) -> Bound:
    """Return how much waits in front of a pipe until its instant is complete."""
    read = dict.fromkeys(one for one in processors(pipe) if isinstance(one, Source | Detect))
    return total(*(_waiting(counts, one, disorder) for one in read if one != Source()))


def _waiting(counts: Counts, pipe: Source | Detect, disorder: int) -> Bound:
    name = pipe.rule if isinstance(pipe, Detect) else pipe.stream
    rules = [
        rule for rule in counts.plan.rules if (rule.rule.name if isinstance(pipe, Detect) else rule.rule.emits) == name
    ]
    lag = most([0, *(None if rule.fixed is not None else added(rule.root.lag, rule.trails) for rule in rules)])
    ticks = added(lag, disorder, ahead_of(counts.plan, [rule.rule.emits for rule in rules]))
    if ticks is None:
        reason = f"nobody knows how late {pipe_called(pipe)} is emitted"
        return Unbounded(reason, None, "end the rule's events with their matches: `to end($pattern)`")
    return arriving(counts, pipe, max(ticks, 0))


def _queues(inputs: Sequence[Pipe]) -> Bound:
    """Return what waits in front of a processor: while a front is not complete, at least one queue is empty."""
    if len(inputs) == 1:
        return NOTHING
    outputs = [output_of(source) for source in inputs]
    queues = [_queue(number, inputs, outputs) for number in range(len(inputs))]
    numbers = [queue.number for queue in queues if isinstance(queue, Number)]
    return Number(sum(numbers) - min(numbers)) if len(numbers) == len(queues) else total(*queues)


def _queue(number: int, inputs: Sequence[Pipe], outputs: Sequence[Output]) -> Bound:
    """Return how many values of one input can be ahead of the others."""
    own = outputs[number]
    ahead = [0]
    for other, output in enumerate(outputs):
        farthest = 0 if other == number else values_ahead(own, output)
        if farthest is None and own.most is None:
            return endless_queue(inputs[number], inputs[other])
        ahead.append(own.most or 0 if farthest is None else farthest)
    return Number(max(ahead) if own.most is None else min(max(ahead), own.most))
