"""Brackets and quotes without a partner, and conditions in the wrong place."""

from cepheid.diagnostics import CepheidError
from cepheid.languages.algebra.stops import BINARY, Surroundings
from cepheid.languages.shared.brackets import CLOSING, OPENING, unopened_bracket
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.grammars import span_of


def stray_bracket(around: Surroundings) -> CepheidError | None:
    """A closing bracket that nothing opens, or that closes another kind; after an operator, more than that is wrong."""
    return None if around.before() in BINARY else unopened_bracket(around, "([")


def unclosed_bracket(around: Surroundings) -> CepheidError | None:
    """A bracket that is still open at the end, or where the next statement begins."""
    ends = around.stop.is_end or (around.starts_line and around.begins_operand)
    just_opened = around.stop.is_end and around.before() in CLOSING
    if not (ends and around.open_brackets and (around.ended_operand or just_opened)):
        return None
    bracket = around.open_brackets[-1]
    message, label = f"nothing closes this `{bracket}`", "opened here"
    example = "(A ; B)" if bracket == "(" else "[value > 12]"
    hint = f"write `{example}`" if just_opened else f"put `{CLOSING[bracket]}` after `{around.before()}`"
    return refusal("unbalanced", message, span_of(bracket, around.source), label, hint)


def empty_brackets(around: Surroundings) -> CepheidError | None:
    """`()` or `[]`."""
    if around.here not in OPENING or around.before() != OPENING[around.here]:
        return None
    span = around.span_before().to(around.span)
    if around.here == ")":
        return refusal("missing-operand", "there is nothing in the parentheses", span, "empty", "write `(A ; B)`")
    hint = "write a condition, for example `[value > 12]`, or leave the brackets out"
    return refusal("missing-operand", "there is no condition in the brackets", span, "empty", hint)


def misplaced_condition(around: Surroundings) -> CepheidError | None:
    """A condition after anything but an event type."""
    if around.here != "[" or around.before() not in (")", "]"):
        return None
    if around.before() == "]":
        label, hint = "a second condition", 'join them: `Temperature[value > 12 and zone == "north"]`'
        return refusal("misplaced-condition", "an event type has two conditions", around.span, label, hint)
    label = "there is no event type right before this"
    hint = "put it on an event type: `(A[value > 12] ; B)`"
    return refusal("misplaced-condition", "a condition is about one event", around.span, label, hint)
