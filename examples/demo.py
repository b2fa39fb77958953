"""`make demo`: an alarm found in this process, and then fraud found by a pipeline on Spark.

python examples/demo.py          both
python examples/demo.py alarm    the first only, which needs no Java
"""

import shutil
import sys
from pathlib import Path

from cepheid.cli import main

EXAMPLES = Path(__file__).parent
ALARM = EXAMPLES / "alarm"
QUERY, EVENTS = str(ALARM / "alarm.alg"), str(ALARM / "events.jsonl")
RATES = ("--rate", "Button=5/s", "--rate", "Pressure=1/s", "--rate", "Temperature=1/s")


def show(path: str) -> None:
    """Print a file under its name."""
    print(f"$ cat {Path(path).name}\n{Path(path).read_text(encoding='utf-8')}")


def call(command: str, *options: str) -> None:
    """Print a command and what it answers."""
    print(f"$ cepheid {command} {Path(QUERY).name} {' '.join(options).replace(EVENTS, Path(EVENTS).name)}")
    main([command, QUERY, *options], standalone_mode=False)
    print()


def alarm() -> None:
    """Check and run the alarm example, as one would on the command line."""
    show(QUERY)
    call("check", *RATES)
    show(EVENTS)
    call("run", "--input", EVENTS, "--format", "table")


def fraud() -> None:
    """Run the fraud pipeline in a directory that is made anew."""
    sys.path.insert(0, str(EXAMPLES.parent))
    from examples.fraud.pipeline import demonstrate, prepare

    directory = EXAMPLES.parent / "build" / "demo"
    shutil.rmtree(directory, ignore_errors=True)
    prepare(directory, unrelated=400)
    demonstrate(directory)


if __name__ == "__main__":
    alarm()
    if sys.argv[1:] != ["alarm"]:
        fraud()
