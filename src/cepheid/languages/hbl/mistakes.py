"""What is wrong where a text leaves the grammar: the first explanation that fits."""

import re
from collections.abc import Callable
from typing import Final

from cepheid.diagnostics import CepheidError, close_match
from cepheid.languages.hbl.step_mistakes import (
    avoid_after_avoid,
    avoid_at_the_end,
    avoid_elsewhere,
    avoid_of_many,
    bare_alternatives,
    empty_condition,
    followed_alone,
    nested_alternatives,
    types_missing,
)
from cepheid.languages.shared.brackets import CLOSING, unclosed_quote, unopened_bracket
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.grammars import Stop, span_of
from cepheid.languages.shared.names import OPERATOR_WORDS, quoted_name
from cepheid.languages.shared.surroundings import OPERAND_TYPES, Surroundings

RESERVED: Final = OPERATOR_WORDS | {"any", "letting", "avoid", "followed"}
"""The words that are never names."""
_BEFORE_NAMES: Final = ("{", ",", "=", "(", "[", "|", ";", "letting", "initially")
_SIGNS: Final = {"=": "==", "&&": "and", "||": "or", "!": "not", "<>": "!="}
"""How a condition says what other languages write in signs."""
_WORD: Final = re.compile(r"\w+")
_STATEMENT_WORDS: Final = ("window", "initially", "alert", "watchpoint", "stream", "tick", "ties")


def mistake(stop: Stop) -> CepheidError:
    """Return the error that explains why reading stopped."""
    around = Surroundings(stop)
    found = (explanation(around) for explanation in _EXPLANATIONS)
    return next((error for error in found if error is not None), _anything_else(around))


def _nameless(around: Surroundings) -> CepheidError | None:
    """`watchpoint {`, `watchpoint by k {`: nothing is called by its name."""
    if around.before() != "watchpoint" or around.before(2) not in ("", "}", ";") or around.here not in ("{", "by", ""):
        return None
    message, label = "a watchpoint has a name", "it is missing here"
    return refusal("missing-operand", message, around.gap, label, _EXAMPLE)


def _stray_bracket(around: Surroundings) -> CepheidError | None:
    """A closing bracket that nothing opens; the braces of the watchpoint are open anyway."""
    return unopened_bracket(around, "([{" if around.here == "}" else "([")


def _missing_semicolon(around: Surroundings) -> CepheidError | None:
    """A statement that ends without `;`, at the next one or at the `}` of its watchpoint."""
    token = around.token_before()
    if token is None or not _ends_something(around) or not _begins_statement(around):
        return None
    if [str(one) for one in around.brackets("([{", ")]}")] not in ([], ["{"]):
        return None
    span = around.span_before()
    place = span.source.span(span.end, span.end)
    return refusal("syntax", "a statement ends with `;`", place, "none stands here", f"write `{token};`")


def _ends_something(around: Surroundings) -> bool:
    token = around.token_before()
    return token is not None and (token.type in OPERAND_TYPES or str(token) in (")", "]", "}", "records", "any"))


def _begins_statement(around: Surroundings) -> bool:
    return around.stop.is_end or around.here == "}" or around.starts_line or around.here in _STATEMENT_WORDS


def _unclosed_bracket(around: Surroundings) -> CepheidError | None:
    """A bracket that is still open at the end, or where a statement ends."""
    brackets = around.brackets("([{", ")]}")
    if not brackets or not (around.stop.is_end or (around.here in (";", "->", "~>") and str(brackets[-1]) in "([")):
        return None
    bracket = brackets[-1]
    message, hint = f"nothing closes this `{bracket}`", f"put `{CLOSING[str(bracket)]}` after `{around.before()}`"
    return refusal("unbalanced", message, span_of(bracket, around.source), "opened here", hint)


def _missing_step(around: Surroundings) -> CepheidError | None:
    """An arrow, or a `|`, that nothing follows or that follows nothing."""
    signs = ("->", "~>", "|", "(")
    if around.before() in signs and around.here in (*signs, ";", ")", ""):
        message, label = f"no step stands after `{around.before()}`", "a step is missing here"
        return refusal("missing-operand", message, around.gap, label, "write a record: `login -> logout`")
    if around.here in ("->", "~>") and around.before() in ("=", *signs):
        message, label = f"no step stands before `{around.here}`", "a step is missing before it"
        return refusal("missing-operand", message, around.span, label, "write a record: `login -> logout`")
    return None


def _empty_letting(around: Surroundings) -> CepheidError | None:
    """`letting` with nothing after it."""
    if around.before() not in ("letting", "initially"):
        return None
    message, label = f"`{around.before()}` sets nothing", "a variable is missing here"
    return refusal("missing-operand", message, around.gap, label, f"write `{around.before()} current = pid`")


def _grouped_lead(around: Surroundings) -> CepheidError | None:
    """`main = (a | b) -> c`: alternatives stand after an arrow only."""
    if around.here != "(" or around.before() != "=":
        return None
    hint = "write a set of types, `{a, b}[condition]`, or one equation for each"
    return refusal("syntax", "an equation begins with one record", around.span, "alternatives cannot begin it", hint)


