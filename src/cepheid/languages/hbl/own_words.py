"""Ways out in the words of HBL, where an analysis of all languages names them in its own."""

from cepheid.analysis.key_hints import DeclaredKeys


def in_own_words(hint: str) -> str:
    """Return a hint as it can be typed in this language.

    >>> in_own_words("add a window, for example `within 1 h`")
    'add a window: `window 10 minutes;`'
    """
    declared = DeclaredKeys.of(hint)
    if declared is not None:
        return f"say how many there are: `stream {declared.name} keys 1000;`"
    return "add a window: `window 10 minutes;`" if hint.startswith(("add a window", "say until when")) else hint
