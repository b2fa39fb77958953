"""How many values each processor gives, as far as that can be told from what flows into it.

Processors count in values. A map gives one per front, a window of 3 two fewer than came, a filter nobody knows how
many. Two inputs of a front keep pace where their numbers follow from the same one: of a stream, or of the same filter.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cepheid.algebra.pipes import Gate, Pipe, Resample, Source, Verdict, Window
from cepheid.analysis.bounds.formula_sizes import positions
from cepheid.analysis.bounds.tallies import EACH, NONE, Tally, most_ahead, resampled, shortened, slowest


@dataclass(frozen=True, slots=True)
class Pace:
    """At least and at most so many values, by the number of values of something else."""

    low: Tally
    high: Tally


@dataclass(frozen=True, slots=True)
class Trues:
    """The true values of a condition: what it is that filters with this condition count by."""

    condition: Pipe


Base = Pipe | Trues


@dataclass(frozen=True, slots=True)
class Output:
    """What is known about the number of values of a processor: its paces, and how many it gives in all, if limited."""

    paces: Mapping[Base, Pace]
    most: int | None = None


def output_of(pipe: Pipe) -> Output:
    """Return what is known about the number of values that a pipe gives."""
    inputs = [output_of(source) for source in pipe.inputs]
    known = _Known(pipe, inputs, _front(inputs)).output() if inputs else Output({})
    return Output({**known.paces, pipe: Pace(EACH, EACH)}, known.most)


def ahead_of(one: Output, other: Output) -> int | None:
    """Return how many values one can be ahead of another at most; None where nothing is known that limits it."""
    common = [base for base in one.paces if base in other.paces]
    known = [most_ahead(one.paces[base].high, other.paces[base].low) for base in common]
    return min((ahead for ahead in known if ahead is not None), default=None)


@dataclass(frozen=True, slots=True)
class _Known:
    """The number of values of a processor from those of its inputs."""

    pipe: Pipe
    inputs: list[Output]
    front: Output

    def output(self) -> Output:
        match self.pipe:
            case Resample() as pipe:
                return self._resampled(pipe)
            case Gate():
                return self._gated()
            case Window(count=None, body=body):
                gives = _of_body(body)
                return self.front if gives is not None and gives.low.at(1) >= 1 else self._some(self.front)
            case Window(count=count, body=body):
                return self._windows(count or 1, _of_body(body))
            case Verdict(three_valued=False, formula=formula):
                looks_at = positions(formula)
                return self._some(self.front) if looks_at is None else self._late(looks_at - 1)
            case _:
                return self.front

    def _resampled(self, pipe: Resample) -> Output:
        paces = {base: Pace(resampled(one.low, pipe), resampled(one.high, pipe)) for base, one in self._paces()}
        kept = [] if pipe.limit is None else [pipe.limit * pipe.copies]
        given = [] if self.front.most is None else [resampled(EACH, pipe).at(self.front.most)]
        return Output(paces, min([*kept, *given], default=None))

    def _gated(self) -> Output:
        """A filter gives as many as its condition is true, where nothing else is slower than the condition."""
        *others, condition = self.inputs
        some = self._some(self.front)
        if all(ahead_of(condition, other) == 0 for other in others):
            return Output({**some.paces, Trues(self.pipe.inputs[-1]): Pace(EACH, EACH)}, some.most)
        return some

    def _windows(self, count: int, body: Pace | None) -> Output:
        paces = {
            base: Pace(shortened(one.low, count - 1), shortened(one.high, count - 1)) for base, one in self._paces()
        }
        most = None if self.front.most is None else max(self.front.most - count + 1, 0)
        every = Output(paces, most)
        if body is not None and body.low.at(count) >= count:
            return every
        return self._some(every)

    def _late(self, by: int) -> Output:
        """What is decided at once, or so many values later."""
        return Output({base: Pace(shortened(one.low, by), one.high) for base, one in self._paces()}, self.front.most)

    def _some(self, every: Output) -> Output:
        """Some of them, and nobody knows how many."""
        return Output({base: Pace(NONE, pace.high) for base, pace in every.paces.items()}, every.most)

    def _paces(self) -> list[tuple[Base, Pace]]:
        return list(self.front.paces.items())


def _front(inputs: list[Output]) -> Output:
    """Return the number of fronts: as many as the slowest input has values."""
    paces = {}
    for base in dict.fromkeys(base for one in inputs for base in one.paces):
        known = [one.paces[base] for one in inputs if base in one.paces]
        low = slowest([pace.low for pace in known]) if len(known) == len(inputs) else NONE
        paces[base] = Pace(low, slowest([pace.high for pace in known]))
    return Output(paces, min((one.most for one in inputs if one.most is not None), default=None))


def _of_body(body: Pipe) -> Pace | None:
    """Return how many values a body gives by the number that come into it, None if that cannot be told."""
    return output_of(body).paces.get(Source())
