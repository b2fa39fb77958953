"""Detectors of every tier do what one protocol says; those outside of it are yardsticks, and nobody uses them."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import cepheid
from cepheid.analysis import Plan
from cepheid.engine import Detector, Excess, Given, RunsPlan, TieredDetector, WarmingDetector
from cepheid.engine.kernels import CompiledDetector
from cepheid.events import point

ROOT = Path(cepheid.__file__).parent
DECISION = Path(__file__).parents[2] / "docs" / "decisions" / "0028-columns-through-the-door.md"
YARDSTICKS = ("KernelDetector", "MatchCounter")
GIVEN = Given(evidence=True, identified=False, disorder=0, certificate=None, on_excess=Excess.WARN)
MADE: dict[str, Callable[[Plan], RunsPlan]] = {  # mypy reads this file
    "Detector": Detector,
    "CompiledDetector": CompiledDetector,
    "TieredDetector": TieredDetector,
    "WarmingDetector": lambda plan: WarmingDetector(plan, GIVEN),
}


def told(made: Callable[[Plan], RunsPlan]) -> tuple[object, ...]:
    a, b, c = cepheid.event("A"), cepheid.event("B"), cepheid.event("C")
    plan = cepheid.compile(
        cepheid.program(
            cepheid.query((a >> b).within("5 s").where(b.v > a.v), name="Rise"),
            cepheid.query(a.unless(c, after="3 s"), name="Alone"),
        )
    ).plan
    detector = made(plan)
    events = [point(kind, time * 1_000_000, time, {"v": time % 4}) for time, kind in enumerate("AABCAB")]
    found = [detector.push(event) for event in events]
    found.append(detector.push(point("A", 1, 99, {"v": 1})))
    late = [event.id for event in detector.late]
    clock = detector.clock(), detector.latest()
    found += [detector.advance(4_000_000), detector.close()]
    return sorted((one.name, one.id, one.known or 0) for some in found for one in some), late, clock


@pytest.mark.parametrize("name", MADE)
def test_every_detector_does_what_the_protocol_says(name: str) -> None:
    expected = told(Detector)
    assert expected[0]
    assert told(MADE[name]) == expected


def test_the_decision_lists_the_detectors_that_there_are() -> None:
    listed = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", DECISION.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for cell in listed for name in re.findall(r"\w+", cell)}
    rooms = [*(ROOT / "engine").rglob("*.py"), *(ROOT / "api").rglob("*.py"), *(ROOT / "spark").rglob("*.py")]
    classes = {
        node.name
        for path in rooms
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name.endswith(("Detector", "Counter")) and node.name[0] != "_"
    }
    assert classes == named
    assert set(MADE) < named


def test_no_module_of_the_product_uses_a_yardstick() -> None:
    own = {"kernel_detector.py", "counting.py"}
    used = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if path.name not in own and any(name in path.read_text(encoding="utf-8") for name in YARDSTICKS)
    ]
    assert used == ["engine/kernels/__init__.py"]
