"""Ways out in Python, for queries that the builder made, where an analysis names them in the text form."""

import re
from typing import Final

from cepheid.analysis.key_hints import DeclaredKeys

_CLAUSES: Final = (
    (re.compile(r" rate 1 per (\S+ \w+) spaced"), r', every="\1"'),
    (re.compile(r" rate (\d+) per (\S+ \w+)"), r', rate="\1 per \2"'),
    (re.compile(r" disorder (\S+ \w+)"), r', disorder="\1"'),
    (re.compile(r" sources \((.*)\)"), lambda found: f", sources={found[1].split(', ')}"),
)


def in_python(hint: str) -> str:
    """Return a hint as it can be typed in Python.

    >>> in_python("add a window, for example `within 1 h`")
    'add a window, for example `.within("1 h")`'
    >>> in_python("say how many there are: `stream A rate 5 per 1 s keys 1000`")
    'say how many there are, in the `streams` of the program: `declare("A", rate="5 per 1 s", keys=1000)`'
    """
    declared = DeclaredKeys.of(hint)
    if declared is None:
        return hint.replace("`within 1 h`", '`.within("1 h")`')
    name, clauses = declared.name.strip("`"), declared.clauses
    for clause, keyword in _CLAUSES:
        clauses = clause.sub(keyword, clauses)
    return f'say how many there are, in the `streams` of the program: `declare("{name}"{clauses}, keys=1000)`'
