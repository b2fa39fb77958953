"""Ways out in the words of the event detection algebra, where an analysis of all languages names them in its own."""

from cepheid.analysis.key_hints import DeclaredKeys


def in_own_words(hint: str) -> str:
    """Return a hint as it can be typed in this language.

    >>> in_own_words("say how many there are: `stream Button rate 5 per 1 s keys 1000`")
    'say how many there are: `keys Button 1000`'
    """
    declared = DeclaredKeys.of(hint)
    if declared is not None:
        return f"say how many there are: `keys {declared.name} 1000`"
    return "add a window, for example `within 1 h`" if hint.startswith("say until when") else hint
