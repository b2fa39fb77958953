"""What a rule makes of a match: events with all their slots, at a time that moves on when its events do."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Moment
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import end, start
from cepheid.diagnostics import CepheidError, Label, close_match
from cepheid.languages.parte.binding import Binding, known_template
from cepheid.languages.parte.calls import Typed
from cepheid.languages.parte.kinds import Kind, declared_kind, is_assignable
from cepheid.languages.parte.syntax import Action, Assignment, Emission, Reaction, RuleText, Slot, Template
from cepheid.languages.parte.variables import Role
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.names import shown_name

_MONOTONE: Final = "`a.timestamp`, plus or minus a length of time, and `min`, `max` or `avg` of such"


@dataclass(frozen=True, slots=True)
class Emitted:
    """What a match becomes: an event of a type, from `start` to `end`, with fields."""

    type: str
    start: Expr
    end: Expr
    fields: Mapping[str, Expr]


def reaction_of(reaction: Reaction, binding: Binding) -> Emitted:
    """Return what one reaction makes of a match."""
    match reaction:
        case Emission():
            return _emission(reaction, binding)
        case Action():
            return _action(reaction, binding)


def report(rule: RuleText, binding: Binding) -> Emitted:
    """Return what a match is where the rule has no reaction: the time from its first to its last event."""
    name = rule.name.name
    if name in binding.definitions.templates:
        message = f"the rule `{name}` has no reaction, so its matches would be events of the template `{name}`"
        hint = f"call the rule `{name}2`, or let it emit something"
        raise refusal("duplicate-definition", message, rule.name.span, "the name of a template", hint)
    return Emitted(name, Moment(start(HULL)), Moment(end(HULL)), {})


def _action(action: Action, binding: Binding) -> Emitted:
    """Return what a call in `then` makes of a match: an event of that name when the last event has happened."""
    name = action.name.name
    if name in binding.definitions.templates:
        message, label = f"`{name}` is a template, so its events are emitted", "called like an action"
        raise refusal(
            "syntax", message, action.name.span, label, f"write `emit {name} at a.timestamp with {{ id = a.id }}`"
        )
    arguments = [binding.term(one, binding.scope()).expression for one in action.arguments]
    names = _argument_names(arguments, binding)
    moment = Moment(end(HULL))
    return Emitted(name, moment, moment, dict(zip(names, arguments, strict=True)))


def _argument_names(arguments: Sequence[Expr], binding: Binding) -> list[str]:
    """Return what the arguments of an action are called: after what they read, else by their number."""
    counts: Counter[str] = Counter()
    names = []
    for number, argument in enumerate(arguments, start=1):
        name = f"argument{number}"
        if isinstance(argument, Field):
            is_total = binding.variables[argument.part].role is Role.TOTAL
            name = argument.part if is_total else argument.name
        counts[name] += 1
        names.append(name if counts[name] == 1 else f"{name}{counts[name]}")
    return names


def rule_names(rule: str, types: Sequence[str]) -> list[str]:
    """Return the names of the rules that a rule with these reactions becomes.

    >>> rule_names("R", ["Alarm"]), rule_names("R", ["Alarm", "Log", "Alarm"])
    (['R'], ['R.Alarm', 'R.Log', 'R.Alarm2'])
    """
    if len(types) < 2:
        return [rule for _ in types]
    counts: Counter[str] = Counter()
    names = []
    for name in types:
        counts[name] += 1
        names.append(f"{rule}.{name}" + (str(counts[name]) if counts[name] > 1 else ""))
    return names


def _emission(emission: Emission, binding: Binding) -> Emitted:
    template = known_template(emission.type, binding.definitions)
    at = _moment(binding.term(emission.at, binding.scope()))
    fields = {}
    for assignment in emission.assignments:
        slot = _slot(assignment, template)
        if slot.name.name in fields:
            raise _assigned_twice(assignment)
        fields[slot.name.name] = _value(binding.term(assignment.value, binding.scope()), slot, template)
    missing = [slot for slot in template.slots if slot.name.name not in fields]
    if missing:
        raise _missing(emission, template, missing, binding)
    return Emitted(template.name.name, at, at, fields)


def _slot(assignment: Assignment, template: Template) -> Slot:
    slots = {slot.name.name: slot for slot in template.slots}
    if assignment.name.name in slots:
        return slots[assignment.name.name]
    name, owner = assignment.name, template.name.name
    closest = close_match(name.name, slots)
    hint = f"did you mean `{closest}`?" if closest else f"it has {listed(slots) or 'none'}"
    message, label = f"`{owner}` has no slot `{name.name}`", "not one of its slots"
    raise refusal("unknown-attribute", message, name.span, label, hint)


def _assigned_twice(assignment: Assignment) -> CepheidError:
    name = assignment.name
    message, label = f"the slot `{name.name}` gets two values", "it has one already"
    return refusal("duplicate-field", message, name.span, label, "leave one of the two out")


def _value(value: Typed, slot: Slot, template: Template) -> Expr:
    wanted = declared_kind(slot.type)
    if is_assignable(value.kind, wanted):
        if value.kind.size == 0 and wanted.size is not None and not _is_empty_list(value.expression):
            raise _unbounded_list(value, slot, wanted)
        return value.expression
    if value.kind.size is not None and wanted.size is not None and value.kind.size > wanted.size:
        raise _too_long(value, slot, wanted)
    message = f"the slot `{slot.name.name}` of `{template.name.name}` is {wanted}, and this is {value.kind}"
    others = (Label(slot.name.span, "declared here"),)
    hint = f"give it a value of type {wanted}"
    raise refusal("type-mismatch", message, value.span, "it does not fit", hint, others=others)


def _is_empty_list(expression: Expr) -> bool:
    return expression == Call("list", ())


def _too_long(value: Typed, slot: Slot, wanted: Kind) -> CepheidError:
    message = f"a list of {value.kind.size} does not fit into `{slot.name.name}`, which holds {wanted.size}"
    others = (Label(slot.name.span, "declared here"),)
    hint = f"declare `{shown_name(slot.name.name)} : [{wanted.name}; {value.kind.size}]`"
    return refusal("unbounded-list", message, value.span, "too long", hint, others=others)


def _unbounded_list(value: Typed, slot: Slot, wanted: Kind) -> CepheidError:
    message = f"nothing says how long the list is that goes into `{slot.name.name}`, which holds {wanted.size}"
    others = (Label(slot.name.span, "declared here"),)
    hint = "give a list of so many values: `list(a.id, b.id)`"
    return refusal("unbounded-list", message, value.span, "as long as there are events", hint, others=others)


def _missing(emission: Emission, template: Template, missing: Sequence[Slot], binding: Binding) -> CepheidError:
    names = [slot.name.name for slot in missing]
    word = "slot" if len(names) == 1 else "slots"
    message = f"`{template.name.name}` is emitted without its {word} {listed(names)}"
    example = ", ".join(f"{shown_name(name)} = {_example(name, binding)}" for name in names)
    others = (Label(missing[0].name.span, "declared here"),)
    label = "not all slots get a value"
    return refusal("missing-slot", message, emission.type.span, label, f"add `{example}`", others=others)


def _example(slot: str, binding: Binding) -> str:
    """Return what could be assigned: an attribute of the same name, if some event has one."""
    positive = [variable for variable in binding.variables.values() if variable.is_positive and variable.slots]
    owner = next((variable for variable in positive if slot in variable.slots), None)
    return f"{shown_name(owner.name.name)}.{shown_name(slot)}" if owner is not None else "0"


def _moment(at: Typed) -> Expr:
    """Return the time of an emitted event; raise where it could fall behind when its events move on."""
    if not _moves_on(at.expression):
        message = "an event may be emitted earlier although its events come later"
        label = "not a time that moves on with the events"
        hint = f"write {_MONOTONE}"
        raise refusal("non-monotone-at", message, at.span, label, hint)
    return _whole(at.expression)


def _moves_on(expression: Expr) -> bool:
    """Say whether a time never falls when the times it is made of rise."""
    match expression:
        case Moment():
            return True
        case Call("+", (Literal(int()), inner)) | Call("+" | "-", (inner, Literal(int()))):
            return _moves_on(inner)
        case Call("min" | "max" | "avg", arguments):
            return all(map(_moves_on, arguments))
        case _:
            return False


def _whole(expression: Expr) -> Expr:
    """Return a time in whole ticks: the average of some may lie between two."""
    return Call("floor", (expression,)) if any(_averages(expression)) else expression


def _averages(expression: Expr) -> Iterator[bool]:
    match expression:
        case Call(function, arguments):
            yield function == "avg"
            for argument in arguments:
                yield from _averages(argument)
        case _:
            yield False
