"""Kernels that were compiled on one machine are not compiled again on another."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import ShippedKernels, shipped_kernels
from tests.queries import read_query

RULE = "rule pair: (a: A then b: B within 5 on a.key == b.key choose recent where b.value > a.value) emits pair"
ELSEWHERE = """
import pickle, sys
from pathlib import Path
from cepheid.engine import TieredDetector
from cepheid.engine.kernels.compiling.cache_files import cache_folder
from cepheid.events import point

plan, kernels = pickle.loads(Path(sys.argv[1]).read_bytes())
kernels.install()
before = set(cache_folder().rglob("*"))
detector = TieredDetector(plan)
events = [point("AB"[number % 2], number, number, {"key": 1, "value": number}) for number in range(40)]
found = detector.push_all(events[:20]) + detector.push_all(events[20:]) + detector.close()
made = {path.name for path in set(cache_folder().rglob("*")) - before}
print(len(found), sorted(name for name in made if name.endswith((".nbc", ".nbi"))))
"""


def run_elsewhere(folder: Path, kernels: ShippedKernels) -> str:
    """Run the rule in a process that has no kernels but those it is given; return its matches and what it compiled."""
    (folder / "given").write_bytes(pickle.dumps((plan_of(read_query(RULE)), kernels)))
    environment = {**os.environ, "CEPHEID_CACHE": str(folder / "cache")}
    command = [sys.executable, "-c", ELSEWHERE, str(folder / "given")]
    return subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout


def test_what_comes_along_is_all_that_is_needed(tmp_path: Path) -> None:
    kernels = shipped_kernels([(plan_of(read_query(RULE)), 0)])
    assert kernels.files
    assert run_elsewhere(tmp_path, kernels) == "20 []\n"


def test_what_does_not_come_along_is_compiled(tmp_path: Path) -> None:
    count, _, made = run_elsewhere(tmp_path, ShippedKernels()).partition(" ")
    assert count == "20"
    assert ".nbc" in made
