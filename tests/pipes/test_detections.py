"""A query of any language is a processor, and its complex events can be queried on."""

import cepheid as c
from cepheid import pipes as p

EVENTS = [{"type": name, "time": time, "n": time % 4} for time, name in enumerate("abcabbacab" * 3)]


def query() -> c.CompiledQuery:
    a, b = c.event("a"), c.event("b")
    return c.compile(c.query((a >> b).within("3 s"), name="Pair", values={"sum": a.n + b.n}))


def test_complex_events_are_records() -> None:
    found = p.detect(query()).run(EVENTS)
    assert found[0] == {"sum": 1, "start": 0, "end": 1}
    assert len(found) == len(list(query().run(EVENTS)))


def test_what_is_detected_can_be_windowed_sliced_and_detected_again() -> None:
    sums = p.detect(query()) | p.apply(p.field("sum"))
    assert (sums | p.window(p.cumulate(p.add), 2)).run(EVENTS) == p.window(p.cumulate(p.add), 2).run(sums.run(EVENTS))
    pairs = p.detect(query()) | p.apply(p.record_of(type="pair", time=p.field("end"), sum=p.field("sum")))
    pair = c.event("pair")
    twice = pairs | p.detect(c.query(c.repeat(pair, least=2, most=2).within("1 s"), name="Twice"))
    assert twice.run(EVENTS) == p.detect(c.query(c.repeat(pair, least=2, most=2).within("1 s"), name="Twice")).run(
        pairs.run(EVENTS)
    )


def test_pushing_and_snapshots() -> None:
    processor = p.detect(query())
    running, told = processor.start(), []
    for place, event in enumerate(EVENTS):
        told += running.push(event)
        if place == 11:
            running = processor.start(running.snapshot())
    assert [*told, *running.end()] == processor.run(EVENTS)
