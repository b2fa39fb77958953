"""What caused an error of Spark: the one line of a long report that says it, and our own errors as they were raised."""

import re

from cepheid.diagnostics import CepheidError, Diagnostic, codes

_CAUSE = re.compile(r"(?:^|\s)(?:[\w.$]+(?:Exception|Error)): (.*)")
_OURS = re.compile(r"CepheidError: \w+\[([\w-]+)\]: (.*)((?:\n +[=|] ?.*)*)")
_HINT = re.compile(r"= hint: (.*)")


def cause_of(reason: str) -> str:
    """Return the line of a report that says what caused it."""
    ours, causes = _OURS.findall(reason), _CAUSE.findall(reason)
    first = reason.strip().splitlines()[0] if reason.strip() else "nobody said why"
    return str(ours[-1][1] if ours else causes[-1] if causes else first).strip()


def own_error(reason: str, *wanted: str) -> CepheidError | None:
    """Return the error of ours that a worker raised, where it has one of some codes."""
    for code, message, rest in reversed(_OURS.findall(reason)):
        if code in wanted and code in codes:
            return CepheidError(Diagnostic(code, message.strip(), hints=tuple(_HINT.findall(rest))))
    return None
