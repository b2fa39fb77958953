"""Is everything that a rule keeps forgotten some day, and every absence certain some day? The closure knows.

Positive variables are closed alone; an absent one beside them, so that it never tightens what is there.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from cepheid.algebra.patterns import Join, Pattern
from cepheid.algebra.relations import Edge
from cepheid.analysis.closures.constraints import spoken
from cepheid.analysis.closures.facts import Facts, facts_about
from cepheid.analysis.closures.sizes import Lengths
from cepheid.analysis.closures.tree import Path
from cepheid.diagnostics import CepheidError, Diagnostic, Label
from cepheid.languages.parte.binding import Element
from cepheid.languages.parte.rules import absence, positives
from cepheid.languages.parte.syntax import AggregatePattern, NegatedPattern, WindowLine
from cepheid.languages.parte.windows import relation
from cepheid.languages.shared.findings import head, refusal, warning
from cepheid.languages.shared.names import shown_name

POINTS: Final = Lengths()
Between = tuple[int | None, int | None]
"""The least and the greatest distance of two variables; None is no bound."""


def check_positives(elements: Sequence[Element], lines: Sequence[WindowLine], base: Pattern) -> None:
    """Raise where the windows of a rule contradict each other, or leave two variables any time apart."""
    facts = facts_about(base, POINTS)
    there = positives(elements)
    lasting = [line for line in lines if not line.negated]
    if not facts.satisfiable:
        raise _impossible(facts, lasting)
    for number, element in enumerate(there[1:], start=1):
        if None in between(facts, (number,), (0,)):
            raise _too_far(facts, there, element, lasting)


def check_absence(element: Element, elements: Sequence[Element], lines: Sequence[WindowLine], base: Pattern) -> None:
    """Raise where nobody can ever be sure that something is absent, or where all of it would have to be kept."""
    assert isinstance(element.pattern, NegatedPattern)
    unless = absence(element, lines, base)
    facts = facts_about(unless, POINTS, beside=())
    own = [line for line in lines if line.negated and line.variable.name == element.variable.name.name]
    if not own:
        raise _no_window(element, positives(elements)[0])
    if facts.satisfiable:
        low, high = between(facts, (1,), first_path(unless.pattern))
        if low is None or high is None:
            raise _endless_absence(element, own, high is None)


def check_aggregate(element: Element) -> None:
    """Raise where an aggregate would be over everything there is."""
    assert isinstance(element.pattern, AggregatePattern)
    window = element.pattern.window
    if window.low is None or window.high is None:
        message = f"`{element.variable.name.name}` is made of events without a limit"
        label = "never complete" if window.high is None else "everything there ever was would have to be kept"
        hint = "write both ends, for example `[0 days, 14 days]`"
        raise refusal("parte-unbounded-window", message, window.span, label, hint)


def idle_absences(elements: Sequence[Element], lines: Sequence[WindowLine], base: Pattern) -> Iterator[Diagnostic]:
    """Yield a warning for every absence that nothing could ever break."""
    for element in elements:
        if isinstance(element.pattern, NegatedPattern):
            facts = facts_about(absence(element, lines, base), POINTS, beside=())
            if not facts.satisfiable:
                yield _idle(element, lines, facts)


def between(facts: Facts, one: Path, other: Path) -> Between:
    """Return how far the end of `one` lies after that of `other`, at least and at most."""
    least = facts.distance(other, Edge.END, one, Edge.END).high
    return (None if least is None else -least), facts.distance(one, Edge.END, other, Edge.END).high


def first_path(base: Pattern) -> Path:
    """Return the place of the first variable, in an absence around all that is there."""
    return (0, 0) if isinstance(base, Join) else (0,)


def _impossible(facts: Facts, lines: Sequence[WindowLine]) -> CepheidError:
    clash = facts.clash()
    guilty = [line for line in lines if any(spoken(one) in clash for one in relation([line]))] or list(lines)
    last, *rest = reversed(guilty)
    others = [Label(line.span, "and this") for line in rest]
    message, label = (
        "the windows of this rule contradict each other, so it can never match",
        "not together with the rest",
    )
    hint = f"leave out `{last.span.text}`, or make its window wider"
    return refusal("impossible-window", message, last.span, label, hint, others=others)


def _too_far(facts: Facts, there: Sequence[Element], element: Element, lines: Sequence[WindowLine]) -> CepheidError:
    """Return the error for a variable that can be any time away from the first one."""
    places = {one.variable.name.name: (number,) for number, one in enumerate(there)}
    for line in lines:
        apart = between(facts, places[line.variable.name], places[line.anchor.name])
        if None in apart and None in (line.window.low, line.window.high):
            return _open(line)
    first, name = there[0].variable.name.name, element.variable.name.name
    message = f"`{name}` can be any time away from `{first}`, so both would be kept for ever"
    hint = f"add a line to `when`: `{shown_name(name)} in {shown_name(first)} [0 s, 1 h]`"
    others = (Label(there[0].variable.name.span, "from this"),)
    label = "no window says how far"
    return refusal("parte-disconnected", message, element.variable.name.span, label, hint, others=others)


def _open(line: WindowLine) -> CepheidError:
    later, earlier = line.variable.name, line.anchor.name
    if line.window.low is None:
        later, earlier = earlier, later
    message = f"nothing says how long after `{earlier}` the event `{later}` can come, so both would be kept for ever"
    hint = "write both ends of the window, for example `[0 s, 1 h]`"
    return refusal("parte-unbounded-window", message, line.window.span, "an open end", hint)


def _no_window(element: Element, first: Element) -> CepheidError:
    name, anchor = element.variable.name, shown_name(first.variable.name.name)
    message = f"no window says when `{name.name}` must be absent, so nobody can ever be sure that it is"
    hint = f"add a line to `when`: `no {shown_name(name.name)} in {anchor} [0 s, 1 h]`"
    return refusal("negation-without-window", message, name.span, "absent, but when?", hint)


def _endless_absence(element: Element, own: Sequence[WindowLine], waits: bool) -> CepheidError:
    name, event = element.variable.name.name, element.event
    ends = [(line.window.high if waits else line.window.low, line) for line in own]
    # An end beyond all times is none, whatever number it has.
    _, line = max(ends, key=lambda end: (end[0] is None, abs(end[0] or 0)))
    if waits:
        message = f"nothing ends the wait for `{name}`, so nobody can ever be sure that it is absent"
        hint = "write an end, for example `[0 s, 1 h]`"
    else:
        kind = name if event is None else event.type.name
        message = f"`{name}` could have been any time before, so every `{kind}` there ever was would have to be kept"
        hint = "write how far back it matters, for example `[-14 days, 0 s]`"
    return refusal("parte-unbounded-window", message, line.window.span, "an open end", hint)


def _idle(element: Element, lines: Sequence[WindowLine], facts: Facts) -> Diagnostic:
    clash = facts.clash()
    name = element.variable.name.name
    guilty = [line for line in lines if any(spoken(one) in clash for one in relation([line]))]
    others = [Label(line.span, "with this line") for line in guilty]
    message = f"nothing can ever be the absent `{name}`, so the negation always holds"
    label = "its windows contradict each other"
    hint = f"make the window of `no {name}` wider, or leave the pattern out"
    return warning("vacuous-negation", message, head(element.pattern.span), label, hint, others=others)
