"""Names as they are written: a word, or anything at all in backticks.

    login      `two words`      `then`

In backticks, escapes are those of JSON.
"""

import json
import re
from collections.abc import Container
from typing import Final

WORD: Final = re.compile(r"[^\W\d]\w*")
OPERATOR_WORDS: Final = frozenset(
    ["or", "and", "not", "in", "true", "false", "null", "minus", "then", "within", "by", "emits"]
)
"""The words that are never names; `expressions.lark` has the same list."""


def shown_name(name: str, reserved: Container[str] = OPERATOR_WORDS) -> str:
    """Return a name as it is written, in backticks where it could be mistaken for something else.

    >>> shown_name("login"), shown_name("then"), shown_name("two words")
    ('login', '`then`', '`two words`')
    """
    return name if WORD.fullmatch(name) and name not in reserved else quoted_name(name)


def quoted_name(name: str) -> str:
    """Return a name in backticks."""
    return "`" + shown_string(name)[1:-1].replace("`", "\\u0060") + "`"


def shown_string(text: str) -> str:
    """Return a text in quotes."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
