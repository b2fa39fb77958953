"""Random watchpoints as texts, with every construct of the language; one that is not accepted is drawn anew."""

import re
from typing import Final
from zlib import crc32

from cepheid.algebra.programs import Program
from cepheid.diagnostics import CepheidError
from cepheid.languages.hbl import parse
from cepheid.testing.cases import Draw, seeded
from tests.languages.hbl.spelled_limits import IN_RECORDS, IN_TIME, OF_THEIR_OWN, ROUNDED

TYPES = ("a", "b", "c")
FIELDS = ("key", "value")
VARIABLES = ("m", "n", "q", "p")
NAMES = ("main", "two", "loop", "end", "last")
OTHERS = ROUNDED + OF_THEIR_OWN
_LIMIT: Final = re.compile(r"(?P<axis>now\(\) <= q|index\(\) <= p) \+ (?P<number>\d)")


def random_watchpoints(draw: Draw) -> tuple[str, Program]:
    """Return a text with one or two watchpoints, in which a step of time is the unit, and what it means."""
    while True:
        text = respelled("\n".join(_watchpoint(draw, f"w{number}") for number in range(draw.pick((1, 1, 2)))))
        try:
            return text, parse(text, time_unit=1)
        except CepheidError as error:
            if error.diagnostics[0].code not in ("not-linear", "unguarded", "unknown-variable"):
                raise


def respelled(text: str) -> str:
    """Return a text in which some limits are said in other ways; which ones follows from the text alone."""
    draw = seeded(crc32(text.encode()))

    def spelled(limit: re.Match[str]) -> str:
        ways = IN_TIME + OTHERS if limit["axis"] == "now() <= q" else IN_RECORDS
        return f"({draw.pick(ways).format(limit['number'])})" if draw.chance(60) else limit[0]

    return _LIMIT.sub(spelled, text)


def _watchpoint(draw: Draw, name: str) -> str:
    by = " by key" if draw.chance(25) else ""
    windows = f"window {draw.integer(1, 7)};" * draw.chance(
        40
    ) + f" window {draw.integer(1, 6)} records;" * draw.chance(30)
    initially = f"initially {draw.pick(VARIABLES)} = {draw.integer(0, 3)};" if draw.chance(25) else ""
    names = NAMES[: draw.integer(1, 5)]
    equations = " ".join(f"{one} = {_equation(draw, place, names)};" for place, one in enumerate(names))
    return f"watchpoint {name}{by} {{ {windows} {initially} {equations} {_alert(draw, equations + initially)} }}"


def _equation(draw: Draw, place: int, names: tuple[str, ...]) -> str:
    later = names[place + 1 :]
    if later and draw.chance(8):
        return f"{later[0]} followed by {_single(draw)}"
    steps = [_single(draw) for _ in range(draw.pick((1, 1, 2)))]
    row = f" {_arrow(draw)} ".join(steps)
    if not later and place > 0 and draw.chance(70):
        return row
    ends = [
        *draw.some(later, 0, 2),
        *([names[place]] if draw.chance(25) else []),
        *([_single(draw)] if draw.chance(30) else []),
    ]
    return f"{row} {_arrow(draw)} ({' | '.join(ends)})" if ends else row


def _arrow(draw: Draw) -> str:
    if draw.chance(75):
        return "->"
    avoided = _record(draw)
    return f"~> avoid({avoided}) ~>" if draw.chance(50) else f"-> not {avoided} ->"


def _single(draw: Draw) -> str:
    values = {"m": "value", "n": draw.pick(("n + 1", "key", "m + value")), "q": "now()", "p": "index()"}
    set_ = [f"{name} = {values[name]}" for name in VARIABLES if draw.chance(25)]
    return _record(draw) + (f" letting {', '.join(set_)}" if set_ else "")


def _record(draw: Draw) -> str:
    types = draw.some(TYPES, 0, 2)
    shown = "any" if not types else types[0] if len(types) == 1 else f"{{{', '.join(types)}}}"
    return f"{shown}[{_condition(draw)}]" if draw.chance(45) else shown


def _condition(draw: Draw, depth: int = 1) -> str:
    if depth and draw.chance(30):
        one, other = (_condition(draw, 0) for _ in range(2))
        return draw.pick((f"{one} and {other}", f"{one} or {other}", f"not ({one} or {other})", f"not {one}"))
    number = draw.integer(0, 4)
    return draw.pick(
        (
            f"key == {number}",
            f"value > {number}",
            "key == n",
            "value != m",
            "record.value >= m",
            f"now() <= q + {number}",
            f"now() - q < {number}",
            f"index() <= p + {number}",
            f"index() == p + {number}",
            "present(value)",
            "absent(value)",
            "bound(m)",
            'type() != "c"',
            f"value + {number} > key",
            "key in [1, 2]",
        )
    )


def _alert(draw: Draw, text: str) -> str:
    if draw.chance(30):
        return ""
    variables = [f"x{name} = {name}" for name in VARIABLES if f" {name} = " in text and draw.chance(40)]
    fields = [f"f = first.{draw.pick(FIELDS)}"] * draw.chance(25) + [f"l = last.{draw.pick(FIELDS)}"] * draw.chance(25)
    moments = (
        ["i = index()"] * draw.chance(15) + ["t = now()"] * draw.chance(15) + ["evidence = records"] * draw.chance(50)
    )
    return f"alert {{ {', '.join([*variables, *fields, *moments])} }}"
