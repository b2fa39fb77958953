"""What a text means is what the published algebra says."""

from collections.abc import Iterable

from hypothesis import given

from cepheid.algebra.matches import Match
from cepheid.algebra.semantics import matches
from cepheid.events import Event, sort_events
from cepheid.languages.algebra import parse
from tests.languages.algebra.texts import text_of
from tests.oracles.algebra_detection import detected
from tests.oracles.algebra_sets import Occurrences, first, last, meaning
from tests.oracles.algebra_terms import Term
from tests.properties.algebra_strategies import TERMS
from tests.properties.results import Found, in_order
from tests.properties.traces import KEYED, traces


def found(text: str, trace: Iterable[Event], policy: str | None = None) -> list[Match]:
    return matches(parse(text, policy=policy), trace)


def whole(some: Iterable[Match]) -> Found:
    return in_order((match.start, match.end, frozenset(match.evidence)) for match in some)


def hulls(some: Iterable[Match]) -> list[tuple[int, int]]:
    return [(match.start, match.end) for match in some]


def expected(some: Iterable[Occurrences]) -> Found:
    return in_order((first(one), last(one), frozenset(name for _, name in one)) for one in some)


@given(TERMS, traces())
def test_under_all_matches_are_the_sets_of_the_paper_each_once(term: Term, trace: list[Event]) -> None:
    assert whole(found(text_of(term), trace, "all")) == expected(meaning(term, trace))


@given(TERMS, traces())
def test_the_default_finds_what_the_published_algorithm_finds(term: Term, trace: list[Event]) -> None:
    assert whole(found(text_of(term), trace)) == expected(detected(term, sort_events(trace)))


@given(TERMS, traces(fields=KEYED))
def test_a_key_of_the_whole_and_a_key_inside_detect_the_same(term: Term, trace: list[Event]) -> None:
    text = text_of(term)
    inside = found(f"({text} by k) | (never ; never)", trace)
    apart = [
        one
        for key in {event.get("k") for event in trace} - {None}
        for one in whole(found(text, [event for event in trace if event.get("k") == key]))
    ]
    assert whole(found(f"{text} by k", trace)) == in_order(apart)
    assert {end for _, end in hulls(inside)} == {end for _, end, _ in apart}


@given(TERMS, TERMS, traces())
def test_a_name_means_its_expression(one: Term, two: Term, trace: list[Event]) -> None:
    inner, outer = text_of(one), text_of(two).replace("a", "Named")
    by_name = found(f"let Named = {inner}\n{outer}", trace)
    written_out = found(outer.replace("Named", f"({inner})"), trace)
    assert whole(by_name) == whole(written_out)


@given(TERMS, TERMS, traces())
def test_an_event_that_is_emitted_stands_where_its_expression_would(one: Term, two: Term, trace: list[Event]) -> None:
    inner, outer = text_of(one), text_of(two).replace("a", "Named")
    emitted = parse(f"Named = {inner} emits one = 1\nmatch = {outer}")
    by_name = [match for match in matches(emitted, trace) if match.name == "match"]
    written_out = found(outer.replace("Named", f"({inner})"), trace)
    assert hulls(by_name) == hulls(written_out)
