"""Rows of events that a random number chooses: most of them good, some with values that nobody expects."""

import json
from random import Random
from typing import Final

HOSTILE_TEXTS: Final = (
    "",
    " ",
    "\0",
    "\x1b[31mred\x1b[0m",
    "\u202eright to left",
    "a\rb",
    'quo"te',
    "com,ma",
    "li\nne",
    "\ud800",
    "é" * 50,
    "x" * 5000,
    "NaN",
    "null",
    "007",
)
HOSTILE_TIMES: Final = (
    "1e9999999999999999999",
    "1e-9999999999999999999",
    "9999-12-31T23:59:59Z",
    "+999999-01-01",
    "0000-00-00",
    "2024-02-30T25:61:61",
    "soon",
    "",
    None,
    True,
    2**63,
    -(2**63) - 1,
    10**400,
    1e308,
    -1e308,
    float("nan"),
    float("inf"),
    0.1234567891,
    [1],
    {"at": 1},
)
_LARGE: Final[tuple[object, ...]] = ([[]] * 3, {"a": {"b": [1, "\ud800"]}}, 10**5000)
HOSTILE_VALUES: Final[tuple[object, ...]] = (*HOSTILE_TEXTS, *HOSTILE_TIMES, *_LARGE)


def some_rows(random: Random) -> list[dict[str, object]]:
    """A few rows with a type, a time, a number and a text, now and then with something else in one of them."""
    calendar = random.random() < 0.2
    rows = [_row(random, second, calendar) for second in range(random.randint(0, 12))]
    if rows and random.random() < 0.5:
        for _ in range(random.randint(1, 3)):
            _spoil(random, random.choice(rows))
    return rows


def _row(random: Random, second: int, calendar: bool) -> dict[str, object]:
    time = f"2024-05-17T08:30:{second:02}Z" if calendar else second
    return {"type": random.choice("ABC"), "time": time, "x": random.randint(-3, 3), "s": random.choice("uvw")}


def _spoil(random: Random, row: dict[str, object]) -> None:
    match random.randrange(4):
        case 0:
            row["time"] = random.choice(HOSTILE_TIMES)
        case 1:
            row[random.choice(["x", "s", "type"])] = random.choice(HOSTILE_VALUES)
        case 2:
            del row[random.choice(list(row))]
        case _:
            row[random.choice(["a.b", "a`b", "x__end", "\x1b[2J", "", "id"])] = random.choice(HOSTILE_VALUES)


def nested(depth: int) -> str:
    """Text of JSON that is nested so deep."""
    return "[" * depth + "]" * depth


def as_json(row: dict[str, object]) -> str:
    return json.dumps({name: 10**4000 if value == 10**5000 else value for name, value in row.items()})
