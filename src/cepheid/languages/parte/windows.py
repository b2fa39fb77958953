"""The `when` lines of a rule: who is related to whom, and do they say something that can be?"""

from collections.abc import Iterable, Mapping

from cepheid.algebra.relations import Difference, Relation, end
from cepheid.diagnostics import CepheidError, Label, close_match
from cepheid.events import Duration
from cepheid.languages.parte.syntax import Window, WindowLine
from cepheid.languages.parte.variables import Role, Variable
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.names import shown_name
from cepheid.languages.shared.terms import Name

Variables = Mapping[str, Variable]


def difference(variable: str, anchor: str, window: Window) -> Difference:
    """Return what a window says about the times of two variables."""
    return Difference(end(variable), end(anchor), window.low, window.high)


def relation(lines: Iterable[WindowLine]) -> Relation:
    """Return what some lines say."""
    return tuple(difference(line.variable.name, line.anchor.name, line.window) for line in lines)


def shown_bound(ticks: int | None) -> str:
    return "*" if ticks is None else str(Duration(ticks))


def shown_window(low: int | None, high: int | None) -> str:
    """Return a window as it is written.

    >>> shown_window(-5_000_000, None)
    '[-5 s, *]'
    """
    return f"[{shown_bound(low)}, {shown_bound(high)}]"


def check_line(line: WindowLine, variables: Variables) -> None:
    """Raise where a line relates what it cannot relate, or with a window that holds nothing."""
    variable, anchor = _known(line.variable, variables), _known(line.anchor, variables)
    _check_no(line, variable)
    if line.variable.name == line.anchor.name:
        message, label = f"`{line.variable.name}` is related to itself", "both are one event"
        hint = "relate it to another variable of the rule, or leave the line out"
        raise refusal("self-window", message, line.span, label, hint)
    if not anchor.is_positive:
        raise _no_anchor(line, anchor)
    check_window(line.window)


def check_window(window: Window) -> None:
    """Raise where the lower bound is above the upper one."""
    if window.low is not None and window.high is not None and window.low > window.high:
        message, label = f"no time lies in `{window.span.text}`", "the first bound is greater than the second"
        hint = f"write the smaller one first: `{shown_window(window.high, window.low)}`"
        raise refusal("reversed-window", message, window.span, label, hint)


def _known(name: Name, variables: Variables) -> Variable:
    known = variables.get(name.name)
    if known is not None and known.role in (Role.EVENT, Role.INSTANT, Role.ABSENT):
        return known
    if known is not None:
        raise _not_an_event(known, name)
    names = [one.name.name for one in variables.values() if one.role in (Role.EVENT, Role.INSTANT, Role.ABSENT)]
    closest = close_match(name.name, names)
    hint = f"did you mean `{closest}`?" if closest else f"the variables are {listed(names)}"
    message, label = f"no pattern of this rule binds `{name.name}`", "not a variable of this rule"
    raise refusal("unbound-variable", message, name.span, label, hint)


def _not_an_event(variable: Variable, name: Name) -> CepheidError:
    others = (Label(variable.name.span, "its window stands in its pattern"),)
    message = f"`{name.name}` is no single event, so it has no time"
    hint = "write its window after `in` in the pattern of the aggregate, and leave this line out"
    return refusal("unbound-variable", message, name.span, "part of an aggregate", hint, others=others)


def _check_no(line: WindowLine, variable: Variable) -> None:
    name, absent = line.variable.name, variable.role is Role.ABSENT
    if absent == line.negated:
        return
    others = (Label(variable.name.span, "negated here" if absent else "it is bound here, not negated"),)
    written = line.span.text.removeprefix("no").strip()
    if absent:
        message, label = f"`{name}` is negated, so its window begins with `no`", "a `no` is missing"
        raise refusal("misplaced-no", message, line.variable.span, label, f"write `no {written}`", others=others)
    message, label = f"`{name}` is not negated, so its window has no `no`", "this says that it is absent"
    raise refusal("misplaced-no", message, line.span, label, f"write `{written}`", others=others)


def _no_anchor(line: WindowLine, anchor: Variable) -> CepheidError:
    message = f"`{anchor.name.name}` is absent from every match, so nothing can be near it"
    others = (Label(anchor.name.span, "negated here"),)
    variable = shown_name(line.variable.name)
    turned = shown_window(*(None if one is None else -one for one in (line.window.high, line.window.low)))
    hint = f"say where the absent one would be: `no {anchor.name.name} in {variable} {turned}`"
    if line.negated:
        hint = f"relate `{variable}` to a variable that is not negated"
    label = "the anchor of a window must be there"
    return refusal("negated-variable-misuse", message, line.anchor.span, label, hint, others=others)
