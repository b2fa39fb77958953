"""Go on with a part of the soak: what went well on this commit is not run again, what did not is."""

import os
import re
import subprocess
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

from tests.soak.parts import ROOT, Part, Portion
from tests.soak.progress import Record

Carry = Callable[[Portion], int | None]
"""Carry out a portion: the number of its cases, or None if something was wrong."""
_PASSED = re.compile(r"(\d+) passed")


def record_of(folder: Path, part: Part) -> Record:
    return Record(folder / f"{part.name}.json")


def go_on(part: Part, record: Record, commit: str, carry: Carry, most: int | None = None) -> None:
    """Carry out the portions that are left, `most` of them if it is given, and note each as soon as it ended."""
    done = record.on(commit).done
    left = [portion for portion in part.portions if portion.name not in done]
    for portion in islice(left, most):
        print(f"{part.name}: {portion.name}", flush=True)
        cases = carry(portion)
        record.note(commit, portion.name, cases)
        if cases is None:
            print(f"{part.name}: {portion.name} FAILED", flush=True)


def carried_out(portion: Portion) -> int | None:
    """Run the command of a portion, and show what it prints."""
    environment = {**os.environ, **portion.environment}
    running = subprocess.Popen(portion.command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    passed = 0
    with running:
        assert running.stdout is not None
        for line in running.stdout:
            print(line, end="", flush=True)
            if said := _PASSED.search(line):
                passed = int(said[1])
    if running.returncode:
        return None
    return passed if portion.cases is None else portion.cases


def status(parts: Iterable[Part], folder: Path) -> str:
    """Return a table of what ran: a row for each part and each commit it ran on."""
    rows = [f"{'part':12} {'commit':20} {'cases':>9} {'of':6} portions"]
    for part in parts:
        for commit, progress in record_of(folder, part).read().items():
            told = f"{len(progress.done)} of {len(part.portions)}"
            wrong = f", FAILED: {', '.join(progress.failed)}" if progress.failed else ""
            name = commit[:12] + commit[40:]
            rows.append(f"{part.name:12} {name:20} {progress.cases:9,} {part.unit:6} {told}{wrong}")
    return "\n".join(rows)
