"""What can be done with a processor: run it over traces, start it, pull at its outputs."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from cepheid.algebra.builder.declarations import arrival_of
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.analysis.graphs.certificate import Declared, GraphCertificate, Keys, certify_graph
from cepheid.analysis.graphs.drawing import drawn
from cepheid.engine.pipes.columns import in_columns, is_arrow, rows_of
from cepheid.engine.pipes.graphs.copies import RunningCopy, rest
from cepheid.engine.pipes.graphs.machine import Machine
from cepheid.engine.pipes.graphs.pulling import Crank, Pullable, check_traces
from cepheid.engine.pipes.graphs.schedules import schedule_of

_MOST_AT_ONCE: Final = 1024


class GraphRunner:
    """Runs processors in this process."""

    def run(self, processor: Processor, traces: tuple[Iterable[Thing], ...]) -> Thing:
        """Return the outputs over finite traces, which then end."""
        check_traces(processor, traces)
        if any(map(is_arrow, traces)):
            found = in_columns(processor, traces[0]) if len(traces) == 1 else None
            if found is not None:
                return found
            traces = tuple(rows_of(trace) if is_arrow(trace) else trace for trace in traces)
        schedule = schedule_of(processor)
        for number, wire in enumerate(schedule.outputs):
            if schedule.is_endless[wire]:
                raise _endless(number)
        machine = Machine(schedule)
        outputs = _all(machine, traces)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def may_go_on(self, processor: Processor) -> bool:
        """Say whether a source may have no end."""
        return any(source.is_endless or source.is_open for source in schedule_of(processor).sources)

    def start(self, processor: Processor, snapshot: bytes | None) -> RunningCopy:
        return RunningCopy(processor, snapshot)

    def pull(self, processor: Processor, traces: tuple[Iterable[Thing], ...], output: int | None) -> Pullable:
        if output is not None and not 0 <= output < processor.outputs:
            raise refusal(f"there is no output {output}", f"there are {processor.outputs}, counted from 0")
        if processor.outputs == 0:
            raise refusal(f"`{processor!r}` has no output to pull at", "write `run`")
        crank = Crank(processor, traces)
        return Pullable(crank, range(processor.outputs) if output is None else range(output, output + 1))

    def pulls(self, processor: Processor, traces: tuple[Iterable[Thing], ...]) -> tuple[Pullable, ...]:
        crank = Crank(processor, traces)
        return tuple(Pullable(crank, range(place, place + 1)) for place in range(processor.outputs))

    def certificate(
        self, processor: Processor, keys: Keys | None, rates: str | None, lead: int | None
    ) -> GraphCertificate:
        rate = None if rates is None else arrival_of(rates)
        return certify_graph(processor, Declared(keys, rate, lead))

    def draw(self, processor: Processor) -> str:
        return drawn(processor)


def _all(machine: Machine, traces: tuple[Iterable[Thing], ...]) -> list[list[Thing]]:
    """Return all outputs: traces are read in step, a thousand values at a time, until they or the outputs end."""
    readers = [iter(trace) for trace in traces]
    outputs: list[list[Thing]] = [[] for _ in machine.schedule.outputs]
    while readers and not all(machine.closed[: len(readers)]) and not machine.is_over:
        columns = [list(islice(reader, _MOST_AT_ONCE)) for reader in readers]
        closing = [len(column) < _MOST_AT_ONCE for column in columns]
        _gather(outputs, machine.turn(columns, closing if any(closing) else None))
        if machine.schedule.sources and machine.has_finite_sources:
            _gather(outputs, machine.draw(_MOST_AT_ONCE))
    return rest(machine, outputs)


def _gather(outputs: list[list[Thing]], more: list[list[Thing]]) -> None:
    for told, column in zip(outputs, more, strict=True):
        told += column


def _endless(output: int) -> Exception:
    return refusal(f"output {output} has no end", "take the first values of it: `| p.prefix(10)`")
