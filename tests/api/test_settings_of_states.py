"""What may be another setting when a detector goes on from its snapshot, and what may not: each setting is one of both.

A setting that may change leaves the matches as they are; one that may not is refused, with the code and how it was set.
"""

from inspect import signature
from typing import Any, Final

import pytest

import cepheid
from cepheid.diagnostics import CepheidError

QUERY: Final = "a: A then b: B within 10 s on a.k == b.k emits Pair(k = a.k, first = a.v)"
ROWS: Final = [
    {"type": "AB"[number // 3 % 2], "kind": "AB"[number // 3 % 2], "time": number, "at": number}
    | {"begin": number, "name": f"e{number}", "id": f"e{number}", "offset": number, "k": number % 3, "v": number}
    for number in range(30)
]
HALF: Final = 14
OF_COMPILE: Final[dict[str, list[Any]]] = {  # settings of any type
    "rates": [{"A": "9/s"}],
    "disorder": ["2 s"],
    "max_jump": ["1 d", None],
    "allow_unbounded": [True],
    "allow_files": [["rules"]],
    "language": ["cep"],
}
OF_DETECTOR: Final[dict[str, list[Any]]] = {
    "on_excess": ["fail"],
    "limits": [{("Pair", "a"): 100}],
    "strict": [True],
    "evidence": [False],
    "max_matches": [1000],
    "engine": ["interpreter"],
}
REFUSED_OF_COMPILE: Final[dict[str, list[Any]]] = {
    "ties": ["simultaneous"],
    "tick": ["500 ms"],
    "time_unit": ["ms"],
    "intervals": [True],
    "tables": [],
    "policy": [],
}
REFUSED_OF_DETECTOR: Final[dict[str, list[Any]]] = {
    "type_column": ["kind"],
    "time_column": ["at"],
    "start_column": ["begin"],
    "id_column": ["id"],
    "order_by": ["offset"],
    "time_unit": ["ms"],
}
NO_SETTINGS: Final = {"query", "self", "state"}


def detector(state: bytes | None, compiled: dict[str, Any], read: dict[str, Any]) -> cepheid.QueryDetector:
    query: cepheid.CompiledQuery = cepheid.compile(QUERY, **compiled)
    return query.detector(state, **read)


def first_half(compiled: dict[str, Any], read: dict[str, Any]) -> tuple[list[tuple[Any, ...]], bytes]:
    begun = detector(None, compiled, read)
    return told([match for row in ROWS[:HALF] for match in begun.push(row)]), begun.snapshot()


def told(matches: list[cepheid.Report]) -> list[tuple[Any, ...]]:
    return [(match.start, match.end, match.values, match.evidence, match.id) for match in matches]


def rest(detector: cepheid.QueryDetector) -> list[tuple[Any, ...]]:
    return told([match for row in ROWS[HALF:] for match in detector.push(row)] + detector.close())


def each(settings: dict[str, list[Any]]) -> list[Any]:
    return [pytest.param(name, value, id=f"{name}={value}") for name in settings for value in settings[name]]


def test_every_setting_may_change_or_may_not() -> None:
    of_compile, of_detector = (
        set(signature(one).parameters) for one in (cepheid.compile, cepheid.CompiledQuery.detector)
    )
    assert OF_COMPILE.keys() | REFUSED_OF_COMPILE.keys() == of_compile - NO_SETTINGS
    assert OF_DETECTOR.keys() | REFUSED_OF_DETECTOR.keys() == of_detector - NO_SETTINGS


@pytest.mark.parametrize(("name", "value"), [*each(OF_COMPILE), *each(OF_DETECTOR)])
@pytest.mark.parametrize("before", ["without it", "with it"])
def test_what_may_change_leaves_the_matches_as_they_are(name: str, value: object, before: str) -> None:
    own = ({name: value}, {}) if name in OF_COMPILE else ({}, {name: value})
    plain: tuple[dict[str, Any], dict[str, Any]] = ({}, {"order_by": "offset"}) if name == "disorder" else ({}, {})
    own = (own[0] | plain[0], own[1] | plain[1])
    then, now = (plain, own) if before == "without it" else (own, plain)
    found, state = first_half(*then)
    told_of = 4 if name == "evidence" else 3  # what a match says of its evidence is the setting
    expected = [(*one[:3], one[told_of], one[4]) for one in whole(*plain)]
    seen = [(*one[:3], one[told_of], one[4]) for one in found + rest(detector(state, *now))]
    assert sorted(seen, key=str) == sorted(expected, key=str)


def whole(compiled: dict[str, Any], read: dict[str, Any]) -> list[tuple[Any, ...]]:
    found, state = first_half(compiled, read)
    every = found + rest(detector(state, compiled, read))
    assert len(every) > 20
    return every


@pytest.mark.parametrize(("name", "value"), [*each(REFUSED_OF_COMPILE), *each(REFUSED_OF_DETECTOR)])
@pytest.mark.parametrize("before", ["without it", "with it"])
def test_what_may_not_change_is_refused(name: str, value: object, before: str) -> None:
    own: tuple[dict[str, Any], dict[str, Any]]
    own = ({name: value}, {}) if name in REFUSED_OF_COMPILE else ({}, {name: value})
    plain: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    if name == "start_column":
        own, plain = ({"intervals": True}, own[1]), ({"intervals": True}, {})
    then, now = (plain, own) if before == "without it" else (own, plain)
    _, state = first_half(*then)
    with pytest.raises(CepheidError) as raised:
        detector(state, *now)
    assert {one.code for one in raised.value.diagnostics} == {"state-mismatch"}
    assert rest(detector(state, *then)) is not None


def test_a_state_with_other_ids_says_how_they_were_called() -> None:
    _, state = first_half({}, {"id_column": "name"})
    with pytest.raises(CepheidError) as raised:
        detector(state, {}, {"type_column": "kind"})
    assert str(raised.value) == (
        'error[state-mismatch]: this snapshot was taken with `type_column="type"`, and here is `type_column="kind"`\n'
        '  = hint: write `type_column="type"`\n\n'
        'error[state-mismatch]: this snapshot was taken with `id_column="name"`, and here is no `id_column`\n'
        '  = hint: write `id_column="name"`'
    )


def test_what_was_not_named_before_is_left_out_again() -> None:
    _, state = first_half({}, {})
    with pytest.raises(CepheidError) as raised:
        detector(state, {"intervals": True}, {"order_by": ["k", "offset"]})
    assert [(one.message, one.hints[0]) for one in raised.value.diagnostics] == [
        (
            'this snapshot was taken with no `order_by`, and here is `order_by=["k", "offset"]`',
            "leave out `order_by`",
        ),
        (
            "this snapshot was taken where events do not last, and here they may",
            "write `compile(text, intervals=False)`",
        ),
    ]


def test_the_policy_and_the_tables_are_the_query() -> None:
    states = {}
    for policy in ("all", "latest-start"):
        query = cepheid.compile("(A ; B) within 10 s", language="algebra", policy=policy)
        states[policy] = query.detector().snapshot()
    with pytest.raises(CepheidError, match="state-mismatch"):
        query.detector(states["all"])


def test_times_are_in_the_form_of_the_first_event_also_after_a_snapshot() -> None:
    query = cepheid.compile(QUERY)
    begun = query.detector()
    begun.push({"type": "A", "time": "2024-05-17T10:00:00+02:00", "k": 1, "v": 1})
    [match] = query.detector(begun.snapshot()).push({"type": "B", "time": "2024-05-17T08:00:01Z", "k": 1, "v": 2})
    assert (match.start, match.end) == ("2024-05-17T08:00:00Z", "2024-05-17T08:00:01Z")
