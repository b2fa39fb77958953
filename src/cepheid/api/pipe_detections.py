"""A query of any language as a processor: event records in, complex events out, as records with `start` and `end`."""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.graphs.meaning import Trace, World, ends, means
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.running import Around, Column, Outputs, Stepwise, runs
from cepheid.analysis.graphs.costs import ANY, BodyCost, Cost, costs
from cepheid.api import compiling
from cepheid.api.queries import CompiledQuery
from cepheid.api.texts import Compilable


@dataclass(frozen=True, slots=True, eq=False)
class Detect(Operation):
    query: CompiledQuery

    def text(self, *bodies: str) -> str:
        return f"detect({', '.join(rule.name for rule in self.query.program.rules)})"


def detect(query: "CompiledQuery | Compilable") -> Processor:
    """The complex events of a query over event records; what is no compiled query is compiled first."""
    return Atom(Detect(query if isinstance(query, CompiledQuery) else compiling.compile(query)))


@means(Detect)
def _detect(operation: Detect, inputs: Sequence[Trace], world: World) -> list[Trace]:
    running = Detecting(operation, None)
    outputs = [found for value in inputs[0].values for found in running.step(value)]
    return [Trace([*outputs, *running.end()] if inputs[0].has_ended else outputs, ends(inputs))]


@runs(Detect)
class Detecting(Stepwise):
    """A detector of the engine."""

    def __init__(self, operation: Detect, around: Around | None) -> None:
        self.query = operation.query
        self.detector = self.query.detector()

    def step(self, *front: Thing) -> Column:
        return [_record(one.values, one.start, one.end) for one in self.detector.push(front[0])]

    def end(self) -> Outputs:
        return [_record(one.values, one.start, one.end) for one in self.detector.close()]

    def state(self) -> Thing:
        return self.detector.snapshot()

    def restore(self, state: Thing) -> None:
        self.detector = self.query.detector(state)


def _record(values: Thing, start: Thing, end: Thing) -> dict[str, Thing]:
    return {**values, "start": start, "end": end}


@costs(Detect)
def _cost_of_detect(operation: Detect, bodies: Sequence[BodyCost]) -> Cost:
    is_bounded = operation.query.certificate.bounded
    why, hint = "the query keeps events for ever", "look at the certificate of the query"
    return Cost(ANY, 1 if is_bounded else None, why, hint)
