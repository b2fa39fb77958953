"""Run the rules of this directory over its trace, and print what they find.

python examples/fraud/detect.py                      the rules as they should be
python examples/fraud/detect.py as_published.parte   the rules as they were printed, with remarks on them
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.analysis.plans.planner import plan_of
from cepheid.diagnostics import draw
from cepheid.engine.detectors.detector import Detector
from cepheid.events import Event, format_time, parse_time, point
from cepheid.languages.parte import parse, remarks

HERE = Path(__file__).parent


def resolve(file: str) -> str:
    """Return the text of a file beside this one."""
    return (HERE / file).read_text(encoding="utf-8")


def program(file: str = "fraud.parte") -> Program:
    """Return what a file of rules means."""
    return parse(resolve(file), name=file, resolve=resolve)


def trace() -> list[Event]:
    """Return the transfers and the claim, in the order of their times."""
    return [_event(number, json.loads(line)) for number, line in enumerate(resolve("trace.jsonl").splitlines())]


def _event(number: int, said: dict[str, str | int]) -> Event:
    fields = {name: value for name, value in said.items() if name not in ("type", "time")}
    return point(str(said["type"]), parse_time(str(said["time"])), number, fields)


def detected(rules: Program, events: list[Event]) -> Iterator[Match]:
    """Yield what the rules find, as soon as it is certain."""
    detector = Detector(plan_of(rules))
    for event in events:
        yield from detector.push(event)
    yield from detector.close()


def main(file: str) -> None:
    """Print the remarks on a file of rules, and what its rules find."""
    for remark in remarks(resolve(file), name=file, resolve=resolve):
        print(draw(remark), end="\n\n")
    for match in detected(program(file), trace()):
        print(format_time(match.end), match.name, json.dumps(dict(match.values)))


if __name__ == "__main__":
    main(*sys.argv[1:2] or ["fraud.parte"])
