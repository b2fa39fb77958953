"""What was seen of a long run, hour by hour of its events, and whether it kept its promises."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from statistics import mean
from typing import Any, Final

FLAT: Final = 1.1
"""An hour has at most so many times the memory of the second hour."""
MEASURED: Final = {
    "driver": ("driver", "resident"),
    "jvm": ("jvm", "resident"),
    "workers": ("workers", "own"),
}
"""What is looked at of each kind of processes; workers share pages with the daemon that started them."""
LIVE: Final = "live"
TOGETHER: Final = {**dict.fromkeys(MEASURED, 1), LIVE: 3}
"""How many hours are compared at once. There are few collections in an hour, each at any moment of a batch."""
PROCESSES: Final = "processes"
BASE: Final = 1
Told = dict[str, Any]  # JSON
Batch = list[Any]  # of JSON: its number, what was held and promised, and how many seconds it took


def summary(
    said: list[Told],
    samples: list[Told],
    collected: Iterable[tuple[float, int]],
    files: int,
    of_an_hour: int,
    undisturbed: int,
) -> dict[str, Any]:
    """Return what the batches said, and the mean of all that was looked at in each hour of events."""
    seen: dict[int, dict[str, list[int]]] = {}
    for batch, values in _by_batch(Batches(said), samples, collected):
        if batch >= files:
            continue  # after the last events it is a day later, and all that waited ends at once
        for name, value in values.items():
            seen.setdefault(batch // of_an_hour, {}).setdefault(name, []).append(value)
    hours = [{"hour": hour, **_of_hour(values)} for hour, values in sorted(seen.items())]
    batches = {one["batch"]: one for one in said}
    names = (*MEASURED, LIVE)
    return {
        "batches": [[number, one["held"], one["promised"], one["seconds"]] for number, one in sorted(batches.items())],
        "seen": hours,
        "greatest": {name: _greatest(hours, name) for name in names},
        "greatest_undisturbed": {name: _greatest(hours[:undisturbed], name) for name in names},
    }


def of_hour(batches: Iterable[Batch], hour: int, of_an_hour: int) -> list[Batch]:
    """Return what batches said of an hour of events."""
    return [one for one in batches if one[0] // of_an_hour == hour]


def _by_batch(
    clock: "Batches", samples: list[Told], collected: Iterable[tuple[float, int]]
) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield what was seen, each time with the batch under way."""
    for one in samples:
        batch = clock.at(one["at"], one["life"])
        there = {name: one[kind][what] for name, (kind, what) in MEASURED.items() if kind in one}
        if batch is not None and there and all(there.values()):
            yield batch, {**there, PROCESSES: one["workers"]["processes"]}
    for at, live in collected:
        batch = clock.at(at)
        if batch is not None:
            yield batch, {LIVE: live}


def _of_hour(values: Mapping[str, list[int]]) -> Told:
    return {
        name: round(mean(some), 1)
        if name == PROCESSES
        else {"mean": round(mean(some)), "least": min(some), "most": max(some), "times": len(some)}
        for name, some in values.items()
    }


def _greatest(hours: list[Told], name: str) -> Told | None:
    """Return the later hour from which on there is the most, and how many times that of the second hour it is."""
    told, together = {one["hour"]: one[name]["mean"] for one in hours if name in one}, range(TOGETHER[name])
    means = {
        hour: mean(told[hour + more] for more in together)
        for hour in told
        if all(hour + more in told for more in together)
    }
    later = {hour: value for hour, value in means.items() if hour > BASE}
    if BASE not in means or not later:
        return None
    hour = max(later, key=lambda one: later[one])
    return {"hour": hour, "second": means[BASE], "times": round(later[hour] / means[BASE], 3)}


class Batches:
    """Which batch was under way at a moment: that which was said next by the same life, but for the first one."""

    def __init__(self, said: list[Told]) -> None:
        self._ends: dict[int, list[tuple[float, int]]] = {}
        for one in said:
            self._ends.setdefault(one["life"], []).append((one["at"], one["batch"]))

    def at(self, moment: float, life: int | None = None) -> int | None:
        """Return the batch, None where a life starts or ends; what starts is not at work yet."""
        lives = self._ends.values() if life is None else [self._ends.get(life, [])]
        for ends in lives:
            place = bisect_left(ends, (moment, -1))
            if 0 < place < len(ends):
                return ends[place][1]
        return None


def problems(told: Told) -> list[str]:
    """Return which promises were not kept."""
    return list(_problems(told))


def _problems(told: Told) -> Iterator[str]:
    if not told["equal"] or not told["found"]:
        yield f"matches differ: {told['missing']} are missing, {told['too_many']} are too many"
    if len(told["killed"]) != told["faults"]:
        yield f"only {len(told['killed'])} of {told['faults']} were killed"
    if any(batch // told["files_of_an_hour"] < told["undisturbed"] for batch in told["ended_by_itself"]):
        yield f"it ended by itself after the batches {told['ended_by_itself']}"
    over = [number for number, held, promised, _ in told["batches"] if promised is None or held > promised]
    if over:
        yield f"more is held than was promised in the batches {over}"
    for name, greatest in told["greatest"].items():
        if greatest is None or greatest["times"] > FLAT:
            yield f"the memory of `{name}` is not flat: {greatest}"
