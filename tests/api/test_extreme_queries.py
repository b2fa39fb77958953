"""Numbers, names and nesting that nobody means: each is refused with a code, and none ends in a bare exception."""

from collections.abc import Callable

import pytest

import cepheid as c
from cepheid.algebra.json_form import from_json, program_from_json, program_to_json
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import read_program

COUNTS = (2**62, 2**63, 2**64, 10**400)
PARTE = "template A { v : Integer }\n"


def code_of(attempt: Callable[[], object]) -> str:
    with pytest.raises(CepheidError) as caught:
        attempt()
    return caught.value.diagnostics[0].code


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("how", ["{}", "1..{}", "{0}..{0}"])
@pytest.mark.parametrize("choice", ["", " choose all"])
def test_repetitions_beyond_counting(count: int, how: str, choice: str) -> None:
    text = f"rule r: repeat x: {how.format(count)} of a: A{choice} within 5 s emits R"
    assert code_of(lambda: c.compile(read_program(text), allow_unbounded=True)) == "too-large"


@pytest.mark.parametrize("count", COUNTS[:1])
def test_repetitions_beyond_counting_in_etalis(count: int) -> None:
    text = f"x(S) <- ntimes(stock(S, P), {count})."
    assert code_of(lambda: c.compile(text, language="etalis", allow_unbounded=True)) == "too-large"


@pytest.mark.parametrize("number", ["1e999999", "1e-999999", "1e99", f"1e{2**63}", f"1e-{2**63}", "9" * 5000])
def test_lengths_beyond_counting(number: str) -> None:
    assert code_of(lambda: c.compile(f"A ; B within {number}", language="algebra")) == "bad-duration"
    assert code_of(lambda: c.compile(f"A ; B within {number} s", language="algebra")) == "bad-duration"
    assert code_of(lambda: c.compile("A ; B within 5 s", rates={"A": f"{number}/s"}, language="algebra")) == "bad-rate"


@pytest.mark.parametrize("name", ["\0", "a\0b", "\ud800", "x" * 5000, "."])
def test_files_that_no_system_could_have(name: str) -> None:
    assert code_of(lambda: c.compile(f'{PARTE}use "{name}"', language="parte")) == "unresolved-file"
    assert code_of(lambda: c.compile("x(S) <- a(S).", language="etalis", tables={"t": name})) == "unreadable-input"


@pytest.mark.parametrize("sign", ["=", "&", "!", "&&", "||", "<>", ";", "|", "<"])
def test_texts_that_end_with_a_sign_from_elsewhere(sign: str) -> None:
    assert code_of(lambda: read_program(f"rule r: a then b emits R{sign}")) == "syntax"


def nested_form(levels: int) -> dict[str, object]:
    """Return the JSON form of a program whose pattern has so many levels."""
    form = program_to_json(c.program(c.query(c.event("A"), name="r")).program)
    (rule,) = form["program"]["rules"]  # type: ignore[index]  # as it was written
    for _ in range(levels):
        rule["pattern"] = {"node": "Restrict", "pattern": rule["pattern"]}
    return form


def nested_call(levels: int) -> dict[str, object]:
    form: dict[str, object] = {"node": "Literal", "value": 1}
    for _ in range(levels):
        form = {"node": "Call", "function": "neg", "arguments": [form]}
    return form


def nested_list(levels: int) -> dict[str, object]:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return {"node": "Literal", "value": value}


@pytest.mark.parametrize("levels", [500, 100_000])
def test_deep_forms(levels: int) -> None:
    assert code_of(lambda: program_from_json(nested_form(levels))) == "too-deep"
    assert code_of(lambda: from_json(nested_call(levels))) == "too-deep"
    assert code_of(lambda: from_json(nested_list(levels))) == "too-deep"


def parentheses(levels: int) -> str:
    return f"M = {'(' * levels}A{')' * levels}"


def negations(levels: int) -> str:
    return f"A[{'not ' * levels}v > 1]"


def sums(levels: int) -> str:
    return f"A[v {'+ 1 ' * levels} > 1]"


@pytest.mark.parametrize("levels", [500, 20_000])
@pytest.mark.parametrize("text", [negations, sums])
def test_deep_texts(text: Callable[[int], str], levels: int) -> None:
    assert code_of(lambda: c.compile(text(levels), language="algebra")) == "too-deep"


def test_parentheses_alone_mean_nothing() -> None:
    c.compile(parentheses(90), language="algebra")


def test_deep_queries_of_the_builder() -> None:
    event = c.event("A", name="x")
    value = event.v
    for _ in range(500):
        value = value + 1
    assert code_of(lambda: c.query(event.where(value > 1))) == "too-deep"


def test_rules_that_feed_rules_that_feed_rules() -> None:
    chain = "\n".join(f"D{one + 1} = a:D{one} emits v = a.v" for one in range(1000))
    assert code_of(lambda: c.compile(f"D0 = a:A emits v = a.v\n{chain}", language="algebra")) == "too-large"


def test_a_number_of_too_many_digits_in_json_is_shown() -> None:
    with pytest.raises(CepheidError) as caught:
        c.compile(f'{{"cepheid": {"9" * 5000}}}', language="json")
    [finding] = caught.value.diagnostics
    assert (finding.code, finding.message) == ("syntax", "a number of 5,000 digits is longer than any value")
    assert finding.labels[0].span.start == len('{"cepheid": ')


def test_what_a_run_adds_up_to_may_be_beyond_all_numbers() -> None:
    steps = f"step one: a let n = @n + {'9' * 393} then more or done  step more: b let n = @n * @n then more or done"
    text = f"rule third: chain from one let n = 1 {{ {steps}  step done: c[@n > 0] }} emits third(n = @n)"
    assert c.compile(read_program(text), allow_unbounded=True).program.rules[0].name == "third"


@pytest.mark.parametrize("option", ["disorder", "max_jump"])
@pytest.mark.parametrize("length", ["-1 s", -1, c.Duration.seconds(-1)])
def test_lengths_that_are_less_than_nothing(option: str, length: object) -> None:
    with pytest.raises(CepheidError) as caught:
        c.compile("A ; B within 5 s", language="algebra", **{option: length})  # type: ignore[call-overload]  # by name
    [finding] = caught.value.diagnostics
    assert (finding.code, finding.message) == ("bad-duration", f"`{option}` is less than nothing: `{length}`")
    c.compile("A ; B within 5 s", language="algebra", **{option: 0})  # type: ignore[call-overload]  # by name


@pytest.mark.parametrize("option", ["disorder", "max_jump", "tick"])
@pytest.mark.parametrize("length", [1.5, float("nan"), [], b"5 s"])
def test_lengths_of_another_kind(option: str, length: object) -> None:
    options = {option: length}
    assert code_of(lambda: c.compile("A ; B within 5 s", language="algebra", **options)) == "bad-option"  # type: ignore[call-overload]  # what a test is about


@pytest.mark.parametrize("count", [0, -1, -(2**70)])
def test_counts_that_leave_room_for_nothing(count: int) -> None:
    query = c.compile("A ; B within 5 s", language="algebra")
    events = [{"type": "A", "time": 1}]
    assert code_of(lambda: query.run(events, sort_buffer=count)) == "conflicting-options"  # which went on for ever
    assert code_of(lambda: query.run(events, max_matches=count)) == "conflicting-options"
    assert code_of(lambda: query.detector(max_matches=count)) == "conflicting-options"
    assert len(list(query.run([*events, {"type": "B", "time": 2}], sort_buffer=1, max_matches=1))) == 1
