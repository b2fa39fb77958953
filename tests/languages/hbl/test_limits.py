"""A limit that stands in every way through a watchpoint bounds it, whatever way it is written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, Engine, TieredDetector
from cepheid.events import point
from tests.kernels.plain_kernels import plain_kernels
from tests.languages.hbl import spelled_limits

RATES = "stream a rate 1 per 1 s; stream b rate 1 per 1 s; stream c rate 1 per 1 s;"
IN_TIME = (
    "now() <= q + {n}",
    "now() < q + {n} s",
    "q + {n} >= now()",
    "now() - q <= {n} s",
    "not now() > q + {n}",
    "now() == q + {n}",
    "now() <= q + {n} and v > 1",
    "now() <= q + {n} or now() < q + 1",
)
IN_RECORDS = ("index() <= p + {n}", "index() - p < {n}", "not (index() > p + {n} or v > 3)", "p + {n} == index()")
IN_SECONDS = tuple(
    way.format("{n}").replace("value", "v") for way in (*spelled_limits.IN_TIME, *spelled_limits.ROUNDED)
)
OF_RECORDS = tuple(way.format("{n}").replace("value", "v") for way in spelled_limits.IN_RECORDS)
LIMITS = st.builds(lambda way, n: way.format(n=n), st.sampled_from(IN_TIME + IN_SECONDS), st.integers(1, 5))
RECORD_LIMITS = st.builds(lambda way, n: way.format(n=n), st.sampled_from(IN_RECORDS + OF_RECORDS), st.integers(1, 5))
LOOPS = st.sampled_from(["", "loop = b -> (loop | last);", "loop = b -> c -> (loop | last);"])


def watchpoint(limit: str, loop: str, *, evidence: bool) -> str:
    after = "(loop | last)" if loop else "last"
    alert = "alert { evidence = records }" if evidence else ""
    main = f"main = a letting q = now(), p = index() -> {after};"
    return f"{RATES} watchpoint w {{ {main} {loop} last = c[{limit}]; {alert} }}"


@given(st.one_of(LIMITS, RECORD_LIMITS), LOOPS, st.booleans())
def test_a_limit_on_every_way_is_a_bound_that_is_kept(limit: str, loop: str, evidence: bool) -> None:
    query = cepheid.compile(watchpoint(limit, loop, evidence=evidence), language="hbl")
    detector = query.detector()
    for number in range(60):
        detector.push({"type": "abc"[number % 3], "time": number // 3 + (number % 3) / 10, "v": number % 5})
        for used in detector.usage():
            assert used.promised is not None
            assert used.used <= used.promised


@pytest.mark.parametrize(
    "equations",
    [
        "main = a letting q = now() -> b;",
        "main = a letting q = now() -> (b[now() <= q + 5] | c);",
        "main = a letting q = now() -> b[now() >= q + 5];",
        "main = a letting q = v -> b[now() <= q + 5];",
        "main = a letting q = now() -> loop; loop = b[now() <= q + 5] letting q = now() -> (loop | c);",
        "main = a letting q = now() -> b[now() <= q + limit];",
        "main = a letting q = now() -> b[2 * now() <= q + 5];",
        "main = a letting q = now() -> b[now() < 1 h];",
        "main = a letting q = now() -> b[min(now(), v) <= q + 5];",
        "main = a letting q = now() -> b[not (now() - q > 5)];",
    ],
)
def test_a_watchpoint_that_some_way_leaves_open_is_not_bounded(equations: str) -> None:
    with pytest.raises(CepheidError, match="unbounded-state"):
        cepheid.compile(f"{RATES} watchpoint w {{ {equations} }}", language="hbl")
    assert cepheid.compile(f"{RATES} watchpoint w {{ {equations} window 5 s; }}", language="hbl").certificate.bounded


NO_END = "may never come, and nothing ends the wait"
NOT_KNOWN = "has a limit, but nothing says how long after the first record that is"


@pytest.mark.parametrize(
    ("equations", "place", "reason"),
    [
        ("main = a -> b letting q = now() -> c[now() <= q + 5];", "b letting q = now()", f"`b` {NO_END}"),
        ("main = a letting q = now() -> b[now() <= q + 5] -> c;", "c", f"`c` {NO_END}"),
        ("main = a letting k = v -> (b[now() <= k] | c -> d);", "d", f"`d` {NO_END}"),
        ("main = a letting k = v -> (b[now() <= k] | c[index() <= k]);", "b[now() <= k]", f"`b` {NOT_KNOWN}"),
        (
            "main = a letting q = now() -> more; more = b[now() <= q + 5] letting q = now() -> (more | c[now() <= q]);",
            "c[now() <= q]",
            f"`c` {NOT_KNOWN}",
        ),
        (
            "main = a letting q = now() -> more; more = b letting q = now() -> (more | c[now() <= q + 9]);",
            "b letting q = now()",
            f"`b` {NO_END}",
        ),
    ],
)
def test_the_step_that_waits_for_ever_is_shown(equations: str, place: str, reason: str) -> None:
    with pytest.raises(CepheidError) as refused:
        cepheid.compile(f"watchpoint w {{ {equations} alert {{ evidence = records }} }}", language="hbl")
    told = refused.value.diagnostics[0]
    assert [(label.span.text, label.text) for label in told.labels] == [(place, reason)]
    assert told.hints == ("add a window: `window 10 minutes;`",)


def test_a_key_whose_values_nobody_knows_is_shown_where_it_is_written() -> None:
    text = "watchpoint w by user, host { window 5 records; main = login -> buy; }"
    with pytest.raises(CepheidError) as refused:
        cepheid.compile(text, language="hbl")
    told = refused.value.diagnostics
    assert {one.message for one in told} == {"watchpoint `w` keeps runs of `login` for ever"}
    places = [(label.span.text, label.span.start, label.text) for one in told for label in one.labels]
    assert places == [
        ("user", text.index("user"), "nobody knows how many values `user` has"),
        ("host", text.index("host"), "nobody knows how many values `host` has"),
    ]


def test_kernels_forget_runs_whose_own_limits_have_passed() -> None:
    text = "watchpoint w { main = a letting q = now(), far = d -> b[now() <= q + far and v == 7]; }"
    plan = cepheid.compile(text, language="hbl", allow_unbounded=True, time_unit="us").plan
    events = [point("abc"[number % 3], number, number, {"d": number % 40}) for number in range(300)]
    with plain_kernels():
        kernels, interpreter = TieredDetector(plan, Engine.KERNELS), Detector(plan)
        for event in events:
            kernels.push(event)
            interpreter.push(event)
            assert kernels.usage()[0].used == interpreter.usage()[0].used < 15


def test_a_run_is_dropped_as_soon_as_its_own_limit_has_passed() -> None:
    text = "watchpoint w { main = a letting q = now(), far = d -> b[now() <= q + far]; }"
    detector = cepheid.compile(text, language="hbl", allow_unbounded=True).detector()

    def held_after(*rows: tuple[str, int, int]) -> int:
        for kind, time, far in rows:
            detector.push({"type": kind, "time": time, "d": far})
        return sum(one.used for one in detector.usage() if "chain" in one.operator)

    assert held_after(("a", 0, 3), ("a", 1, 10)) == 2
    assert held_after(("c", 3, 0)) == 2
    assert held_after(("c", 4, 0)) == 1
    assert held_after(("c", 12, 0)) == 0


def test_a_limit_beyond_all_time_is_none() -> None:
    far, near = (
        watchpoint(f"now() <= q + {limit} and index() <= p + 5", "", evidence=False) for limit in ("1e308", "1")
    )
    [used, *_] = cepheid.compile(far, language="hbl").detector().usage()
    [less, *_] = cepheid.compile(near, language="hbl").detector().usage()
    assert (used.promised, less.promised) == (5, 2)
