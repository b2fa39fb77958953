"""Random programs at sizes at which they run in kernels by default: these find what the interpreter finds.

Run as a program it goes through a range of seeds, prints what disagreed, and how many programs there were of each kind:

    python -m tests.conformance.real_sizes 0 500
"""

import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence

import pytest

from cepheid.connectors import Report
from cepheid.engine import TieredDetector, WarmingDetector
from cepheid.engine.detectors import warming_detector
from tests.conformance.large_cases import LargeCase, large_case

SOON = 10_000
"""After so many events a stream waits for its kernels, which it would do later on its own."""


def told(found: Report) -> str:
    """Return all that a match says."""
    return repr((found.name, found.start, found.end, found.known, dict(found.values), found.evidence, found.id))


def disagreement(case: LargeCase) -> str:
    """Return what default settings do otherwise than the interpreter, nothing if they do the same."""
    by_default, interpreted = case.query.run(case.events), case.query.run(case.events, engine="interpreter")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(warming_detector, "MOST_BEHIND", SOON)
            fast = list(by_default)
    except Exception:  # noqa: BLE001  # whatever it is, the other seeds are to be run too
        return f"ends in an error: {traceback.format_exc()}"
    slow = list(interpreted)
    detector = by_default._detector
    if not isinstance(detector.current if isinstance(detector, WarmingDetector) else detector, TieredDetector):
        return "does not run in kernels"
    if by_default.summary != interpreted.summary:
        return f"counts differ: {by_default.summary} and {interpreted.summary}"
    more, less = Counter(map(told, fast)), Counter(map(told, slow))
    more, less = more - less, less - more
    if more or less:
        return f"of {len(slow)} matches {less.total()} missing: {[*less][:3]}, and {more.total()} beside: {[*more][:3]}"
    # Matches that are certain at the same time may come in any order; in a stream kernels may wait for what is late.
    in_order = case.query.disorder is not None or [one.known for one in fast] == [one.known for one in slow]
    return "" if in_order else "matches come in another order"


def main(arguments: Sequence[str]) -> int:
    first, last = int(arguments[0]), int(arguments[1])
    wrong, events, begun = 0, 0, time.process_time()
    for number in range(first, last):
        case = large_case(number)
        found = disagreement(case)
        events += len(case.events)
        if found:
            wrong += 1
            print(f"seed {number}: {found}\n  {case.text}", flush=True)
        if (number + 1) % 10 == 0:
            print(f"up to seed {number}: {wrong} disagreements, {events:,} events", flush=True)
    print(f"{last - first} programs, {wrong} disagreements, {time.process_time() - begun:.0f} s of processor time")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
