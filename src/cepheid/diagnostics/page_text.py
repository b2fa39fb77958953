"""Plain HTML for notebooks: what others wrote is shown as text, and never obeyed."""

from collections.abc import Iterable, Sequence
from html import escape

from cepheid.diagnostics.screen_text import visible


def html_text(value: object) -> str:
    """Return a text as HTML shows it.

    >>> html_text("<b> & 'c'")
    '&lt;b&gt; &amp; &#x27;c&#x27;'
    """
    return escape(visible(str(value), lines=True))


def html_block(text: str) -> str:
    """Return lines of text in a box of their own.

    >>> html_block("a < b")
    '<pre>a &lt; b</pre>'
    """
    return f"<pre>{html_text(text)}</pre>"


def html_table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; where there is no value, its cell is empty.

    >>> html_table(["a"], [[1], [None]])
    '<table><tr><th>a</th></tr><tr><td>1</td></tr><tr><td></td></tr></table>'
    """
    lines = [*([_row("th", titles)] if titles else []), *(_row("td", row) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[object]) -> str:
    told = (f"<{tag}>{'' if cell is None else html_text(cell)}</{tag}>" for cell in cells)
    return f"<tr>{''.join(told)}</tr>"
