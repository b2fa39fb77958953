"""Brackets and quotes without a partner, and commas with nothing between them."""

import re
from typing import Final

from cepheid.diagnostics import CepheidError
from cepheid.languages.parte.stops import CLAUSES, STATEMENTS, Around
from cepheid.languages.shared.brackets import CLOSING
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.grammars import span_of

_VARIABLE: Final = re.compile(r"[^\W\d]\w*\s*:")


def unclosed_bracket(around: Around) -> CepheidError | None:
    """A bracket that is still open at the end, or where something begins that never stands inside one."""
    binds_next = _VARIABLE.match(around.source.text, around.stop.at) is not None
    begins = around.starts_line and (around.here in (*STATEMENTS, *CLAUSES, "emit", "no") or binds_next)
    if not around.open_brackets or not (around.stop.is_end or begins):
        return None
    bracket = around.open_brackets[-1]
    message, hint = f"nothing closes this `{bracket}`", f"put `{CLOSING[bracket]}` after `{around.before()}`"
    return refusal("unbalanced", message, span_of(bracket, around.source), "opened here", hint)


def empty_entry(around: Around) -> CepheidError | None:
    """A comma with nothing before it."""
    if around.here != "," or around.before() not in (",", "{", "(", "["):
        return None
    message, label = "nothing stands before this comma", "an entry is missing"
    return refusal("syntax", message, around.span, label, "leave the comma out, or write what it separates")
