"""Write the traces of the examples: for each watchpoint one with something in it, and a quiet one with nothing.

    python examples/hbl/traces.py

They are random, but the same each time.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
Row = dict[str, object]


def fixes(random: Random, *, quiet: bool) -> list[Row]:
    """Four vehicles that drive around and say every few seconds where they are; two of them are lied about."""
    rows: list[Row] = []
    for vehicle in range(4):
        lat, lon, time = 50 + random.random() / 100, 8 + random.random() / 100, random.random() * 5
        jump = 15 + 5 * vehicle if vehicle % 2 and not quiet else None
        for number in range(40):
            time += random.uniform(4, 8)
            lat, lon = lat + random.uniform(-1e-4, 4e-4), lon + random.uniform(-2e-4, 3e-4)
            lat += 0.02 if number == jump else 0
            rows.append(
                {
                    "type": "fix",
                    "time": round(time, 2),
                    "vehicle": f"v{vehicle}",
                    "lat": round(lat, 6),
                    "lon": round(lon, 6),
                }
            )
    return rows


def doses(random: Random, *, quiet: bool) -> list[Row]:
    """Three pumps with orders every few minutes; the second one once gives more than it should."""
    rows: list[Row] = []
    for pump in range(3):
        position, time = 0.0, random.random() * 60
        for order in range(5):
            limit = random.choice([2.0, 3.0, 5.0])
            rows.append(_pumped("order", time, pump, position, limit=limit))
            stood, wrong = position, pump == 1 and order == 3 and not quiet
            for _ in range(random.randint(4, 8)):
                time += random.uniform(10, 40)
                most = stood + limit * (1.4 if wrong else 1)
                position = min(position + limit / (4 if not wrong else 3), most)
                rows.append(_pumped("moved", time, pump, position))
            time += 20
            rows.append(_pumped("stop", time, pump, position))
            time += random.uniform(100, 300)
    return rows


def _pumped(kind: str, time: float, pump: int, position: float, **more: float) -> Row:
    return {"type": kind, "time": round(time, 1), "pump": f"p{pump}", "position": round(position, 3), **more}


def processes(random: Random, *, quiet: bool) -> list[Row]:
    """Three hosts on which programs start programs; on one of them Outlook comes to PowerShell in four steps."""
    rows: list[Row] = []
    for host in range(3):
        time, running, next_pid = 0.0, {1: "init"}, 100 * host + 2
        for _ in range(30):
            time += random.uniform(0.2, 20)
            parent = random.choice(list(running))
            exe = random.choice(["explorer.exe", "chrome.exe", "svchost.exe", "notepad.exe"])
            rows.append(_spawned(host, time, next_pid, parent, exe))
            running[next_pid] = exe
            next_pid += 1
        rows += _infection(host, time, next_pid, is_early=host == 1 or quiet) if host else []
    return rows


def _infection(host: int, time: float, pid: int, *, is_early: bool) -> list[Row]:
    """Outlook, a viewer, a script host, a shell, PowerShell; where Outlook ends early, before the last of them."""
    names = ["outlook.exe", "winword.exe", "wscript.exe", "cmd.exe", "powershell.exe"]
    chain = [_spawned(host, time + 7 * step, pid + step, pid + step - 1, name) for step, name in enumerate(names, 1)]
    end = {"type": "exit", "time": round(time + (30 if is_early else 300), 2), "host": f"h{host}", "pid": pid + 1}
    return [*chain, end]


def _spawned(host: int, time: float, pid: int, parent: int, exe: str) -> Row:
    return {"type": "spawn", "time": round(time, 2), "host": f"h{host}", "pid": pid, "parent": parent, "exe": exe}


TRACES: dict[str, Callable[..., list[Row]]] = {"gps_spoofing": fixes, "infusion_pump": doses, "powershell": processes}


def written(rows: Iterable[Row]) -> str:
    """Return rows as lines in the order of their times."""
    return "".join(json.dumps(row) + "\n" for row in sorted(rows, key=lambda row: float(str(row["time"]))))


def main() -> None:
    for name, make in TRACES.items():
        for kind, quiet in (("events", False), ("quiet", True)):
            (HERE / f"{name}.{kind}.jsonl").write_text(written(make(Random(7), quiet=quiet)), encoding="utf-8")


if __name__ == "__main__":
    main()
