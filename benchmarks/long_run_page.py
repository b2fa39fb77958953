"""The page about a long run, made of what was seen."""

from collections import Counter
from collections.abc import Iterator
from textwrap import fill
from typing import Any, Final

from benchmarks.long_run_figures import BASE, FLAT, LIVE, TOGETHER, of_hour

_MIB: Final = 1 << 20
_WIDTH: Final = 130
_NAMES: Final = {
    "driver": "driver, resident",
    "jvm": "JVM, resident",
    LIVE: "JVM, live",
    "workers": "Python workers, their own",
}
_EVERY: Final = 2
"""One hour of so many is shown."""
Told = dict[str, Any]  # JSON


def page(told: Told) -> str:
    """Return the page."""
    parts = ["# A pipeline that runs for long", *map(_filled, (_what_runs(told), *_what_holds(told)))]
    parts += ["\n".join(_greatest(told)), *map(_filled, _what_is_memory(told)), "\n".join(_table(told))]
    return "\n\n".join(parts) + "\n"


def _filled(text: str) -> str:
    return fill(" ".join(text.split()), _WIDTH, subsequent_indent="  " if text.startswith("- ") else "")


def _what_runs(told: Told) -> str:
    kinds = Counter(way for way, _ in told["killed"])
    ways = ", ".join(f"{_WAYS[way]} {count} times" for way, count in kinds.items())
    return f"""{told["events"]:,} events of {told["hours"]} hours go through a pipeline in {told["files"] + 1} batches,
        from Parquet files to Parquet files. Its rules look, for each of 20,000 users, for a failed login and then
        one that succeeds within two minutes, for the same amount paid twice within half an hour, and for an order
        without a payment within an hour. Events come up to 4.8 s out of order. For {told["undisturbed"]} hours
        of events nothing disturbs it. Then something is killed (SIGKILL) {len(told["killed"])} times, and the
        pipeline is started again: {ways}. `make bench-long-run` runs it again and
        writes this page; it fails where one of these does not hold:"""


def _what_holds(told: Told) -> Iterator[str]:
    by_rule = ", ".join(f"{count:,} of `{rule}`" for rule, count in told["matches"].items())
    said, missing = len(told["batches"]), told["files"] + 1 - len(told["batches"])
    most = max(told["batches"], key=lambda one: one[1] / one[2])
    yield f"""- The matches are those of the engine in one process over the same events in the order of time:
        {told["found"]:,}, {by_rule}. The same ids are there, each as often, with the same rule, start, end and
        values."""
    lost = f"What {missing} others would have said was lost with the process that was killed." if missing else ""
    yield f"""- What is held is within the certificate after each of the {said} batches that said it. {lost} The most
        were {most[1]:,} of at most {most[2]:,} entries, after batch {most[0]}."""
    yield f"""- Memory is flat: in an hour of events there is at most {FLAT} times as much as in the second hour."""


def _what_is_memory(told: Told) -> Iterator[str]:
    yield f"""The driver is the Python process that runs `cepheid pipeline run`. The heap of the JVM has a fixed size,
        {told["heap"]}, all of which it takes when it starts, so what grows in its resident memory lies beside the heap.
        It compiles quickly (`-XX:TieredStopAtLevel=1`), and the C library has two arenas (`MALLOC_ARENA_MAX=2`). What
        is live in the heap is what is left after a collection of all garbage, of which there is one about every
        {told["live_every"]}, at any moment of a batch, so {TOGETHER[LIVE]} hours are compared at once. Shown are means.
        Python workers share pages with the daemon that starts them, so of these together it is what they allocated
        themselves, and what is shared counts once."""
    yield f"""Somebody looks at them every {told["look_every"]} s. In the first {told["undisturbed"]} hours all
        rows are about the same driver and the same JVM; what is killed begins anew, so later hours are about several.
        What they have from a start until their first batch is done is left out. {_undisturbed(told)}"""


_WAYS: Final = {"driver": "the driver", "jvm": "the JVM", "worker": "a Python worker", "all": "all processes at once"}


def _greatest(told: Told) -> Iterator[str]:
    yield "| memory | second hour, MiB | greatest later hour | times the second hour |"
    yield "| --- | ---: | ---: | ---: |"
    for name, greatest in told["greatest"].items():
        if greatest is not None:
            second, hour = _mib(greatest["second"]), greatest["hour"] + 1
            yield f"| {_NAMES[name]} | {second} | {hour} | {greatest['times']:.3f} |"


def _undisturbed(told: Told) -> str:
    within = told["greatest_undisturbed"]
    each = ", ".join(f"{one['times']:.3f} ({_NAMES[name]})" for name, one in within.items() if one)
    return f"In the hours that nothing disturbed, the greatest is {each} times the second hour."


def _table(told: Told) -> Iterator[str]:
    yield f"| hour of events | {' | '.join(f'{name}, MiB' for name in _NAMES.values())} | workers | held | promised |"
    yield f"| ---: |{' ---: |' * (len(_NAMES) + 3)}"
    for one in told["seen"]:
        if one["hour"] % _EVERY != BASE:
            continue
        held = of_hour(told["batches"], one["hour"], told["files_of_an_hour"])
        memory = " | ".join(_mib(one[name]["mean"]) if name in one else "" for name in _NAMES)
        most = max((row[1] for row in held), default=0)
        promised = max((row[2] for row in held), default=0)
        yield f"| {one['hour'] + 1} | {memory} | {one['processes']:.1f} | {most:,} | {promised:,} |"


def _mib(count: float) -> str:
    return f"{count / _MIB:,.0f}"
