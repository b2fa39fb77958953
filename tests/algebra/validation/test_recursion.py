"""Rules may feed themselves where that has a meaning and an end."""

import pytest

import cepheid as c
from cepheid.algebra.validation import validate
from tests.algebra.builder.nodes import error_of

edge = c.event("Edge")
path = c.event("Path")
start = c.query(edge, name="Start", emits="Path", values={"to": edge.to})


def refusal(*queries: c.Query) -> str:
    return error_of(lambda: c.program(*queries))


def passes(what: str, cycle: str = "`Path` -> `Path`") -> str:
    return (
        f"error[forbidden-cycle]: the cycle {cycle} passes {what}\n"
        "  = hint: keep to `all` joins on a cycle, and let everything else read the input"
    )


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ((path >> edge).unless(c.event("X")), "an absence"),
        (edge.unless(path, after="1 s"), "an absence"),
        ((path >> edge).choose("recent"), "the choice `recent`"),
        (path.choose("latest-start") >> edge, "the choice `latest-start`"),
        (c.repeat(path) >> edge, "a repetition that takes maximal runs"),
        (c.chain(path, edge), "a chain"),
        (c.collect(edge, path, relation=path.end < edge.start), "a collection"),
        ((path >> edge).within(records=5), "a count of records"),
        (path >> (edge >> c.event("X")).choose("strict"), "a count of records"),
        (path >> c.chain(edge, c.event("X")), "a count of records"),
    ],
)
def test_a_cycle_passes_nothing_that_more_events_take_matches_from(pattern: c.Part, what: str) -> None:
    assert refusal(start, c.query(pattern, name="Path")) == passes(what)


def test_a_cycle_tells_no_positions() -> None:
    told = c.query(path >> edge, name="Path", values={"place": edge.position})
    assert refusal(start, told) == passes("a count of records")


def test_the_whole_cycle_is_shown() -> None:
    a, b, d = c.event("A"), c.event("B"), c.event("D")
    first = c.query(d >> edge, name="A")
    second = c.query(a >> edge, name="B")
    third = c.query(b.unless(c.event("X")) >> edge, name="D")
    assert refusal(first, second, third) == passes("an absence", "`D` -> `A` -> `B` -> `D`")


@pytest.mark.parametrize(
    "pattern",
    [
        path,
        path & edge,
        path | edge,
        path.overlaps(edge),
        path.meets(edge),
        c.repeat(path, choose="all"),
        (path >> edge) | path,
    ],
)
def test_a_cycle_comes_to_an_end(pattern: c.Part) -> None:
    assert refusal(c.query(pattern, name="Path")) == (
        "error[forbidden-cycle]: nothing brings the cycle `Path` -> `Path` to an end\n"
        "  = hint: join with something strictly later, as in `Path then next`"
    )


def test_one_ordered_join_on_a_cycle_is_enough() -> None:
    a, b = c.event("A"), c.event("B")
    c.program(c.query(b >> edge, name="A"), c.query(a, name="B"))


@pytest.mark.parametrize(
    "pattern",
    [
        path >> edge,
        edge >> path,
        path >> c.event("Path"),
        (path & edge).relate(edge.start > path.end),
        (path >> edge).where(path.to == edge.source),
        (path >> edge).distinct(),
        ((path >> edge) >> c.event("End")),
        path >> edge.unless(c.event("X"), before="1 s"),
        path >> (edge >> c.event("Edge")).choose("next"),
    ],
)
def test_these_cycles_are_fine(pattern: c.Part) -> None:
    validate(c.program(start, c.query(pattern, name="Path")).program)


def test_paths_grow_edge_by_edge() -> None:
    longer = c.query((path >> edge).on(path.to == edge.source), name="Longer", emits="Path", values={"to": edge.to})
    events = [
        {"type": "Edge", "time": time, "source": source, "to": to}
        for time, (source, to) in enumerate([("a", "b"), ("b", "c"), ("c", "d")])
    ]
    found = c.program(start, longer).run(events, time_unit="us")
    assert sorted((match.start, match.end) for match in found) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]


def test_rules_that_only_feed_others_may_do_anything() -> None:
    a = c.event("A")
    quiet = c.query(a.unless(c.event("X"), after="1 s"), name="Quiet")
    twice = c.query((c.event("Quiet") >> c.event("Quiet")).choose("recent"), name="Twice")
    validate(c.program(twice, quiet).program)
