"""Names, strings and numbers as they are written in the text form.

    login    $0    `two words`    "a string"    1    1.0    true    null    [1, 2]    {"user": "ann"}

A name that is no identifier, or that is a word of the text form, stands in backticks.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final

from cepheid.diagnostics import CepheidError
from cepheid.events import Duration, Value

_IN_EXPRESSIONS = "and bound end false if in inf items lookup nan not null or position start true"
_ELSEWHERE = """
    after all always avoid between by chain choose chronological collect contains copies detect disorder distinct
    during either emits equals events eventually every exists finished_by finishes fold for forall from gap gate
    implies input inside instant into join key keys let limit link map meets merged met_by next none observing
    of on overlapped_by overlaps par per pipe recent records relation repeat resample rule show skip slice source
    sources spaced started_by starts step stream strict table then tick tie to unless until verdict where window
    with within rate before ties arrival simultaneous sequence optional consecutive any combinations greedy suppress
"""

EXPRESSION_WORDS: Final = frozenset(_IN_EXPRESSIONS.split())
"""The words that mean something where an operand begins or has ended."""

WORDS: Final = EXPRESSION_WORDS | frozenset(_ELSEWHERE.split())
"""All words of the text form."""

IDENTIFIER: Final = re.compile(r"\$\w+|[^\W\d]\w*")
_QUOTE_OR_ESCAPE = re.compile(r'\\.|"')


def shown_name(name: str) -> str:
    """Return a name as it stands alone.

    >>> shown_name("login"), shown_name("$0"), shown_name("then"), shown_name("two words")
    ('login', '$0', '`then`', '`two words`')
    """
    return name if IDENTIFIER.fullmatch(name) and name not in WORDS else quoted(name)


def shown_member(name: str) -> str:
    """Return a name as it stands after a dot, where no word of the text form can be meant."""
    return name if IDENTIFIER.fullmatch(name) else quoted(name)


def shown_function(name: str) -> str:
    """Return a name as it stands before an opening parenthesis."""
    return name if IDENTIFIER.fullmatch(name) and name not in EXPRESSION_WORDS else quoted(name)


def shown_names(names: Iterable[str]) -> str:
    """Return names as they stand in parentheses, where no word of the text form can be meant either."""
    return ", ".join(map(shown_member, names))


def read_name(text: str) -> str:
    r"""Return the name that a text says.

    >>> read_name("login"), read_name(r"`two \"words\"`"), read_name('`two "words"`')
    ('login', 'two "words"', 'two "words"')
    """
    if not text.startswith("`"):
        return text
    escaped = _QUOTE_OR_ESCAPE.sub(lambda found: '\\"' if found[0] == '"' else found[0], text[1:-1])
    return str(json.loads(f'"{escaped}"'))


def shown_value(value: Value) -> str:
    """Return a constant.

    >>> shown_value((1, 1.0, "one", None, {"is": True}))
    '[1, 1.0, "one", null, {"is": true}]'
    """
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(shown_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_string(name)}: {shown_value(item)}' for name, item in value.items())}}}"
    return json.dumps(value)


def shown_ticks(ticks: int) -> str:
    """Return a length of time with its unit.

    >>> [shown_ticks(ticks) for ticks in (5_000_000, -250_000, 86_400_000_000, 7, 0)]
    ['5 s', '-250 ms', '1 day', '7 us', '0']
    """
    if ticks == 0:
        return "0"
    try:
        return str(Duration(ticks))
    except CepheidError:  # more than a duration holds
        return str(ticks)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def quoted(name: str) -> str:
    return "`" + _string(name)[1:-1].replace("`", "\\u0060") + "`"
