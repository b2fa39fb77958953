"""What is wrong around arrows: alternatives and what is avoided, where they cannot stand."""

from typing import Final

from lark import Token

from cepheid.diagnostics import CepheidError
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.surroundings import Surroundings

_ARROWS: Final = ("->", "~>")
_BOTH_WAYS: Final = "write `a ~> avoid(b) ~> c`, or `a -> not b -> c`"


def empty_condition(around: Surroundings) -> CepheidError | None:
    """`a[]`: brackets with no condition in them."""
    if (around.before(), around.here) != ("[", "]"):
        return None
    kind = around.before(2)
    hint = f"leave the brackets out, or write `{kind}[amount > 3]`"
    return refusal("missing-operand", "these brackets hold no condition", around.span, "a condition is missing", hint)


def types_missing(around: Surroundings) -> CepheidError | None:
    """`{}`, `{a,}`, `{,a}`: a set of types in which one is missing."""
    brackets = around.brackets("([{", ")]}")
    in_set = bool(brackets) and brackets[-1] == "{" and _opens_set(around, brackets[-1])
    if not in_set or around.before() not in ("{", ",") or around.here not in ("}", ","):
        return None
    hint = "write the types, `{login, logout}`, or `any` for all there are"
    message, label = "a set of types has at least one", "a type is missing here"
    if "," in (around.before(), around.here):
        message = "types stand on both sides of `,`"
    return refusal("missing-operand", message, around.gap, label, hint)


def followed_alone(around: Surroundings) -> CepheidError | None:
    """`e1 followed e2`: the second word of `followed by` is missing."""
    if around.before() != "followed" or around.here == "by":
        return None
    name = around.here if around.here.isidentifier() else "answered"
    hint = f"write `followed by {name}`"
    return refusal("syntax", "`followed` stands with `by`", around.gap, "`by` is missing before this", hint)


def nested_alternatives(around: Surroundings) -> CepheidError | None:
    """`a -> ((b | c) | d)`: all ways to go on stand side by side."""
    if around.here != "(" or around.before() not in ("(", "|") or _in_avoid(around):
        return None
    message, label = "alternatives stand in one pair of parentheses", "opened inside another one"
    return refusal("syntax", message, around.span, label, "write them side by side: `a -> (b | c | d)`")


def bare_alternatives(around: Surroundings) -> CepheidError | None:
    """`a -> b | c`: it is not clear where the alternatives begin."""
    if around.here != "|" or [str(one) for one in around.brackets("([{", ")]}")] != ["{"]:
        return None
    message, label = "alternatives stand in parentheses", "none are open here"
    return refusal("syntax", message, around.span, label, "write `a -> (b | c)`")


def avoid_of_many(around: Surroundings) -> CepheidError | None:
    """`avoid(b -> c)`, `avoid(b | c)`, `-> not (b | c) ->`: what is avoided is one record."""
    in_avoid = _in_avoid(around) and around.here in (*_ARROWS, "|", "(")
    if not in_avoid and not (around.here == "(" and around.before() == "not" and around.before(2) == "->"):
        return None
    hint = "for one of some types write a set: `a ~> avoid({b, c}) ~> d`"
    return refusal("syntax", "what is avoided is one record", around.span, "more than one begins here", hint)


def avoid_elsewhere(around: Surroundings) -> CepheidError | None:
    """`a ~> b`, `a -> avoid(b) -> c`, `a ~> avoid b ~> c`, `a ~> avoid(b) -> c`: the signs of an avoid are mixed up."""
    before, here = around.before(), around.here
    if before == "~>" and here != "avoid" and around.before(2) != ")":
        hint = f"write `->`, or say what is avoided: {_BOTH_WAYS.removeprefix('write ')}"
        return refusal("syntax", "`~>` leads to what is avoided", around.span, "no `avoid` stands here", hint)
    if before == "avoid" and (here != "(" or around.before(2) == "->"):
        return refusal("syntax", "`avoid(...)` stands between two `~>`", around.span, "written otherwise", _BOTH_WAYS)
    if before == ")" and here == "->" and _closes_avoid(around):
        message, label = "after `avoid(...)` comes another `~>`", "this is the other arrow"
        return refusal("syntax", message, around.span, label, _BOTH_WAYS)
    return None


def avoid_after_avoid(around: Surroundings) -> CepheidError | None:
    """`a -> not b -> not c -> d`: between two arrows stands one record to avoid."""
    if around.here not in ("not", "avoid") or around.before() not in _ARROWS:
        return None
    hint = "avoid both at once: `a ~> avoid({b, c}) ~> d`"
    return refusal("syntax", "a step stands between two avoids", around.span, "none stands before this one", hint)


def avoid_at_the_end(around: Surroundings) -> CepheidError | None:
    """`a -> not b;`: nobody knows until when."""
    if around.here not in (";", ")", "|") or not _follows_not(around):
        return None
    message, label = "no step stands after what is avoided", "a step is missing here"
    hint = "say until when: `a -> not b -> c`"
    return refusal("missing-operand", message, around.span, label, hint)


def _opens_set(around: Surroundings, bracket: Token) -> bool:
    """Say whether a brace opens a set of types, and neither a watchpoint nor an alert."""
    place = next(place for place, token in enumerate(around.stop.before) if token is bracket)
    return place > 0 and str(around.stop.before[place - 1]) in ("=", "->", "|", "(", "not", "by")


def _in_avoid(around: Surroundings) -> bool:
    """Say whether the innermost bracket that is open here is that of an avoid."""
    brackets = around.brackets("([{", ")]}")
    return bool(brackets) and _is_of_avoid(around, brackets[-1])


def _is_of_avoid(around: Surroundings, bracket: Token) -> bool:
    place = next(place for place, token in enumerate(around.stop.before) if token is bracket)
    return place > 0 and around.stop.before[place - 1] == "avoid"


def _closes_avoid(around: Surroundings) -> bool:
    """Say whether the bracket that was closed last was opened by an avoid."""
    open_ones: list[Token] = []
    last: Token | None = None
    for token in around.stop.before:
        if token == "(":
            open_ones.append(token)
        elif token == ")" and open_ones:
            last = open_ones.pop()
    return last is not None and _is_of_avoid(around, last)


def _follows_not(around: Surroundings) -> bool:
    """Say whether the last arrow leads to a `not`."""
    tokens = [str(token) for token in around.stop.before]
    arrows = [place for place, token in enumerate(tokens) if token in _ARROWS]
    return bool(arrows) and tokens[arrows[-1] + 1 : arrows[-1] + 2] == ["not"]
