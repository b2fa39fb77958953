"""States that are damaged are refused, and a snapshot beside other threads is one of a moment between two pushes."""

from collections.abc import Callable
from random import Random
from threading import Thread

import pytest

import cepheid
from cepheid.diagnostics import CepheidError
from cepheid.engine import Engine, TieredDetector
from cepheid.engine.kernels.columns import state_bytes
from cepheid.engine.state import snapshot
from cepheid.events import point
from tests.api import threads

QUERY = "(a:A ; b:B) within 5 s by k emits k = a.k"
FLIPS = 200


def rows(count: int) -> list[dict[str, object]]:
    return [{"type": "AB"[number % 2], "time": number, "k": number % 3} for number in range(count)]


def told(found: list[cepheid.Report]) -> list[tuple[object, ...]]:
    return [(match.start, match.end, match.evidence) for match in found]


@pytest.mark.parametrize("seed", range(3))
def test_a_snapshot_with_one_bit_changed_is_refused(seed: int) -> None:
    query, random = cepheid.compile(QUERY, language="algebra"), Random(seed)
    detector = query.detector()
    for row in rows(30):
        detector.push(row)
    state = detector.snapshot()
    assert query.detector(state).close() is not None
    for _ in range(FLIPS):
        with pytest.raises(CepheidError, match="bad-state"):
            query.detector(_flipped(state, random))


@pytest.mark.parametrize("engine", [Engine.INTERPRETER, Engine.AUTO], ids=lambda engine: engine.value)
def test_a_state_of_kernels_with_one_bit_changed_is_refused(engine: Engine) -> None:
    plan, random = cepheid.compile(QUERY, language="algebra").plan, Random(5)
    detector = TieredDetector(plan, engine)
    detector.push_all([point("AB"[number % 2], number, number, {"k": number % 3}) for number in range(30)])
    state = detector.snapshot()
    assert TieredDetector(plan, engine, state=state).snapshot() == state
    for _ in range(FLIPS):
        with pytest.raises(CepheidError, match="bad-state"):
            TieredDetector(plan, engine, state=_flipped(state, random))


def test_a_state_that_was_cut_off_is_refused() -> None:
    query = cepheid.compile(QUERY, language="algebra")
    detector = query.detector()
    detector.push(rows(1)[0])
    state = detector.snapshot()
    for length in range(0, len(state), 7):
        with pytest.raises(CepheidError, match="bad-state"):
            query.detector(state[:length])


@pytest.mark.parametrize("tier", ["interpreter", "kernels", "query"])
def test_a_state_with_ids_of_another_kind_is_refused(tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    query = cepheid.compile(QUERY, language="algebra")
    module, before = (state_bytes, 7) if tier == "kernels" else (snapshot, 5)
    now = module.VERSION

    def detector(state: bytes | None = None) -> TieredDetector | cepheid.QueryDetector:
        return query.detector(state) if tier == "query" else TieredDetector(query.plan, Engine(tier), state=state)

    with monkeypatch.context() as older:
        older.setattr(module, "VERSION", before)
        state = detector().snapshot()
    with pytest.raises(CepheidError) as raised:
        detector(state)
    assert str(raised.value).splitlines() == [
        f"error[bad-state]: this snapshot has format {before}, and only format {now} can be read",
        "  = hint: go on with the release that wrote it",
    ]


@pytest.mark.parametrize("before", ["s", "ms", None])
@pytest.mark.parametrize("now", ["s", "us", None])
def test_numbers_of_another_unit_are_not_taken_for_times(before: str | None, now: str | None) -> None:
    queries = [cepheid.compile(QUERY, language="algebra", time_unit=unit) for unit in (before, now)]  # type: ignore[arg-type]  # a parameter
    first = queries[0].detector()
    first.push({"type": "A", "time": 1000, "k": 1})
    if (before or "s") == (now or "s"):
        later = queries[1].detector(first.snapshot())
        later.push({"type": "B", "time": 1002, "k": 1})
        assert [(match.start, match.end) for match in later.close()] == [(1000, 1002)]
        return
    with pytest.raises(CepheidError) as raised:
        queries[1].detector(first.snapshot())
    assert str(raised.value).splitlines() == [
        f"error[state-mismatch]: this snapshot was taken where times are numbers of `{before or 's'}`, "
        f"and here they are numbers of `{now or 's'}`",
        f'  = hint: write `time_unit="{before or "s"}"`',
    ]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_a_state_may_be_bytes_of_any_kind(kind: Callable[[bytes], bytes]) -> None:
    query = cepheid.compile(QUERY, language="algebra")
    detector = query.detector()
    detector.push(rows(1)[0])
    assert query.detector(kind(detector.snapshot())).position == 1


@pytest.mark.parametrize("state", ["text", 5, [b"x"], object()])
def test_what_is_no_state_is_refused(state: object) -> None:
    with pytest.raises(CepheidError, match="expected the bytes of a snapshot, got"):
        cepheid.compile(QUERY, language="algebra").detector(state)  # type: ignore[arg-type]  # what a test is about


def test_a_snapshot_beside_another_thread_loses_and_adds_nothing() -> None:
    query, events = cepheid.compile(QUERY, language="algebra"), rows(600)
    detector, first, states = query.detector(), list[cepheid.Report](), list[bytes]()

    def push_all() -> None:
        for row in events:
            first.extend(detector.push(row))

    pushing = Thread(target=push_all)
    pushing.start()
    while pushing.is_alive():
        states.append(detector.snapshot())
        detector.progress()
        detector.usage()
    pushing.join()
    whole = told([*first, *detector.close()])
    for state in states[:: max(len(states) // 20, 1)]:
        again = query.detector(state)
        rest = [match for row in events[again.position :] for match in again.push(row)]
        later = told([*rest, *again.close()])
        assert later == whole[len(whole) - len(later) :]
        assert again.position == len(events)


def test_snapshots_beside_sixteen_threads_tell_what_one_thread_would() -> None:
    random = Random(3)
    outcome = threads.run(threads.a_query(), threads.a_round(random, 160, 5), random)
    assert outcome.wrong == ()
    assert outcome.looked_at > 0


def _flipped(state: bytes, random: Random) -> bytes:
    damaged = bytearray(state)
    damaged[random.randrange(len(state))] ^= 1 << random.randrange(8)
    return bytes(damaged)
