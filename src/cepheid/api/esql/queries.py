"""Queries of eSQL: compiled from a text, run over traces and tables, pulled at or pushed to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from cepheid.algebra.graphs.processors import Processor
from cepheid.api import processors as processors  # which lets processors run
from cepheid.api.esql.binding import FINITE, Binding, Trace, all_names, below, is_table, rows_of
from cepheid.api.esql.sources import lines_of, tuples_of
from cepheid.diagnostics import CepheidError, Diagnostic, Source, close_match
from cepheid.languages.esql.common_tables import without_common
from cepheid.languages.esql.grammars.definitions import Dictionary, loaded
from cepheid.languages.esql.grammars.expanding import expanded
from cepheid.languages.esql.grammars.printing import show
from cepheid.languages.esql.grammars.syntax import Part
from cepheid.languages.esql.grammars.tree import drawn
from cepheid.languages.esql.lowering import Lowering, Maker
from cepheid.languages.esql.selects import columns_of
from cepheid.languages.shared.findings import refusal

__all__ = ["STAGES", "EsqlQuery", "Outside", "query_of"]

STAGES = ("parsed", "algebra", "bounds")


@dataclass(frozen=True, slots=True)
class Outside:
    """What a text may use beside itself: tables by name, makers of palettes, and folders of files."""

    tables: Mapping[str, Any] = field(default_factory=dict)  # rows, frames
    makers: Mapping[str, Maker] = field(default_factory=dict)
    folders: tuple[Path, ...] = (Path(),)
    allow_unbounded: bool = False
    """Whether a query over a stream may keep something for ever."""


@dataclass(frozen=True, slots=True)
class EsqlQuery:
    """A query of eSQL. `form` is what was written, with its definitions in `dictionary`."""

    text: str = field(repr=False)
    form: Part = field(repr=False)
    dictionary: Dictionary = field(repr=False)
    outside: Outside = field(repr=False)
    _expanded: Part = field(repr=False)
    _ready: list[Processor] = field(default_factory=list, repr=False, compare=False)
    """The processor, once it was needed, where it is the same whatever is given for the inputs."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of all inputs, in the order in which they stand."""
        return all_names(self._expanded, self.outside.tables)

    @property
    def processor(self) -> Processor:
        """The pipe that this query is, with an input for each of `inputs`."""
        return self._bound(None).processor()[0]

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The names of the attributes that its tuples have; None where the text does not say them."""
        return columns_of(self._expanded, self.dictionary.grammar)

    def run(self, **inputs: Trace) -> list[Any]:  # values of any kind
        """Return all that comes out of finite traces or tables.

        Each input is a list, an iterator, a frame, or the name of a file of tuples.
        """
        processor, traces = self._given(inputs)
        found: list[Any] = processor.run(*traces)
        return found

    def pull(self, **inputs: Trace) -> Iterator[Any]:
        """Return an iterator over what comes out; inputs are read as far as that needs.

        Where one of them may have no end, what would keep something for ever is refused, unless that is allowed.
        """
        processor, traces = self._given(inputs)
        are_finite = all(isinstance(given, FINITE) or is_table(given) for given in inputs.values())
        return processor.pull(*traces, allow_unbounded=are_finite or self.outside.allow_unbounded)

    def start(self, snapshot: bytes | None = None) -> Any:  # a running copy of the engine's
        """Return a running copy to push values into: `.push(value, at=0)`, where `at` counts `inputs`."""
        return self.processor.start(snapshot, allow_unbounded=self.outside.allow_unbounded)

    @property
    def certificate(self) -> Any:  # the analysis's
        """What this keeps in queues, windows and slices, bounded or not, and where."""
        processor: Any = self.processor
        return processor.certificate()

    def draw(self) -> str:
        """Return a picture of boxes and pipes, as SVG."""
        processor: Any = self.processor
        return str(processor.draw())

    def explain(self, stage: str = "algebra") -> str:
        """Return what became of the query: `parsed` its forms, `algebra` its pipe, `bounds` what it keeps."""
        match stage:
            case "parsed":
                return drawn(self.form)
            case "algebra":
                return repr(self._tried)
            case "bounds":
                return str(self.certificate)
        closest = close_match(stage, STAGES) or "algebra"
        message, hint = f"a query of eSQL has no stage `{stage}`", f"did you mean `{closest}`?"
        raise CepheidError(Diagnostic("unknown-stage", message, hints=(hint,)))

    def show(self) -> str:
        """Return the query as text."""
        return show(self.dictionary.grammar, self.form)

    def check(self) -> None:
        """Raise where the query cannot run, whatever it will be given."""
        _ = self._tried

    @property
    def _tried(self) -> Processor:
        return replace(self._bound(None), is_tried=True).processor()[0]

    def _given(self, inputs: Mapping[str, Trace]) -> tuple[Processor, tuple[Any, ...]]:
        binding = self._bound(inputs)
        names = binding.check_names()
        if not binding.is_of_traces:
            return binding.processor()
        if not self._ready:
            self._ready.append(binding.processor()[0])
        return self._ready[0], tuple(rows_of(inputs[name]) for name in names)

    def _bound(self, inputs: Mapping[str, Trace] | None) -> Binding:
        outside = self.outside
        lowering = Lowering(
            self.dictionary.grammar,
            (),
            outside.tables,
            outside.makers,
            partial(_lines, outside.folders),
            partial(_tuples, outside.folders),
        )
        return Binding(self._expanded, lowering, inputs)


def query_of(dictionary: Dictionary, text: str, name: str, outside: Outside) -> EsqlQuery:
    """Return the query that stands last in a text, which may begin with definitions."""
    grown, form = loaded(dictionary, text, name)
    if form is None:
        end, hint = Source(name, text).end, "write a query after the definitions: `THE FIRST 3 OF @trades.`"
        raise refusal("incomplete-statement", "there is no query", end, "nothing to run", hint)
    found = EsqlQuery(text, form, grown, outside, without_common(expanded(form, grown.definitions)))
    found.check()
    return found


def _lines(folders: tuple[Path, ...], file: str) -> Processor:
    return lines_of(below(folders, file))


def _tuples(folders: tuple[Path, ...], file: str) -> Processor:
    return tuples_of(below(folders, file))
