"""Statements that stop too early, and lengths of time that are none."""

from typing import Final

from cepheid.diagnostics import CepheidError, Span
from cepheid.languages.algebra.stops import STATEMENT_WORDS, Surroundings
from cepheid.languages.shared.findings import refusal

_BEFORE_LENGTH: Final = ("_WITHIN", "TICK", "_EVERY", "SLASH")
_EXAMPLES: Final = {
    "TICK": "tick 1 ms",
    "RATE": "rate Button 5/s",
    "DISORDER": "disorder Button 2 s",
    "KEYS": "keys Button 1000",
    "POLICY": "policy all",
    "LET": "let Twice = Button ; Button",
}


def missing_length(around: Surroundings) -> CepheidError | None:
    """`within` and its like without a length of time."""
    token = around.token_before()
    after_type = around.token_before(2)
    wants_length = token is not None and token.type in _BEFORE_LENGTH and not around.calculates
    if after_type is not None and after_type.type == "DISORDER":
        token, wants_length = after_type, True
    if not wants_length or token is None:
        return None
    if around.here == "-":
        message, label = "a length of time is negative", "no length is less than zero"
        return refusal("bad-duration", message, around.span, label, "write `5 s`")
    message = f"`{token}` is not followed by a length of time"
    label = "a duration is missing here" if around.stop.is_end or around.starts_line else "not a duration"
    example = "rate Button 5/s" if token == "/" else f"{token} Button 2 s" if token == "disorder" else f"{token} 5 s"
    return refusal("bad-duration", message, around.gap, label, f"write a number and a unit: `{example}`")


def missing_attribute(around: Surroundings) -> CepheidError | None:
    """`by` without an attribute."""
    earlier = [token.type for token in reversed(around.stop.before)]
    in_list = "_BY" in earlier and set(earlier[: earlier.index("_BY")]) <= {"NAME", "QUOTED", "COMMA"}
    if not in_list or around.before() not in ("by", ","):
        return None
    label = "an attribute is missing here"
    message = f"`{around.before()}` is not followed by an attribute"
    return refusal("missing-operand", message, around.gap, label, "write `by user` or `by user, device`")


def second_key(around: Surroundings) -> CepheidError | None:
    """`by` after `by`."""
    if around.here != "by" or not around.ended_operand or around.calculates:
        return None
    label, hint = "there is a `by` already", f"name all attributes at once: `by {around.before()}, device`"
    return refusal("syntax", "`by` stands twice", around.span, label, hint)


def misplaced_emits(around: Surroundings) -> CepheidError | None:
    """`emits` anywhere but at the end of a definition that is reported."""
    if around.here != "emits" or not around.ended_operand:
        return None
    if around.open_brackets:
        label, hint = (
            "a bracket is still open here",
            "put it at the end: `Alarm = (A ; B) within 5 s emits user = A.user`",
        )
        return refusal("syntax", "`emits` stands inside brackets", around.span, label, hint)
    label, hint = "this definition is only an abbreviation", "leave `let` out: `Alarm = A ; B emits user = A.user`"
    return refusal("syntax", "what `let` defines emits nothing", around.span, label, hint)


def incomplete_field(around: Surroundings) -> CepheidError | None:
    """Something missing in the list after `emits`."""
    if not around.emits or around.open_brackets:
        return None
    hint = "write it like this: `emits user = a.user`"
    if around.before() in ("emits", ","):
        message = f"`{around.before()}` is not followed by a field"
        return refusal("incomplete-statement", message, around.gap, "a name is missing here", hint)
    name = around.before(2) if around.before() == "=" else around.before()
    is_value_missing = around.before() == "=" or around.before(2) in ("emits", ",")
    if around.begins_operand or not is_value_missing:
        return None
    label, hint = "a value is missing here", f"write it like this: `{name} = a.user`"
    return refusal("incomplete-statement", f"the field `{name}` has no value", around.gap, label, hint)


def missing_entry(around: Surroundings) -> CepheidError | None:
    """A comma and nothing."""
    if around.before() != "," or around.begins_operand:
        return None
    label, hint = "nothing follows it", "leave the comma out, or write what comes after it"
    return refusal("missing-operand", "`,` has no right side", around.span_before(), label, hint)


def value_as_event(around: Surroundings) -> CepheidError | None:
    """A number or a text where an event is expected."""
    token = around.stop.token
    if token is None or token.type not in ("NUMBER", "STRING", "DURATION") or around.calculates:
        return None
    label = "an event type is a name"
    hint = f"a value stands in a condition: `A[value == {token}]`"
    return refusal("not-an-event", f"`{token}` is no event", around.span, label, hint)


def incomplete_definition(around: Surroundings) -> CepheidError | None:
    """`Alarm =` and nothing."""
    if (around.before() in STATEMENT_WORDS or around.names_next) and around.before(2) == "=":
        # The next statement was taken for the expression, since a name can stand there.
        return undefined(around.before(3), around.span_before(2))
    if around.before() == "=" and not around.begins_operand and not around.calculates:
        return undefined(around.before(2), around.span_before())
    return None


def undefined(name: str, sign: Span) -> CepheidError:
    """Return the error for a name and a `sign` of equality that nothing follows."""
    place, label = sign.source.span(sign.end, sign.end), "an expression is missing here"
    return refusal("incomplete-statement", f"`{name}` is not defined", place, label, f"write `{name} = A ; B`")


def incomplete_statement(around: Surroundings) -> CepheidError | None:
    """A declaration without one of its pieces."""
    for token in reversed(around.stop.before[-3:]):
        if token.type in _EXAMPLES and not around.calculates:
            message, hint = f"something is missing after `{token}`", f"write it like this: `{_EXAMPLES[token.type]}`"
            return refusal("incomplete-statement", message, around.gap, "this does not go on as it should", hint)
    return None


def anything_else(around: Surroundings) -> CepheidError:
    """The last resort: say what stands where."""
    shown = f"`{around.here}`" if around.here else "the end" if around.stop.is_end else f"`{around.span.text}`"
    message = f"{shown} cannot stand here"
    label = f"not after `{around.before()}`" if around.before() else "no statement begins like this"
    return refusal("syntax", message, around.span, label, "write a definition such as `Alarm = (A ; B) within 5 s`")
