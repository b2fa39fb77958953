"""Long runs for hours that can be stopped at any moment: started again on the same commit, they go on.

Usage:
python -m tests.soak                      all parts
python -m tests.soak engine parte         some
python -m tests.soak hostile              all whose names begin like that
python -m tests.soak engine --portions 3  not more than so many portions of each
python -m tests.soak --status             how many cases ran on which commit
"""

import argparse
import sys
from collections.abc import Sequence

from tests.soak.parts import ROOT, parts, parts_called
from tests.soak.progress import commit_of
from tests.soak.runs import carried_out, go_on, record_of, status


def main(arguments: Sequence[str]) -> int:
    every = parts()
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"some of: {', '.join(every)}")
    parser.add_argument("--portions", type=int, help="how many portions of each part to run at most")
    parser.add_argument("--status", action="store_true", help="print how many cases ran on which commit")
    wanted = parser.parse_args(arguments)
    if unknown := [name for name in wanted.parts if not parts_called(name, every)]:
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(every)}")
    chosen = [part for name in wanted.parts for part in parts_called(name, every)] or list(every.values())
    folder, commit = ROOT / ".soak", commit_of(ROOT)
    if not wanted.status:
        for part in chosen:
            go_on(part, record_of(folder, part), commit, carried_out, wanted.portions)
    print(status(chosen, folder))
    return int(any(record_of(folder, part).on(commit).failed for part in chosen))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on")
