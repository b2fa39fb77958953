"""Write the logs of this folder anew: what sshd, Apache and three thermometers said on two days of May 2024.

    python examples/logs/make_logs.py

The seed is fixed, so that the files are always the same.
"""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

START = datetime(2024, 5, 17, tzinfo=UTC)
HERE = Path(__file__).parent
USERS = ("root", "admin", "ann", "bob", "carol")
AGENT = "Mozilla/5.0 (X11; Linux x86_64)"


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=round(seconds))


def openssh(chance: random.Random) -> list[str]:
    """Logins that fail now and then, and some addresses that guess passwords until one fits."""
    found: list[tuple[float, str]] = []
    for _ in range(260):
        address, user = f"198.51.100.{chance.randrange(40)}", chance.choice(USERS)
        time = chance.uniform(0, 172_000)
        for _ in range(chance.choice((0, 0, 0, 1, 2))):
            found.append((time, f"Failed password for {user} from {address} port {chance.randrange(1024, 65536)} ssh2"))
            time += chance.uniform(2, 20)
        found.append((time, f"Accepted publickey for {user} from {address} port {chance.randrange(1024, 65536)} ssh2"))
    for number in range(12):
        address, time = f"203.0.113.{number}", chance.uniform(0, 170_000)
        for _ in range(chance.randrange(3, 12)):
            found.append(
                (time, f"Failed password for invalid user {chance.choice(USERS)} from {address} port 4022 ssh2")
            )
            time += chance.uniform(5, 90)
        if number % 3:
            found.append((time, f"Accepted password for root from {address} port 4022 ssh2"))
    found += [(hour * 3600 + 1, "pam_unix(cron:session): session opened for user root(uid=0)") for hour in range(48)]
    found.sort()
    return [_syslog(time, text) for time, text in found]


def _syslog(time: float, text: str) -> str:
    moment, program = at(time), "CRON" if text.startswith("pam") else "sshd"
    return f"{moment:%b} {moment.day:>2} {moment:%H:%M:%S} web1 {program}[{int(time) % 30000 + 1000}]: {text}"


def apache(chance: random.Random) -> list[str]:
    """Visitors of a shop: some look, some fill a cart, some go to the checkout, some pay."""
    found: list[tuple[float, str, str, int]] = []
    for number in range(120):
        address = f"192.0.2.{number % 90}"
        time = chance.uniform(0, 170_000)
        for path, stays in (("/product", 0.7), ("/cart", 0.7), ("/checkout", 0.6), ("/paid", 0.0)):
            for _ in range(chance.choice((1, 1, 2))):
                found.append((time, address, path, 200))
                time += chance.uniform(5, 700)
            if chance.random() > stays:
                break
    found += [(chance.uniform(0, 172_000), "192.0.2.200", "/favicon.ico", 404) for _ in range(30)]
    found.sort()
    return [_combined(*one, chance) for one in found]


def _combined(time: float, address: str, path: str, status: int, chance: random.Random) -> str:
    size = chance.randrange(200, 9000)
    return f'{address} - - [{at(time):%d/%b/%Y:%H:%M:%S} +0000] "GET {path} HTTP/1.1" {status} {size} "-" "{AGENT}"'


def sensors(chance: random.Random) -> list[str]:
    """Three thermometers, every five minutes; each gets hot now and then, cools at once, and is sometimes silent."""
    rows = []
    for number, sensor in enumerate(("hall", "oven", "store")):
        value, heating = 20.0 + number, 0
        for step in range(0, 172_800, 300):
            heating = 24 if chance.random() < 0.01 else max(heating - 1, 0)
            value = 31.0 if heating > 1 else 21.0 if heating == 1 else 0.8 * value + 0.2 * (20 + number)
            if chance.random() > 0.15 and not (sensor == "store" and 40_000 < step < 46_000):
                rows.append((step + 7 * number, sensor, round(value + chance.uniform(-1, 1), 1)))
    return [
        "time,sensor,temperature",
        *(f"{at(time):%Y-%m-%dT%H:%M:%SZ},{name},{value}" for time, name, value in sorted(rows)),
    ]


def main() -> None:
    chance = random.Random(20240517)
    for name, lines in (
        ("auth.log", openssh(chance)),
        ("access.log", apache(chance)),
        ("sensors.csv", sensors(chance)),
    ):
        (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
