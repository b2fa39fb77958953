"""Many random watchpoints on Spark, in whole frames and some of them in streams: what disagrees with the definition.

    python -m tests.spark.watchpoints 0 10000

All go through frames, and one hundred in ten through streams as well, which take much longer.
"""

import sys
from collections.abc import Sequence

from tests.spark.packed_cases import FLAVOURS, watchpoint_cases
from tests.spark.soak import TOGETHER, disagreeing_in_frames, disagreeing_in_streams

STREAMS_EVERY = 10


def main(arguments: Sequence[str]) -> int:
    first, last = int(arguments[0]), int(arguments[1])
    wrong = streamed = 0
    for number, start in enumerate(range(first, last, TOGETHER)):
        flavour = FLAVOURS[number % len(FLAVOURS)]
        some = watchpoint_cases(range(start, min(start + TOGETHER, last)), flavour)
        ways = {"frames": disagreeing_in_frames(some, flavour)}
        if number % STREAMS_EVERY == 0:
            ways["streams"] = disagreeing_in_streams(some, flavour)
            streamed += len(some)
        for way, names in ways.items():
            wrong += len(names)
            for name in names:
                print(f"seed {name}, {flavour.type}, in {way}", flush=True)
        done = start + len(some) - first
        print(f"{done} watchpoints in frames, {streamed} in streams: {wrong} disagreements", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
