"""A sequence that is built in Python is the one that a text says, and finds the same."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid as c
from cepheid.algebra.semantics import matches
from cepheid.diagnostics import CepheidError
from tests.languages.cep.brute_sequences import BruteStep, Record, sequences, text_of
from tests.languages.cep.test_sequences import CLOSING, RECORDS, accepted, trace_of

SKIPS = {"": None, "skip past last": "past last", "skip to next": "to next"}


def built(steps: list[BruteStep], events: Mapping[str, c.parts.EventPart]) -> list[c.parts.SequenceItem]:
    found = []
    for step in steps:
        found += [c.parts.no(c.event(kind, name=f"x{step.name}{at}")) for at, kind in enumerate(step.without)]
        inside = built(list(step.group), events) if step.group else [events[step.name]]
        item = c.take(*inside, times=(step.least, step.most))
        item = item.where(events[step.name].v > events[step.above].v) if step.above else item
        if step.near:
            item = item.where(events[step.name].start - events[step.near[0]].end <= c.Duration(step.near[1]))
        item = {"next": item, "strict": item.consecutive(), "any": item.combinations()}[step.inner]
        item = {"next": item, "strict": item.strict(), "any": item.any()}[step.contiguity]
        item = item.greedy() if step.greedy else item
        item = item.until(c.event(step.until, name=f"u{step.name}")) if step.until else item
        found.append(item.optional() if step.optional else item)
    return found


@given(sequences(), RECORDS, CLOSING, st.integers(1, 8), st.sampled_from(sorted(SKIPS)))
def test_what_is_built_is_what_is_written(
    steps: list[BruteStep], records: list[Record], closing: str | None, within: int, skip: str
) -> None:
    text = accepted(text_of(steps, closing, within, skip))
    every = [one for step in steps for one in (step, *step.group)]
    events = {step.name: c.event(step.kind, name=step.name) for step in every if step.kind}
    closed = [c.parts.no(c.event(closing, name="last"))] if closing else []
    window = c.Duration(within)
    query = c.query(c.sequence(*built(steps, events), *closed, window=window, skip=SKIPS[skip]))
    found = query.run(trace_of(records), on="definition")
    expected = matches(text, trace_of(records))
    assert sorted(match.evidence for match in found) == sorted(match.evidence for match in expected)


def test_events_without_names_are_called_after_their_types() -> None:
    failed, ok, logout = map(c.event, ("Failed", "Accepted", "Logout"))
    built_one = c.query(
        c.sequence(
            c.take(failed, times=(2, None)).greedy(),
            c.take(ok).strict().where(ok.user == failed.user),
            c.parts.no(logout),
            window="10 min",
            skip_to_last=failed,
        ),
        name="entered",
        values={"who": ok.user},
    )
    text = """
    rule entered:
        sequence within 10 min skip to last failed {
            2..* of failed: Failed greedy, strict accepted: Accepted[user == failed.user], not logout: Logout
        }
        emits entered(who = accepted.user)
    """
    rows = [("Failed", 1), ("Failed", 2), ("Accepted", 3), ("Failed", 4), ("Failed", 5), ("Accepted", 6)]
    events = [{"type": kind, "time": time, "user": "eve"} for kind, time in rows]
    found = list(c.compile(built_one).run(events))
    assert [(match.start, match.end) for match in found] == [(1, 3), (2, 6)]
    assert [(m.start, m.end, dict(m.values)) for m in c.compile(text).run(events)] == [
        (m.start, m.end, dict(m.values)) for m in found
    ]


def test_matches_of_any_pattern_come_one_after_the_other() -> None:
    a, b = c.event("A"), c.event("B")
    pair = (a >> b).within("10 s")
    events = [{"type": kind, "time": time} for time, kind in enumerate("AABBAB")]
    spans = {
        "all": [(m.start, m.end) for m in c.compile(c.query(pair)).run(events)],
        "past": [(m.start, m.end) for m in c.compile(c.query(pair.skip_past_last())).run(events)],
        "next": [(m.start, m.end) for m in c.compile(c.query(pair.skip_to_next())).run(events)],
    }
    assert spans["past"] == [(0, 2), (4, 5)]
    assert spans["next"] == [(0, 2), (1, 2), (4, 5)]
    assert len(spans["all"]) == 7


@pytest.mark.parametrize(
    ("steps", "options", "hint"),
    [
        ((), {}, 'add a step: `sequence(event("A"))`'),
        ((c.event("A"), c.parts.no(c.event("B"))), {}, 'add a window: `sequence(a, no(b), window="10 min")`'),
        ((c.event("A"),), {"skip": "past lst"}, 'write `skip="past last"`'),
        ((c.event("A"),), {"skip": "to next", "skip_to_first": c.event("A")}, "leave all but one of them away"),
        ((c.event("A"),), {"skip_to_first": c.event("B")}, 'name an event that is taken, or write `skip="past last"`'),
    ],
)
def test_what_cannot_be_said_is_refused_in_python_s_words(
    steps: tuple[c.parts.SequenceItem, ...], options: dict[str, str], hint: str
) -> None:
    with pytest.raises(CepheidError) as raised:
        c.sequence(*steps, **options)  # type: ignore[arg-type]  # of several kinds
    [told] = raised.value.diagnostics
    assert (told.code, told.hints) == ("bad-sequence", (hint,))


def test_words_about_several_times_are_for_steps() -> None:
    with pytest.raises(CepheidError, match="what is absent is taken no number of times"):
        c.parts.no(c.event("A")).strict()
    a = c.event("A")
    with pytest.raises(CepheidError, match="a group of steps has no conditions of its own"):
        c.take(a, c.event("B")).where(a.x == 1)
