"""Random watchpoints as texts of HBL, for what the algorithm of the paper runs as states."""

from tests.oracles.partial_matches import Check, Let, RecordSpec, State, Watchpoint
from tests.properties.watchpoint_lowering import VARIABLES


def text_of(watchpoint: Watchpoint, *, evidence: bool) -> str:
    """Return a watchpoint as text; one of its states is one equation."""
    longest = [] if watchpoint.longest is None else [f"window {watchpoint.longest} us;"]
    records = [] if watchpoint.records is None else [f"window {watchpoint.records} records;"]
    known = [f"{name} = {value}" for name, value in watchpoint.initially]
    initially = [f"initially {', '.join(known)};"] if known else []
    equations = [f"{name} = {_expression(state)};" for name, state in watchpoint.states.items()]
    told = [f"{name} = {name}" for name in VARIABLES if name in bound(watchpoint)]
    alert = f"alert {{ {', '.join([*told, *['evidence = records'] * evidence])} }}"
    return "\n".join(["watchpoint w {", *longest, *records, *initially, *equations, alert, "}"])


def composed_text(one: Watchpoint, other: Watchpoint) -> str:
    """Return a watchpoint that looks for what one does and then for what the other does, as a composition."""
    equations = [f"{name} = {_expression(state)};" for name, state in {**one.states, **other.states}.items()]
    told = [f"{name} = {name}" for name in VARIABLES if name in bound(one) | bound(other)]
    main = f"main = {one.first} followed by {other.first};"
    known = [f"{name} = {value}" for name, value in one.initially]
    initially = f"initially {', '.join(known)};" if known else ""
    alert = f"alert {{ {', '.join([*told, 'evidence = records'])} }}"
    return f"watchpoint w {{ {initially} {main} {' '.join(equations)} {alert} }}"


def bound(watchpoint: Watchpoint) -> set[str]:
    """Return the variables that a watchpoint sets anywhere."""
    lets = {let.variable for state in watchpoint.states.values() for let in state.lets}
    return lets | {name for name, _ in watchpoint.initially}


def _expression(state: State) -> str:
    lets = ", ".join(f"{let.variable} = {_value(let)}" for let in state.lets)
    lead = _record(state.lead) + (f" letting {lets}" if lets else "")
    if not state.follow:
        return lead
    arrow = "->" if state.avoid is None else f"~> avoid({_record(state.avoid)}) ~>"
    return f"{lead} {arrow} ({' | '.join(state.follow)})"


def _record(spec: RecordSpec) -> str:
    types = sorted(spec.types)
    shown = "any" if not types else types[0] if len(types) == 1 else f"{{{', '.join(types)}}}"
    tests = " and ".join(map(_check, spec.tests))
    return f"{shown}[{tests}]" if tests else shown


def _check(check: Check) -> str:
    return f"{_read(check.field)} {check.operator} {check.against}"


def _value(let: Let) -> str:
    return _read(let.field) if let.base is None else f"{let.base} + {_read(let.field)}"


def _read(field: str) -> str:
    return f"{field}()" if field in ("index", "now") else field
