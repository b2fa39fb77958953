"""A palette to copy: what stands here is in `cepheid.palettes.repeating`, and eSQL says it in words of its own.

REPEAT (@trades) 2 TIMES            SELECT price ROUNDED TO 5 FROM @trades
"""

from cepheid import pipes as p

__all__ = ["ESQL_GRAMMAR", "ESQL_MAKERS", "repeater", "rounded"]


def repeater(times):
    """Each value so many times: a processor of one's own in three lines."""

    @p.processor()
    def repeated(state, value):
        return state, [value] * times

    return repeated


def rounded(number, step):
    """The multiple of a step that is below a number."""
    return number // step * step


ESQL_GRAMMAR = """
repeat: <processor> ::= REPEAT ( <processor> ) <number> TIMES
rounded: <primary> ::= <primary> ROUNDED TO <number>
"""

ESQL_MAKERS = {
    "repeat": lambda source, times: source | repeater(times),
    "rounded": rounded,
}
