"""A stretch of time as a picture: a bar from its start to its end, and a mark where it became known."""

from datetime import datetime

from cepheid.diagnostics import html_text
from cepheid.events.time_forms import Time, time_reader

_WIDTH, _MARGIN = 480, 12
_TEXT = 'font-family="sans-serif" font-size="11" fill="currentColor"'


def time_line(start: Time, end: Time, known: Time | None) -> str:
    """Return a picture as SVG.

    >>> 'x="12"' in time_line(1, 2, None), "known" in time_line(1, 2, None), "known at 3" in time_line(1, 2, 3)
    (True, False, True)
    """
    first, last = _number(start), _number(end)
    latest = max(last, last if known is None else _number(known))
    right = _place(last, first, latest)
    marks = [
        f'<rect x="{_MARGIN}" y="18" width="{max(right - _MARGIN, 2):g}" height="8" rx="2" fill="steelblue"/>',
        f'<text x="{_MARGIN}" y="12" {_TEXT}>{html_text(start)} to {html_text(end)}</text>',
    ]
    if known is not None:
        at = _place(_number(known), first, latest)
        marks.append(f'<line x1="{at:g}" x2="{at:g}" y1="14" y2="30" stroke="darkorange" stroke-width="2"/>')
        marks.append(f'<text x="{_MARGIN}" y="42" {_TEXT}>known at {html_text(known)}</text>')
    size = f'width="{_WIDTH}" height="48" viewBox="0 0 {_WIDTH} 48"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(marks)}</svg>'


def _place(time: float, first: float, latest: float) -> float:
    """Return how far to the right a time stands."""
    whole = latest - first
    return _MARGIN + (_WIDTH - 2 * _MARGIN) * ((time - first) / whole if whole else 0)


def _number(time: Time) -> float:
    return time_reader("us")(time) if isinstance(time, str | datetime) else time
