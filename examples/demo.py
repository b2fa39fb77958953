"""Check and run the alarm example, as one would on the command line: `make demo`."""

from pathlib import Path

from cepheid.cli import main

ALARM = Path(__file__).parent / "alarm"
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


if __name__ == "__main__":
    show(QUERY)
    call("check", *RATES)
    show(EVENTS)
    call("run", "--input", EVENTS, "--format", "table")
