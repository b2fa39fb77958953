"""A match as a notebook shows it: where it lies in time, what it says, and what it rests on."""

from collections.abc import Mapping, Sequence

from cepheid.diagnostics import html_table, html_text
from cepheid.events import EventId, Time, Value, time_line

Times = tuple[Time, Time, Time | None]


def page_of_match(
    name: str, times: Times, values: Mapping[str, Value], evidence: Sequence[EventId], own_id: str
) -> str:
    """Return a match as HTML; `times` are its start, its end and when it became known."""
    rests_on = ", ".join(map(str, evidence))
    rows = [*values.items(), *([("evidence", rests_on)] if rests_on else []), *([("id", own_id)] if own_id else [])]
    return f"<b>{html_text(name)}</b><br>{time_line(*times)}{html_table((), rows)}"
