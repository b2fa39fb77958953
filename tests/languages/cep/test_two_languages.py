"""The constructs that the native language shares with the event algebra, and what each of the two means by them.

The list is complete: the two share atoms with names and conditions, `then`, `and`, `or`, `within`, `by`, parentheses.
Every match counts in the one and the latest for each end in the other, events of one time follow each other or do not,
a window holds all before it or the last part, and a type that stands twice is two parts or one event. Random texts that
leave these out mean the same in both.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid
from cepheid.diagnostics import CepheidError
from cepheid.languages.likeness import reads

EVENTS = "A1 A2 B3 B3 B9 C9"

# The construct, the events (type and time), and the matches in `cep` and in the algebra as starts and ends.
DIFFERENT = [
    ("A", "A1 A1", "1-1 1-1", "1-1"),
    ("A then B", "A1 A2 B3", "1-3 2-3", "2-3"),
    ("A then B", "A3 B3", "3-3", ""),
    ("A then B then C", "A1 B2 B3 C4", "1-4 1-4", "1-4"),
    ("A and B", "A1 A2 B3", "1-3 2-3", "2-3"),
    ("A or B", "A1 B1", "1-1 1-1", "1-1"),
    ("A then B within 5 s", "A1 B9", "", "1-9"),
    ("A and B within 5 s", "A1 B9", "", "1-9"),
    ("(A then B) within 5 s", "A1 A2 B3", "1-3 2-3", "2-3"),
    ("A then B within 5 s by k", "A1 B9", "", "1-9"),
    ("A then B then C within 5 s", "A1 B2 C9", "", "1-9"),
    ("A then (B then C within 5 s)", "A1 B2 C9", "", "1-9"),
    ("A or A", "A1", "1-1 1-1", "1-1"),
    ("A then B by k", "A1 A2 B3", "1-3 2-3", "2-3"),
    ("x: A[v > 0] then y: B", "A1 A2 B3", "1-3 2-3", "2-3"),
]
EVENT_LISTS = st.lists(
    st.tuples(st.sampled_from("ABCD"), st.integers(0, 6)).map(lambda one: f"{one[0]}{one[1]}"), max_size=6
)
SAME = [
    "A then B",
    "(A then B) within 5 s",
    "A or B",
    "x: A[v > 0] then y: B[v >= 1 and not (v == 3)]",
    "A then B by k",
]


def found(text: str, events: str, **options: object) -> list[str]:
    rows = [{"type": one[0], "time": int(one[1:]), "k": 1, "v": 1} for one in events.split()]
    query = cepheid.compile(text, allow_unbounded=True, **options)  # type: ignore[call-overload]  # by name
    return sorted(f"{match.start}-{match.end}" for match in query.run(rows))


@pytest.mark.parametrize(("text", "events", "native", "algebra"), DIFFERENT)
def test_the_same_text_means_different_things(text: str, events: str, native: str, algebra: str) -> None:
    assert found(text, events, language="cep") == native.split()
    assert found(text, events, language="algebra") == algebra.split()


@pytest.mark.parametrize("text", SAME)
def test_with_all_matches_and_simultaneous_events_the_rest_is_the_same(text: str) -> None:
    native = found(text, EVENTS, language="cep", ties="simultaneous")
    assert native == found(text, EVENTS, language="algebra", policy="all")


@pytest.mark.parametrize("text", ["A then A", "A and A", "A then (B or A)"])
def test_parts_of_one_type_have_names_in_the_native_language(text: str) -> None:
    assert found(text, "A1 A2 A3", language="algebra")
    with pytest.raises(CepheidError, match="two parts are called `A`"):
        found(text, "A1 A2 A3", language="cep")


@st.composite
def shared_texts(draw: st.DrawFn, types: str = "ABCD") -> str:
    """Texts of both languages: every type once, and windows after parentheses alone."""
    if len(types) == 1:
        condition = draw(st.sampled_from(["", "", "[v > 0]", "[not v == 1]", "[v >= 1 and v * 2 < 5]"]))
        return draw(st.sampled_from(["", f"{types.lower()}: "])) + types + condition
    cut = draw(st.integers(1, len(types) - 1))
    connective = draw(st.sampled_from(["then", "and", "or"]))
    both = f"({draw(shared_texts(types[:cut]))} {connective} {draw(shared_texts(types[cut:]))})"
    window = draw(st.sampled_from(["", " within 2 s", " within 4 s"]))
    return f"({both}{window})" if window else both


@given(shared_texts(), st.booleans(), EVENT_LISTS)
def test_random_texts_of_both_differ_in_nothing_else(text: str, keyed: bool, events: list[str]) -> None:
    whole = f"{text} by k" if keyed else text
    assert reads("cep", whole)
    assert reads("algebra", whole)
    native = found(whole, " ".join(events), language="cep", ties="simultaneous")
    assert native == found(whole, " ".join(events), language="algebra", policy="all")


@pytest.mark.parametrize("text", ["A", "x: A[v > 0]", "A by k", "(A)"])
def test_a_single_event_is_not_remarked_on(text: str) -> None:
    assert reads("cep", text)
    assert reads("algebra", text)
    assert found(text, "A1 A2 B3", language="cep") == found(text, "A1 A2 B3", language="algebra") == ["1-1", "2-2"]
    assert not cepheid.compile(text).warnings


@pytest.mark.parametrize("text", [text for text, *_ in DIFFERENT if text != "A"])
def test_a_text_of_both_runs_as_the_native_one_and_says_so_once(text: str) -> None:
    assert reads("cep", text)
    assert reads("algebra", text)
    told = [warning.code for warning in cepheid.compile(text, allow_unbounded=True).warnings]
    assert told.count("two-languages") == 1
    assert not cepheid.compile(text, allow_unbounded=True, language="cep").remarks


def test_a_text_of_the_native_language_alone_is_not_remarked_on() -> None:
    assert not cepheid.compile("a: A then b: B within 5 s on a.k == b.k").warnings


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Alarm = (Button ; Button) within 2 s", "algebra"),
        ("A ; B", "algebra"),
        ("rise(S) <- (stock(S, P1) SEQ stock(S, P2)).20 s WHERE (P2 > 1.2 * P1).", "etalis"),
        ("rule R where a : A {} when then emit B at a.timestamp with {}", "parte"),
        ("watchpoint slow { window 5 s; main = ask -> answer; }", "hbl"),
        ("SELECT a + b AS c FROM THE TUPLES OF FILE 'myfile.csv'", "esql"),
        ('{"rules": []', "json"),
    ],
)
def test_a_text_of_another_language_brings_the_hint_which_one(text: str, language: str) -> None:
    with pytest.raises(CepheidError) as raised:
        cepheid.compile(text)
    assert raised.value.diagnostics[0].hints[-1] == (
        f'it looks like `{language}`: say so with `--language {language}`, or in Python `language="{language}"`'
    )


def test_a_native_text_in_another_language_brings_the_hint_too() -> None:
    with pytest.raises(CepheidError, match="it looks like `cep`: say so with `--language cep`"):
        cepheid.compile("a: A then b: B within 5 s on a.k == b.k", language="algebra")


def test_a_mistake_in_its_own_language_brings_no_such_hint() -> None:
    with pytest.raises(CepheidError) as raised:
        cepheid.compile("a: A thn b: B on a.k == b.k")
    assert not any("looks like" in hint for hint in raised.value.diagnostics[0].hints)
