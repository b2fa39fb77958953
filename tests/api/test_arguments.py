"""Every argument of the public calls that is not what it must be is refused with a code, its name and a way out."""

from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pytest

import cepheid
from cepheid.api.arguments import ARGUMENTS
from cepheid.diagnostics import CepheidError

EVENTS: Final = [{"type": "A", "time": 1, "user": "u"}, {"type": "B", "time": 2, "user": "u"}]
TEXT: Final = "A then B within 5 s on user"


def query() -> cepheid.CompiledQuery:
    return cepheid.compile(TEXT)


CALLS: Final[dict[str, Callable[..., Any]]] = {
    "compile": lambda **given: cepheid.compile(**{"query": TEXT, **given}),
    "run": lambda **given: list(query().run(**{"events": EVENTS, **given})),
    "detector": lambda **given: query().detector(**given).push(EVENTS[0]),
    "push_batch": lambda **given: query().detector().push_batch(**{"events": EVENTS, **given}),
}
FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "compile": cepheid.compile,
    "run": cepheid.CompiledQuery.run,
    "detector": cepheid.CompiledQuery.detector,
    "push_batch": cepheid.QueryDetector.push_batch,
}
OBJECT: Final = object()
NO_TEXT: Final = [5, 2.5, b"x", ["x"], OBJECT, True]
NO_NUMBER: Final = ["2", 2.5, [2], OBJECT, True]
NO_TRUTH: Final = ["yes", 2, None, [], OBJECT]
NO_TEXTS: Final = [5, [5], ["x", None], b"x", OBJECT]
NO_LENGTH: Final = [2.5, True, ["5 s"], b"5 s", OBJECT]


def of(values: list[Any], *names: str) -> dict[str, list[Any]]:
    return {name: list(values) for name in names}


WRONG: Final[dict[str, list[Any]]] = {
    **of([*NO_TEXT, None], *("type_column", "time_column")),
    **of(NO_TEXT, *("start_column", "id_column", "source_column", "heartbeat_type")),
    **of(NO_TEXT, *("type", "time_format", "input_format", "time_unit", "language", "policy", "ties")),
    **of(NO_TRUTH, *("strict", "evidence", "ids", "intervals", "allow_unbounded", "columns")),
    **of([*NO_NUMBER, None, 0, -1], *("sort_buffer",)),
    **of([*NO_NUMBER, 0, -1], *("max_matches", "threads")),
    "year": NO_NUMBER,
    "order_by": [*NO_TEXTS, None],
    "pattern": NO_TEXTS,
    "on_reject": ["print", 5, []],
    **of([*NO_TEXT, "x", "", None], *("engine", "on_excess")),
    "source": [5, None, ["x"], b"x"],
    **of([*NO_LENGTH, "x", "-1 s"], *("tick", "disorder", "max_jump")),
    "rates": ["5/s", {"A": 5}, {5: "5/s"}, ["A"], OBJECT, {"A": "fast"}],
    "limits": ["x", {"A": 5}, {("A", "a"): "5"}, {("A",): 5}, 5],
    "tables": ["x.csv", ["x"], {"t": 5}, {5: []}, {"t": b"x"}, OBJECT],
    "allow_files": ["rules", 5, [5], None],
    "query": [5, None, b"A", ["A"], OBJECT],
    "events": [5, None, OBJECT, b"x", {"type": "A"}],
    "state": [5, "x", [b"x"], OBJECT],
}
RIGHT: Final[dict[str, list[Any]]] = {
    "order_by": ["user", ["user"], ("user",), ()],
    "threads": [np.int64(2), 1],
    "strict": [np.bool_(True), 1],
    "time_unit": ["ms", None],
    "max_matches": [np.int32(5)],
    "disorder": [2, "2", "2 s", cepheid.Duration.seconds(2) if hasattr(cepheid, "Duration") else "2 s"],
    "max_jump": [None, "1 d"],
    "rates": [{}, None],
    "allow_files": [[Path("rules")], ("rules",)],
    "tables": [None, {"t": [("a", 1)]}, {"t": pa.table({"a": [1]})}, {"t": iter([("a", 1)])}],
    "on_reject": [print, None],
}


def arguments(call: str) -> list[str]:
    kinds = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, one in signature(FUNCTIONS[call]).parameters.items() if one.kind in kinds and name != "self"]


EACH: Final = [(call, name) for call in CALLS for name in arguments(call)]


@pytest.mark.parametrize(("call", "name"), EACH)
def test_an_argument_of_another_type_is_refused_with_a_code(call: str, name: str) -> None:
    assert WRONG[name]
    for value in WRONG[name]:
        with pytest.raises(CepheidError) as raised:
            CALLS[call](**{name: value})
        [found] = raised.value.diagnostics
        assert found.code != "internal"
        assert found.hints, value
        if name in ARGUMENTS and found.code == "bad-option":
            assert f"`{name}`" in found.message
            assert f"`{name}=" in found.hints[0]


@pytest.mark.parametrize(("call", "name"), [(call, name) for call, name in EACH if name in RIGHT])
def test_what_an_argument_may_be_is_taken(call: str, name: str) -> None:
    for value in RIGHT[name]:
        also = {"ties": "simultaneous"} if name == "disorder" else {}
        CALLS[call](**{name: value, **also})


def test_every_argument_is_known() -> None:
    told = {name for _, name in EACH} - {"query", "events", "state"}
    assert told == ARGUMENTS.keys() | {"on_excess"}


@pytest.mark.parametrize(
    ("call", "given", "message", "hint"),
    [
        ("run", {"engine": "kernel"}, "`engine` is `kernel`, and may be `auto`, `interpreter` or `kernels`", "kernels"),
        ("run", {"on_excess": "wait"}, "`on_excess` is `wait`, and may be `warn` or `fail`", "warn"),
        ("detector", {"on_excess": "waits"}, "`on_excess` is `waits`, and may be `warn`, `fail` or `wait`", "wait"),
        ("run", {"type_column": 5}, "expected a text for `type_column`, got `int`", "type"),
        ("compile", {"policy": 5}, "expected a text or None for `policy`, got `int`", "recent"),
    ],
)
def test_a_refused_argument_says_what_is_wanted(call: str, given: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(CepheidError) as raised:
        CALLS[call](**given)
    [name] = given
    assert str(raised.value) == f'error[bad-option]: {message}\n  = hint: write `{name}="{hint}"`'


def test_the_source_of_a_batch_is_seen_by_its_place() -> None:
    with pytest.raises(CepheidError, match="expected a text for `source`, got `int`"):
        query().detector().push_batch(EVENTS, 5)  # type: ignore[call-overload]  # what a test is about
    assert len(query().detector().push_batch(EVENTS, "")) == 1


@pytest.mark.parametrize("events", ["x", b"x", {"type": "A", "time": 1}, 5, None])
def test_a_batch_that_is_none_is_refused(events: object) -> None:
    with pytest.raises(CepheidError, match="unreadable-input"):
        query().detector().push_batch(events)
