"""Large queries: what is told about them takes work that grows slowly, and beyond a limit they are refused at once."""

import sys
from types import FrameType

import pytest

import cepheid as c
from cepheid.analysis.bounds.bound_algebra import size
from cepheid.analysis.counts import work
from cepheid.diagnostics import CepheidError

FLAT = "({}) within 5 s"
WAYS = {
    "sequence": lambda count: f"M = ({' ; '.join(f'A{one}' for one in range(count))}) within 5 s",
    "absences": lambda count: f"M = (A ; B){''.join(f' - C{one}' for one in range(count))} within 5 s",
    "all of them": lambda count: f"M = ({' + '.join(f'A{one}' for one in range(count))}) within 5 s",
    "any of them": lambda count: f"M = ({' | '.join(f'A{one}' for one in range(count))}) within 5 s",
}


def calls_of(text: str, **options: str) -> int:
    """Return how many functions are called to compile a text."""
    calls, before = [0], sys.getprofile()

    def counted(_: FrameType, event: str, __: object) -> None:
        calls[0] += event == "call"

    sys.setprofile(counted)
    try:
        c.compile(text, allow_unbounded=True, **{"language": "algebra", **options})  # type: ignore[call-overload]  # by name
    finally:
        sys.setprofile(before)
    return calls[0]


@pytest.mark.parametrize("policy", ["latest-start", "all"])
@pytest.mark.parametrize("way", WAYS)
def test_twice_as_large_is_little_more_than_four_times_the_work(way: str, policy: str) -> None:
    c.compile(WAYS[way](3), policy=policy, allow_unbounded=True, language="algebra")
    few, many = (calls_of(WAYS[way](count), policy=policy) for count in (8, 16))
    assert many < 5 * few


def test_a_flat_sequence_takes_little_more_than_four_times_the_work_beyond_a_dozen_steps_too() -> None:
    def steps(count: int) -> str:
        return FLAT.format(" then ".join(f"a{one}: A{one}" for one in range(count)))

    c.compile(steps(3))
    few, many = (calls_of(steps(count), language="cep") for count in (20, 40))
    assert many < 5 * few


def test_the_work_of_many_parts_is_the_same_number_in_either_form(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = "\n".join(f"stream A{one} rate {one % 3 + 1} per 1 s" for one in range(14))
    text = f"{rates}\nrule r: {FLAT.format(' then '.join(f'a{one}: A{one}' for one in range(14)))}"
    nested = c.compile(text).certificate.rules[0].work
    monkeypatch.setattr(work, "_MULTIPLIED_OUT", 14)
    multiplied_out = c.compile(text).certificate.rules[0].work
    assert nested.number == multiplied_out.number
    assert nested.number is not None
    assert size(nested.formula) < size(multiplied_out.formula)


def refusal(text: str, language: str = "algebra") -> str:
    with pytest.raises(CepheidError) as caught:
        c.compile(text, language=language)
    return str(caught.value)


def test_names_for_names_are_refused_before_they_are_put_in_place() -> None:
    doubled = "\n".join(f"let D{one + 1} = D{one} | D{one}" for one in range(60))
    assert refusal(f"let D0 = A ; B\n{doubled}\nM = D60 within 5 s") == (
        "error[too-large]: with its names replaced, this has 255 parts, and 200 are the most\n"
        " --> <query>:7:10\n"
        "  |\n"
        "7 | let D6 = D5 | D5\n"
        "  |          ^^^^^^^\n"
        "  = hint: give the inner part a name of its own that emits events: `Inner = a:A ; B emits user = a.user`"
    )


def test_predicates_of_predicates_are_refused_before_they_are_put_in_place() -> None:
    doubled = "\n".join(f"predicate p{one + 1}(x) = p{one}(x) and p{one}(x)" for one in range(60))
    text = f"template A {{ v : Integer }}\npredicate p0(x) = x > 1\n{doubled}\n"
    told = refusal(f"{text}rule R where\n  a : A {{ p60(v) }}\nthen\n  emit A at a.timestamp with {{ v = 1 }}", "parte")
    assert "error[too-large]: with its abbreviations replaced, this has more than 20,000 terms" in told


def test_alternatives_of_alternatives_are_refused_as_they_grow() -> None:
    part = c.event("A") | c.event("B")
    for _ in range(6):
        part = part | part
    with pytest.raises(CepheidError, match="256 alternatives, and 200 are the most"):
        part | part


def test_what_stands_in_many_places_is_counted_once() -> None:
    part: c.Part = c.event("A")
    for _ in range(60):
        part = (part | c.event("B")).within("5 s") & part
    with pytest.raises(CepheidError, match="too-large"):
        c.query(part)


def test_rules_that_feed_each_other_take_little_more_than_four_times_the_work() -> None:
    def rules(count: int) -> str:
        return "\n".join(f"m{one}(X) <- m{(one + 1) % count}(X) SEQ a(X)." for one in range(count))

    c.compile(rules(3), language="etalis", allow_unbounded=True)
    few, many = (calls_of(rules(count), language="etalis") for count in (20, 40))
    assert many < 5 * few