def _after_alternatives(around: Surroundings) -> CepheidError | None:
    """`a -> (b | c) -> d`: what comes after alternatives belongs to each of them."""
    if around.before() != ")" or around.here not in ("->", "~>"):
        return None
    hint = "give it a name, `rest = d;`, and go on with it in each: `a -> (b -> rest | c -> rest)`"
    return refusal("syntax", "nothing follows alternatives", around.span, "each of them ends by itself", hint)


def _reserved_word(around: Surroundings) -> CepheidError | None:
    """A word of the language where a name could stand."""
    word = around.here or _word_at(around)
    is_after_arrow = around.before() == "->" and not around.here
    if word not in RESERVED or not (around.before() in _BEFORE_NAMES or is_after_arrow):
        return None
    span = around.source.span(around.span.start, around.span.start + len(word))
    message, hint = f"`{word}` is a word of the language", f"as a name it stands in backticks: {quoted_name(word)}"
    return refusal("syntax", message, span, "a name stands here", hint)


def _word_at(around: Surroundings) -> str:
    """Return the word at a place where no token starts, since it is never a name."""
    found = None if around.stop.token is not None else _WORD.match(around.source.text, around.stop.at)
    return found[0] if found else ""


def _missing_value(around: Surroundings) -> CepheidError | None:
    """`letting n -> b`, `alert { n }`: a name that is set to nothing."""
    name, before = around.token_before(), around.before(2)
    in_alert = [str(one) for one in around.brackets("([{", ")]}")] == ["{", "{"]
    if name is None or name.type not in ("NAME", "QUOTED") or around.here in ("=", "["):
        return None
    if in_alert and before in ("{", ",") and around.here in ("}", ","):
        value = "records" if name == "evidence" else f"last.{name}"
    elif before in ("letting", "initially"):
        value = "0" if before == "initially" else f"record.{name}"
    else:
        return None
    message, label = f"`{name}` is set to nothing", "its value is missing"
    return refusal("missing-operand", message, around.span_before(), label, f"write `{name} = {value}`")


def _sign_from_elsewhere(around: Surroundings) -> CepheidError | None:
    """`a[k = 3 && n <> 4]`: signs that other languages have in conditions."""
    if not any(str(one) == "[" for one in around.brackets("([{", ")]}")):
        return None
    text, start = around.source.text, around.span.start - (around.here == ">" and around.before() == "<")
    sign = next((one for one in _SIGNS if text.startswith(one, start)), None)
    if sign is None:
        return None
    span, label = around.source.span(start, start + len(sign)), "a sign of other languages"
    return refusal("syntax", f"`{sign}` is no sign of a condition", span, label, f"write `{_SIGNS[sign]}`")


def _bad_window(around: Surroundings) -> CepheidError | None:
    """`window ten records`, `window 10 parsecs`: no number, or no unit that anybody knows."""
    if around.before() != "window" and not (around.before(2) == "window" and around.before().isdigit()):
        return None
    message, label = "a window is a length of time or a number of records", "neither of them"
    return refusal("syntax", message, around.span, label, "write `window 10 minutes;` or `window 1000 records;`")


def _misspelled_statement(around: Surroundings) -> CepheidError | None:
    """`watchpont w {`, `windw 5 s;`: a word that is nearly one that begins a statement."""
    for word, span in ((around.here, around.span), (around.before(), around.span_before())):
        is_inside = [str(one) for one in around.brackets("([{", ")]}")] == ["{"]
        words = ("window", "initially", "alert") if is_inside else ("watchpoint", "stream", "tick", "ties")
        meant = close_match(word, words) if word else None
        if meant is not None and word not in _STATEMENT_WORDS:
            label = f"there are {listed(words)}"
            return refusal("syntax", f"`{word}` begins no statement", span, label, f"did you mean `{meant}`?")
    return None


def _anything_else(around: Surroundings) -> CepheidError:
    if around.stop.is_end:
        message, label = "the text ends in the middle of a statement", "something is missing here"
        return refusal("incomplete-statement", message, around.gap, label, _EXAMPLE)
    shown = around.here or around.span.text
    return refusal("syntax", f"`{shown}` cannot stand here", around.span, "this was not expected", _EXAMPLE)


_EXAMPLE: Final = "a watchpoint looks like this: `watchpoint slow { window 5 s; main = ask -> answer; }`"

_EXPLANATIONS: Final[tuple[Callable[[Surroundings], CepheidError | None], ...]] = (
    unclosed_quote,
    _nameless,
    empty_condition,
    types_missing,
    followed_alone,
    _reserved_word,
    _empty_letting,
    _missing_value,
    avoid_of_many,
    avoid_at_the_end,
    avoid_after_avoid,
    nested_alternatives,
    bare_alternatives,
    _grouped_lead,
    _missing_step,
    avoid_elsewhere,
    _after_alternatives,
    _sign_from_elsewhere,
    _stray_bracket,
    _missing_semicolon,
    _bad_window,
    _misspelled_statement,
    _unclosed_bracket,
)
