"""The parts of the soak, each cut into portions that are run one after another, every one in a process of its own."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.spark.faults import ways

ROOT = Path(__file__).parent.parent.parent
TESTS = ROOT / "tests"


@dataclass(frozen=True, slots=True)
class Portion:
    """A command that succeeds if all is well, with its number of cases; where none is given, tests that pass count."""

    name: str
    command: tuple[str, ...]
    cases: int | None = None
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """Portions under one name; `unit` says what their cases are."""

    name: str
    unit: str
    portions: tuple[Portion, ...]


def seeds(name: str, module: str, last: int, at_once: int) -> Part:
    """Return a part that goes through all seeds before the last; the module takes the first and the last of some."""
    starts = range(0, last, at_once)
    portions = (_seeds(module, first, min(first + at_once, last)) for first in starts)
    return Part(name, "seeds", tuple(portions))


def _seeds(module: str, first: int, last: int) -> Portion:
    return Portion(f"{first}-{last}", (sys.executable, "-m", module, str(first), str(last)), last - first)


def tests(name: str, profile: str, paths: Iterable[str]) -> Part:
    """Return a part that runs tests in a profile, those of one path at a time."""
    return Part(name, "tests", tuple(_tests(profile, path) for path in paths))


def _tests(profile: str, path: str) -> Portion:
    command = (sys.executable, "-m", "pytest", "-q", path)
    return Portion(path, command, environment={"HYPOTHESIS_PROFILE": profile})


def a_minute_of_threads() -> Part:
    """Return a part with sixteen threads at one detector for a minute; it counts as one case."""
    command = (sys.executable, "-m", "tests.api.threads", "60")
    return Part("threads", "minutes", (Portion("a minute", command, 1),))


def kills(times: int) -> Part:
    """Return a part that kills streams on Spark in every way there is."""
    module = (sys.executable, "-m", "tests.spark.faults", str(times))
    return Part("faults", "kills", tuple(Portion(way, (*module, way), count) for way, count in ways(times).items()))


def kafka_kills(rounds: int, kills: int, events: int) -> Part:
    """Return a part that kills pipelines from Kafka to Kafka, with the broker among those that are killed."""
    module = (sys.executable, "-m", "tests.spark.kafka_faults", str(kills), str(events))
    every = (Portion(f"round {number:02}", (*module, str(number)), kills) for number in range(rounds))
    return Part("kafka", "kills", tuple(every))


def webhook_kills(rounds: int, kills: int) -> Part:
    """Return a part that kills pipelines which post to a receiver that fails now and then."""
    module = (sys.executable, "-m", "tests.spark.webhook_faults", str(kills))
    every = (Portion(f"round {number:02}", (*module, str(number)), kills) for number in range(rounds))
    return Part("webhook", "kills", tuple(every))


def places() -> list[str]:
    """Return the directories and files with tests, and the sources, which have doctests."""
    found = sorted({_top(path) for path in TESTS.rglob("test_*.py")} - {"tests/mutants"})
    return [*found, "src"]


def _top(path: Path) -> str:
    return "/".join(path.relative_to(ROOT).parts[:2])


def files_of_properties() -> list[str]:
    """Return the files with random tests that draw examples."""
    files = sorted(TESTS.rglob("test_*.py"))
    return [str(path.relative_to(ROOT)) for path in files if "@given(" in path.read_text(encoding="utf-8")]


def parts() -> dict[str, Part]:
    """Return all parts by name, in the order in which they are run."""
    every = (
        tests("whole", "whole", places()),
        tests("mutants", "whole", ["tests/mutants"]),
        seeds("engine", "tests.conformance.agreement", 100_000, 1000),
        seeds("sizes", "tests.conformance.real_sizes", 2000, 20),
        seeds("ties", "tests.conformance.ties", 5000, 500),
        seeds("watchpoints", "tests.conformance.watchpoints", 10_000, 500),
        seeds("parte", "tests.languages.parte.soak", 20_000, 500),
        a_minute_of_threads(),
        seeds("hostile-files", "tests.hostile.files", 200_000, 2000),
        seeds("hostile-objects", "tests.hostile.objects", 100_000, 2000),
        seeds("hostile-queries", "tests.hostile.queries", 1_000_000, 10_000),
        seeds("hostile-pipelines", "tests.hostile.pipelines", 50_000, 5000),
        seeds("hostile-snapshots", "tests.hostile.snapshots", 100_000, 10_000),
        kills(10),
        kafka_kills(10, 10, 100_000),
        webhook_kills(10, 10),
        seeds("spark", "tests.spark.soak", 20_000, 500),
        seeds("spark-watchpoints", "tests.spark.watchpoints", 10_000, 2500),
        tests("properties", "soak", files_of_properties()),
    )
    return {part.name: part for part in every}


def parts_called(name: str, every: Mapping[str, Part]) -> list[Part]:
    """Return the part of that name, or all whose names begin with it: `hostile` is `hostile-files` and others."""
    return [part for part in every.values() if part.name == name or part.name.startswith(f"{name}-")]
