"""Runs as a notebook shows them: their first matches as a table."""

from collections.abc import Iterable, Sequence
from itertools import chain, islice

from cepheid.api.portions import Portion
from cepheid.connectors import Report, to_json
from cepheid.diagnostics import CepheidError, html_block, html_table, html_text

SHOWN = 20
ONCE = (
    "The input of this run can be read once only, so it is not read for a look: ask for `to_arrow()` or `write(path)`."
)


def page_of_run(portions: Iterable[Portion] | None) -> str:
    """Return the first matches as a table, or why nobody looked at them."""
    if portions is None:
        return f"<p>{html_text(ONCE)}</p>"
    try:
        reports = list(islice(chain.from_iterable(map(_first, portions)), SHOWN + 1))
    except CepheidError as error:
        return html_block(str(error))
    if not reports:
        return "<p>no matches</p>"
    more = f"<p>the first {SHOWN} matches, and there are more</p>" if len(reports) > SHOWN else ""
    return f"{_table(reports[:SHOWN])}{more}"


def _first(portion: Portion) -> list[Report]:
    return portion.first(SHOWN + 1).reports()


def _table(reports: Sequence[Report]) -> str:
    names = list(dict.fromkeys(name for report in reports for name in report.values))
    titles = ["match", "start", "end", "known", *names, "evidence"]
    return html_table(titles, [_row(report, names) for report in reports])


def _row(report: Report, names: Sequence[str]) -> list[object]:
    values = (_told(report.values.get(name)) for name in names)
    evidence = ", ".join(map(str, report.evidence))
    return [report.name, report.start, report.end, report.known, *values, evidence]


def _told(value: object) -> object:
    return value if value is None or isinstance(value, str | int | float) else to_json(value)
