"""No rule feeds itself, neither directly nor through others: then every event causes finitely many others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cepheid.diagnostics import CepheidError, Label, Span
from cepheid.languages.parte.binding import Element
from cepheid.languages.parte.syntax import Emission, RuleText
from cepheid.languages.shared.findings import refusal


@dataclass(frozen=True, slots=True)
class Step:
    """A rule that makes events of one type of those of another; `span` is where it says so."""

    rule: str
    made: str
    span: Span


Steps = Mapping[str, Sequence[Step]]


def check_stratification(rules: Sequence[tuple[RuleText, Sequence[Element]]]) -> None:
    """Raise for the first template that is made of itself."""
    steps: dict[str, list[Step]] = {}
    for rule, elements in rules:
        for used, step in _steps(rule, elements):
            steps.setdefault(used, []).append(step)
    for template in steps:
        cycle = _cycle(template, steps)
        if cycle:
            raise _not_stratified(template, cycle)


def _steps(rule: RuleText, elements: Sequence[Element]) -> Iterator[tuple[str, Step]]:
    used = dict.fromkeys(element.event.type.name for element in elements if element.event is not None)
    for reaction in rule.reactions:
        if isinstance(reaction, Emission):
            for template in used:
                yield template, Step(rule.name.name, reaction.type.name, reaction.type.span)


def _cycle(template: str, steps: Steps) -> tuple[Step, ...]:
    """Return the shortest way from a template back to itself, none if there is none."""
    ways: list[tuple[Step, ...]] = [(step,) for step in steps[template]]
    seen: set[str] = set()
    for way in ways:
        last = way[-1].made
        if last == template:
            return way
        if last not in seen:
            seen.add(last)
            ways += [(*way, step) for step in steps.get(last, ())]
    return ()


def _not_stratified(template: str, cycle: Sequence[Step]) -> CepheidError:
    path = " -> ".join([template, *(step.made for step in cycle)])
    used = [template, *(step.made for step in cycle[:-1])]
    labels = [
        Label(step.span, f"`{step.rule}` makes `{step.made}` of `{name}`")
        for name, step in zip(used, cycle, strict=True)
    ]
    message = f"`{template}` is made of itself: {path}"
    hint = f"emit another template in `{cycle[-1].rule}`: `emit {template}2 at a.timestamp`"
    last = labels[-1]
    return refusal("not-stratified", message, last.span, last.text, hint, others=labels[:-1])
