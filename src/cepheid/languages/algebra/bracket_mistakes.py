"""Brackets and quotes without a partner, and conditions in the wrong place."""

from cepheid.diagnostics import CepheidError, Diagnostic, Label
from cepheid.languages.algebra.stops import BINARY, CLOSING, OPENING, Surroundings, refusal
from cepheid.languages.shared.grammars import span_of


def unclosed_quote(around: Surroundings) -> CepheidError | None:
    """A text or a name in quotes that does not end on its line."""
    quote = around.source.text[around.stop.at : around.stop.at + 1]
    if around.stop.token is not None or quote not in ('"', "`", "'"):
        return None
    line_end = (around.source.text + "\n").index("\n", around.stop.at)
    span = around.source.span(around.stop.at, line_end)
    if quote == "'":
        word = span.text.split("'")[1]
        return refusal("bad-literal", "a text stands in double quotes", span, "single quotes", f'write `"{word}"`')
    kind, example = ("text", '"north"') if quote == '"' else ("name", "`two words`")
    hint = f"close it on the same line: {example}" if quote == "`" else f"close it on the same line: `{example}`"
    return refusal("unbalanced", f"a {kind} in quotes does not end", span, "nothing closes it", hint)


def unopened_bracket(around: Surroundings) -> CepheidError | None:
    """A closing bracket that nothing opens, or that closes another kind of bracket."""
    if around.here not in OPENING or around.before() in BINARY:
        return None
    brackets = around.open_brackets
    if not brackets:
        message, hint = (
            f"nothing opens this `{around.here}`",
            f"leave it out, or put `{OPENING[around.here]}` before it",
        )
        return refusal("unbalanced", message, around.span, "no bracket is open here", hint)
    if CLOSING[brackets[-1]] == around.here:
        return None
    labels = (
        Label(around.span, f"this is a `{around.here}`"),
        Label(span_of(brackets[-1], around.source), f"this `{brackets[-1]}` is still open"),
    )
    hint, message = f"close it with `{CLOSING[brackets[-1]]}` first", f"`{brackets[-1]}` is closed by `{around.here}`"
    return CepheidError(Diagnostic("unbalanced", message, labels, hints=(hint,)))


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
