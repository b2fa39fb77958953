"""A query over finite input on Spark, with the same results as in this process."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Ties
from cepheid.api.declarations import unseen_types
from cepheid.api.intake import Summary
from cepheid.api.ordering import no_order
from cepheid.api.portions import Portion, Telling
from cepheid.api.queries import CompiledQuery
from cepheid.connectors import DUPLICATE, LATE, Form, Reject
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic, Severity
from cepheid.events import Rounding, Value

if TYPE_CHECKING:
    from cepheid.spark.detecting import Work

_CODES = {"late": LATE, "duplicate": DUPLICATE, "corrupt": "bad-event"}
_PORTION = 1000


@dataclass(frozen=True, slots=True)
class SparkInput:
    """Files for Spark, and the columns of what they hold."""

    path: str
    type_column: str = "type"
    time_column: str = "time"
    start_column: str | None = None
    id_column: str | None = None
    order_by: Sequence[str] = ()

    @property
    def columns(self) -> dict[str, str]:
        """The columns that must be there, by the options that name them."""
        named = {
            "--type-column": self.type_column,
            "--time-column": self.time_column,
            "--start-column": self.start_column,
            "--id-column": self.id_column,
        }
        return {option: name for option, name in named.items() if name is not None}


@dataclass(slots=True)
class SparkRun:
    """The matches of a query over files, found by Spark while they are asked for; `summary` counts along."""

    query: CompiledQuery
    form: Form
    work: "Work"
    strict: bool = False
    on_reject: Callable[[Reject], None] | None = None
    evidence: bool = True
    summary: Summary = field(default_factory=Summary)
    rounding: Rounding = field(default_factory=Rounding)
    _exceeded: dict[str, None] = field(default_factory=dict)

    @property
    def warnings(self) -> list[Diagnostic]:
        """What looks like a mistake: rates that were exceeded, times that were rounded, types that did not come."""
        from cepheid.engine import not_compiled
        from cepheid.spark.results import rate_exceeded

        exceeded = map(rate_exceeded, self._exceeded)
        unseen = unseen_types(self.query.program, self.summary.types)
        return [*exceeded, *self.rounding.warnings, *unseen, *not_compiled(self.query.plan)]

    def count_events(self) -> None:
        """Count the events of the input, and those in each period of a rate, by a look at two columns of it."""
        from cepheid.spark.whole_input import figures_of

        types, self.rounding = figures_of(self.work)
        self.summary.types.update(types)
        self._exceeded.update(dict.fromkeys(self._broken_rates()))

    def portions(self) -> Iterator[Portion]:
        """Yield the matches in portions."""
        from cepheid.spark.whole_input import results_in_order

        self._refuse_broken_rates()
        portion: list[Match] = []
        for row in results_in_order(self.work):
            if row["tag"] == "figures":
                self._exceeded.update(dict.fromkeys(row["reason"].splitlines()))
                continue
            if row["tag"] != "match":
                self._set_aside(row)
                continue
            portion.append(_match(row))
            self.summary.matches += 1
            if len(portion) == _PORTION:
                yield Portion(portion, self._telling)
                portion = []
        yield Portion(portion, self._telling)

    def nothing(self) -> Portion:
        """Return a portion without matches."""
        return Portion([], self._telling)

    @property
    def _telling(self) -> Telling:
        return Telling(self.query.plan, self.form, self.evidence)

    def _broken_rates(self) -> list[str]:
        from cepheid.spark.frame_rates import broken_rates

        return broken_rates(self.work.rows, self.query.plan.program.streams)

    def _refuse_broken_rates(self) -> None:
        """Stop before anything is found where that is the policy."""
        from cepheid.engine import Excess
        from cepheid.spark.results import rate_exceeded

        broken = self._broken_rates() if self.work.settings.on_excess is Excess.FAIL else []
        if broken:
            raise CepheidError(*(replace(rate_exceeded(one), severity=Severity.ERROR) for one in broken))

    def _set_aside(self, row: Any) -> None:  # a row of Spark
        reject = _reject(row)
        if self.strict:
            raise CepheidError(reject.diagnostic)
        self.summary.rejects[reject.code] += 1
        if self.on_reject is not None:
            self.on_reject(reject)


def run_on_spark(
    query: CompiledQuery,
    events: SparkInput,
    *,
    master: str | None = None,
    strict: bool = False,
    on_reject: Callable[[Reject], None] | None = None,
    evidence: bool = True,
    on_excess: Literal["warn", "fail"] = "warn",
) -> SparkRun:
    """Return the matches of a query over files; Spark runs in this process, unless a cluster is named."""
    require_spark()
    if query.program.ties is Ties.ARRIVAL and not events.order_by:
        raise no_order("rows come in any order")  # before Spark starts, which takes long
    from cepheid.spark.detecting import prepared
    from cepheid.spark.quiet import started_quietly
    from cepheid.spark.sessions import local_session, new_session
    from cepheid.spark.whole_input import form_of_times, frame_of, refuse_unfit

    session, _ = started_quietly(lambda: new_session("cepheid", master) if master else local_session("cepheid"))
    frame = frame_of(events.path, session)
    refuse_unfit(frame, events.columns)
    work = prepared(
        frame,
        query,
        type=events.type_column,
        time=events.time_column,
        start=events.start_column,
        id=events.id_column,
        order_by=events.order_by,
        evidence=evidence,
        values="json",
        on_excess=on_excess,
    )
    return SparkRun(query, form_of_times(work), work, strict, on_reject, evidence)


def require_spark() -> None:
    """Refuse to go on without PySpark."""
    from cepheid.spark import detect  # which says what is missing

    del detect


def _match(row: Any) -> Match:  # a row of Spark
    values = {name: _value(value) for name, value in json.loads(row["values"]).items()}
    evidence = tuple(row["evidence"] or ())
    return Match(row["match"], row["start"], row["end"], values, evidence, row["id"], row["known"])


def _value(value: object) -> Value:
    """Return what JSON said as a value: lists are tuples."""
    if isinstance(value, list):
        return tuple(map(_value, value))
    if isinstance(value, dict):
        return {name: _value(one) for name, one in value.items()}
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _reject(row: Any) -> Reject:  # a row of Spark
    place = None if row["file"] is None else DataPlace(row["file"].removeprefix("file://"))
    raw: object = row["record"]
    with suppress(ValueError, TypeError):
        raw = json.loads(row["record"])
    return Reject(Diagnostic(_CODES[row["tag"]], row["reason"], place=place), raw)
