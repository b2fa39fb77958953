"""The queries of the engine's benchmark."""

import cepheid as c
from benchmarks.engine_workload import TYPES


def combinations(window: str, *, by_key: bool = False) -> c.CompiledQuery:
    """A, then B, then C within a window: all of them."""
    a, b, last = (c.event(name) for name in "ABC")
    pattern = (a >> b >> last).within(window)
    return c.compile(c.query(pattern.by("key") if by_key else pattern, name="all"))


def next_match(window: str, *, by_key: bool = False) -> c.CompiledQuery:
    """The same, each A with the next B and the next C."""
    a, b, last = (c.event(name) for name in "ABC")
    pattern = ((a >> b).within(window) >> last).within(window)
    return c.compile(c.query(pattern.by("key") if by_key else pattern, name="next", policy="next"))


def recent(within: str = "1 s") -> c.CompiledQuery:
    """The last A of the same key, within a second before a B with a greater value."""
    a, b = c.event("A"), c.event("B")
    pattern = (a >> b).within(within).by("key").choose("recent").where(b.value > a.value)
    return c.compile(c.query(pattern, name="recent"))


def family(count: int) -> c.CompiledQuery:
    """So many queries like that, each with its own types, window and margin."""
    queries = []
    for number in range(count):
        other = (number * 3 + 1) % 10
        other = other if other != number % 10 else (other + 1) % 10
        a, b = c.event(TYPES[number % 10], name=f"a{number}"), c.event(TYPES[other], name=f"b{number}")
        window, margin = f"{500 + 100 * (number % 20)} ms", 0.02 * (number % 20)
        pattern = (a >> b).within(window).by("key").choose("recent").where(b.value > a.value + margin)
        queries.append(c.query(pattern, name=f"rule{number}"))
    return c.compile(c.program(*queries))


def average(types: str, threshold: float, within: str = "10 s") -> c.CompiledQuery:
    """The average of a key over some time, told where it is above a threshold."""
    now, item = c.event(*types, name="now"), c.event(*types, name="item")

    def window(anchor: c.terms.Extent, one: c.terms.Extent) -> tuple[c.terms.Term, ...]:
        return (anchor.end - one.start >= 0, anchor.end - one.start <= within)

    mean = {"mean": c.agg.avg(item.value)}
    seen = c.collect(now, item, relation=window, on=now.key == item.key, values=mean, name="seen")
    return c.compile(c.query(seen.where(seen.mean > threshold), name="load", values={"mean": seen.mean}))


def chain(within: str = "1 s") -> c.CompiledQuery:
    """An A, the first B and the first C after it, all of one key and rising, and no D of that key in between."""
    a, b, last, d = (c.event(name) for name in "ABCD")
    key, value = c.terms.variable("key"), c.terms.variable("value")
    rising = c.chain(
        c.step(a).letting(key=a.key, value=a.value).avoiding(d[d.key == key]).then("b"),
        c.step(b[(b.key == key) & (b.value > value)], name="b").letting(value=b.value).then("c"),
        c.step(last[(last.key == key) & (last.value > value)], name="c").reporting(),
        window=within,
    )
    return c.compile(c.query(rising, name="rising", values={"key": key}))


def records(count: int = 20) -> c.CompiledQuery:
    """A, B and C in this order among so many events, whatever these are."""
    a, b, last = (c.event(name) for name in "ABC")
    return c.compile(c.query((a >> b >> last).within(records=count), name="among"))
