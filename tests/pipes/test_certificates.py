"""What a certificate promises is kept, on random graphs; what is kept for ever is refused with its place."""

import io
from typing import Any

import pytest
from hypothesis import given

import cepheid as c
from cepheid import CepheidError
from cepheid import pipes as p
from cepheid.engine.pipes.graphs.copies import RunningCopy
from cepheid.engine.pipes.graphs.pulling import Pullable
from tests.pipes.graph_strategies import processors, traces

KEYS = 60  # more than a trace of these strategies can have


@given(processors, traces)
def test_no_run_keeps_more_than_its_certificate_says(processor: p.Processor, trace: list[object]) -> None:
    certificate = processor.certificate(keys=KEYS)
    running = processor.start(allow_unbounded=True)
    assert isinstance(running, RunningCopy)
    for value in trace:
        running.push(value)
        assert certificate.entries is None or running.machine.held() <= certificate.entries, str(certificate)


@pytest.mark.parametrize(
    ("processor", "place", "why"),
    [
        (p.fan(p.passthrough(), p.decimate(2)) | p.apply(p.x + p.y), "apply", "run ahead"),
        (p.slice(p.field("user"), p.cumulate(p.add)), "slice", "every key"),
        (p.window(p.cumulate(p.add), "5 s"), "window", "length of time"),
        (p.verdict(c.eventually(c.here > 0)), "verdict", "until it is known"),
        (p.pack(), "pack", "goes on until"),
        (p.peaks(), "peaks", "only rises"),
        (p.apply(p.x, p.y) | p.passthrough(2), "apply", "run ahead"),
    ],
)
def test_what_is_kept_for_ever_is_refused_with_its_place(processor: p.Processor, place: str, why: str) -> None:
    certificate = processor.certificate()
    assert not certificate.bounded
    said = rf"error\[unbounded-state\]: `{place}(?s:.*){why}(?s:.*)allow_unbounded=True"
    with pytest.raises(CepheidError, match=said):
        certificate.demand_bounded()
    with pytest.raises(CepheidError, match=said):
        processor.start()
    assert processor.start(allow_unbounded=True).push({"time": 1, "user": 1}) is not None


@pytest.mark.parametrize(
    ("processor", "how"),
    [
        (p.slice(p.field("user"), p.passthrough()), {"keys": 5}),
        (p.window(p.cumulate(p.add), "5 s"), {"rates": "10/s"}),
        (p.apply(p.x + p.y), {"lead": 3}),
    ],
)
def test_what_is_declared_makes_a_start_bounded(processor: p.Processor, how: dict[str, Any]) -> None:
    with pytest.raises(CepheidError, match="unbounded-state"):
        processor.start()
    assert isinstance(processor.start(**how), RunningCopy)


def test_what_is_kept_for_ever_of_a_trace_without_an_end_is_refused() -> None:
    by_user = p.slice(p.x % 2, p.passthrough())
    with pytest.raises(CepheidError, match="unbounded-state"):
        by_user.pull(iter([1, 2]))
    with pytest.raises(CepheidError, match="unbounded-state"):
        by_user.pulls(iter([1, 2]))
    assert list(by_user.pull([1, 2])) == list(by_user.pull(iter([1, 2]), allow_unbounded=True))
    assert list(by_user.pull(iter([1, 2]), keys=2)) == by_user.run([1, 2])
    assert list((p.apply(p.x + p.y)).pull(iter([1, 2]), iter([3, 4]))) == [4, 6]
    endless = p.constant(1) | by_user | p.prefix(2)
    with pytest.raises(CepheidError, match="unbounded-state"):
        endless.run()
    with pytest.raises(CepheidError, match="unbounded-state"):
        endless.pull()
    assert endless.run(allow_unbounded=True) == list(endless.pull(allow_unbounded=True)) == [{1: 1}, {1: 1}]


class Pipeline(io.StringIO):
    """A file that somebody else writes, and that cannot be read again."""

    def seekable(self) -> bool:
        return False


@pytest.mark.parametrize(
    ("source", "may_go_on"),
    [
        (p.receive("ws://127.0.0.1:1"), True),
        (p.lines(Pipeline("a")), True),
        (p.lines(io.StringIO("a")), False),
        (p.lines("a file that is not there"), False),
    ],
)
def test_what_is_kept_for_ever_of_a_source_that_may_go_on_is_refused(source: p.Processor, may_go_on: bool) -> None:
    hoarding = source | p.slice(p.x, p.passthrough())
    for ways in (hoarding.run, hoarding.pull, hoarding.pulls):
        if may_go_on:
            with pytest.raises(CepheidError, match="unbounded-state"):
                ways()
    assert isinstance(hoarding.pull(allow_unbounded=may_go_on), Pullable)


@pytest.mark.parametrize(
    ("processor", "entries"),
    [
        (p.fan(p.passthrough(), p.trim(3)) | p.apply(p.x + p.y), 4),
        (p.window(p.cumulate(p.add), 5), 5),
        (p.where(p.x > 1) | p.fork(2) | p.beside(p.passthrough(), p.successive(p.y - p.x)) | p.collate(2), 2),
        (p.fan(p.passthrough(), p.constant(1)) | p.apply(p.x + p.y), 1),
        (p.verdict(c.eventually(c.here > 0, within=4)), 3),
    ],
)
def test_what_is_bounded_has_a_number(processor: p.Processor, entries: int) -> None:
    assert processor.certificate().entries == entries


def test_declarations_make_bounds() -> None:
    by_user = p.slice(p.field("user"), p.window(p.cumulate(p.add), 3))
    assert by_user.certificate(keys={"x['user']": 10}).entries == 10 * (3 + 1)
    assert p.window(p.cumulate(p.add), "5 s").certificate(rates="10/s").entries == 62
    assert (p.apply(p.x + p.y)).certificate(lead=3).entries == 6


def test_what_a_user_declares_is_believed() -> None:
    @p.processor(initial=(), keeps=None)
    def hoarder(seen: tuple[object, ...], value: object) -> tuple[tuple[object, ...], list[object]]:
        return (*seen, value), []

    assert not hoarder.certificate().bounded
    assert "`hoarder` does not say how much it keeps" in str(hoarder.certificate())


def test_many_nested_forks_cost_as_much_as_there_are() -> None:
    processor = p.trim(1)
    for _ in range(20):
        processor = processor + (processor | p.apply(p.x * 1))
    assert processor.run([1, 2]) == [2 << 20]
    assert len(repr(processor)) < 3000
    assert processor.certificate().bounded
    assert processor.draw().count("<rect") == 43
    assert processor.start(processor.start(allow_unbounded=True).snapshot()).push(1) == []


def test_a_long_chain_is_no_matter() -> None:
    processor = p.passthrough()
    for _ in range(3000):
        processor = processor | p.trim(0)
    assert processor.run([1]) == [1]
    assert processor.certificate().bounded
    assert "<svg" in processor.draw()
