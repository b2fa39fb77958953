"""Random watchpoints each of whose ways has a limit that ends the wait: what the paper calls enforcing Never."""

import re
from dataclasses import replace
from typing import Final
from zlib import crc32

from cepheid.algebra.programs import Arrival, Program, Stream
from cepheid.events import Event, point
from cepheid.languages.hbl import parse
from cepheid.rewrites import rewrite
from cepheid.testing import Case
from cepheid.testing.cases import Draw, seeded
from tests.languages.hbl import spelled_limits

Limits = tuple[str, ...]
TYPES = ("a", "b", "c")
IN_TIME = (
    "now() <= q + {0}",
    "not now() > q + {0}",
    "now() - q < {0} + 1",
    "{0} >= now() - q and value >= 0",
    "now() <= q + {0} or now() <= q + 1 and index() <= p + 3",
    "now() - {0} <= q and now() <= q + 9",
)
IN_RECORDS = (
    "index() <= p + {0}",
    "not (index() > p + {0} or value < 0)",
    "index() - p < {0} + 1",
    "p + {0} >= index() and value >= 0",
)
IN_BOTH = IN_TIME + IN_RECORDS
IN_EITHER = (
    "now() <= q + {0} or index() <= p + {0}",
    "not (now() > q + {0} and index() > p + 2)",
    "(now() - q < {0} or p + {0} >= index()) and value >= 0",
    "(now() <= q + 2 and index() <= p + 5 or index() - p < {0}) and now() <= q + 9",
)
IN_ALL = IN_BOTH + IN_EITHER
AS_LATE_IN_TIME = tuple(way for way in spelled_limits.IN_TIME if not set(way) & set("!%3") and "in [" not in way)
AS_LATE_IN_RECORDS = ("not (index() > p + {0})", "(index() - p) / 3 <= {0} / 3", "2 * index() <= 2 * p + 2 * {0} + 1")
_LIMIT: Final = re.compile(r"(?P<axis>now\(\) <= q|index\(\) <= p) \+ (?P<number>\d)")
SETS = "letting q = now(), p = index()"


def limited_watchpoint(draw: Draw, *, recursive: bool, evidence: bool) -> str:
    """Return a watchpoint without a window whose every later step has a limit, in one of many spellings.

    All of them are in time, or all in records, or some in time and others in records, or in either.
    """
    first, limits = draw.pick(TYPES), draw.pick((IN_TIME, IN_TIME, IN_RECORDS, IN_BOTH, IN_ALL))
    if recursive:
        ways = f"({_limited(draw, first, limits)} | more)" if draw.chance(70) else "more"
        ends = f"({_limited(draw, first, limits)} | more)"
        body = f"main = {first} {SETS} -> {ways}; more = {_limited(draw, first, limits)} {_arrow(draw)} {ends};"
    else:
        body = f"main = {first} {SETS} {_rest(draw, first, limits, draw.integer(1, 3))};"
    body = _respelled(body)
    alert = "evidence = records" if evidence else draw.pick(("q = q", "p = p", "l = last.key"))
    return f"watchpoint w {{ {body} alert {{ {alert} }} }}"


def _respelled(body: str) -> str:
    """Return steps in which some limits are said in other ways, as late as before; which ones follows from the text."""
    draw = seeded(crc32(body.encode()))

    def spelled(limit: re.Match[str]) -> str:
        ways = AS_LATE_IN_TIME if limit["axis"] == "now() <= q" else AS_LATE_IN_RECORDS
        return f"({draw.pick(ways).format(limit['number'])})" if draw.chance(40) else limit[0]

    return _LIMIT.sub(spelled, body)


def _rest(draw: Draw, first: str, limits: Limits, steps: int) -> str:
    ways = [_limited(draw, first, limits) + _again(draw, first, limits, steps) for _ in range(draw.pick((1, 1, 2, 3)))]
    return f"{_arrow(draw)} ({' | '.join(ways)})" if len(ways) > 1 else f"{_arrow(draw)} {ways[0]}"


def _again(draw: Draw, first: str, limits: Limits, steps: int) -> str:
    if steps <= 1:
        return ""
    # A limit from the step before is one from the first record too, or a leg more, where no loop goes round.
    set_again = SETS if draw.chance(40) else ""
    return f" {set_again} {_rest(draw, first, limits, steps - 1)}"


def _limited(draw: Draw, first: str, limits: Limits) -> str:
    kind = draw.pick([one for one in TYPES if one != first])
    return f"{kind}[{draw.pick(limits).format(draw.integer(2, 6))}]"


def _arrow(draw: Draw) -> str:
    return "->" if draw.chance(80) else "~> avoid(c[value > 3]) ~>"


def full_rate(program: Program) -> Program:
    """Return a program in which one event of each type comes with every tick."""
    return replace(program, streams=tuple(Stream(name, Arrival(1, 1)) for name in TYPES))


def at_full_rate(draw: Draw, text: str) -> Case:
    """Return a watchpoint with a trace in which the records that begin runs come as often as they may."""
    program = rewrite(full_rate(parse(text, time_unit=1)))
    first = text.split("main = ")[1][0]
    kind = draw.pick(("leads", "leads, then others", "all"))
    return Case(program, *(2 * (tuple(_trace(draw, first, kind)),)), 0, ())


def _trace(draw: Draw, first: str, kind: str) -> list[Event]:
    others = [name for name in TYPES if name != first]
    found = list[Event]()
    for tick in range(36):
        quiet = kind == "leads" or (kind == "leads, then others" and tick % 9 < draw.integer(3, 8))
        for name in (first, *([] if quiet else draw.some(others, 1, 2))):
            fields = {"key": draw.integer(0, 2), "value": draw.integer(0, 3)}
            found.append(replace(point(name, tick, len(found), fields), number=len(found)))
    return found
