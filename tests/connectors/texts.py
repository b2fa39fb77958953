"""Texts as files hold them: mostly good ones, with cells and lines that readers tend to take in their own way."""

import io
from collections.abc import Callable
from dataclasses import replace
from random import Random

from cepheid.connectors import AnyChunk, ColumnChunk, Columns, Reading
from cepheid.events import Event, TimeUnit, Value

Cell = Callable[[Random], str]


def apart(*texts: str) -> list[str]:
    """All words of some texts, which have bars between them."""
    return "|".join(texts).split("|")


TIMES: dict[str, Cell] = {
    "whole": lambda random: str(random.randrange(-5, 2000)),
    "decimals": lambda random: f"{random.randrange(2000)}.{random.randrange(10 ** random.randrange(1, 7))}",
    "zoned": lambda random: f"2024-0{random.randrange(1, 10)}-11T08:30:{random.randrange(10, 60)}Z",
    "offset": lambda random: f"19{random.randrange(10, 99)}-02-28 23:30:00.25+0{random.randrange(10)}:30",
    "naive": lambda random: f"2024-02-2{random.randrange(10)}T08:30:00.{random.randrange(1, 10**6)}",
}
ODD_TIMES = apart(
    "soon|1e3|12.|.5| 12|+12|007|1.2345678|1.0000000000000000001|0x1F|nan|inf|-|1-2|1.2.3|99999999999999999999",
    "9223372036854|-9223372036855|9223372036854.775807|9223372036854775806|2024-02-30T00:00:00Z|2024-05-17",
    "2024-05-17T24:00:00Z|2024-05-17T08:30:60Z|2024-05-17T08:30Z|0000-01-01T00:00:00Z|0999-01-01T00:00:00Z",
    "2024-05-17T08:30:00+23:59|2024-05-17T08:30:00-24:00|2024-05-17T08:30:00.1234567Z|2024-05-17T08:30:00,5Z",
    "2024-05-17t08:30:00z|20240517T083000Z",
)
VALUES: dict[str, Cell] = {
    "whole": lambda random: str(random.randrange(-50, 2000)),
    "decimals": lambda random: f"{random.uniform(-9, 9):.{random.randrange(1, 12)}f}",
    "mixed": lambda random: random.choice(("1", "-2", "2.5", "1e5", "", "300000000000000001")),
    "words": lambda random: random.choice(("ann", "bob", "", "x y", "é", "true")),
    "truths": lambda random: random.choice(("true", "false", "True", "FALSE", "")),
    "codes": lambda random: random.choice(("007", "12", "0", "-01", "")),
    "empty": lambda _: "",
}
ODD_CELLS = apart(
    "007|-0|+1| 1|1 |0x1F|0X1|1_000|1e3|1E5|1e999|-1e-999|.5|5.|nan|NaN|-nan|inf|Infinity|-inf|infinit",
    "9223372036854775807|9223372036854775808|-9223372036854775809|123456789012345678901234567890",
    "1.00000000000000000000001|true|TRUE|tRuE| true|yes|null|NULL|NA|N/A|#N/A|None|-|--1|1-|.|a,b|'x'|\x0b1",
    "\u0663|\xa01|\u2028|\ufffd|\ufeff|\x1f|\\|\x00",
)


def csv_text(random: Random) -> bytes:
    """A file of comma-separated values; now and then something in it is odd."""
    separator, end = random.choice(",,,;\t|"), random.choice(("\n", "\n", "\n", "\r\n", "\r\n", "\r"))
    columns = [random.choice(list(VALUES)) for _ in range(random.randrange(4))]
    time, oddness = random.choice(list(TIMES)), random.choice((0, 0, 0.01, 0.1, 0.5))
    quoted = random.choice(((), (), ("type",), ("type", "words", "codes"), ("type", time, *VALUES)))
    lines = [separator.join(("type", "time", *(f"f{index}" for index in range(len(columns)))))]
    for _ in range(random.randrange(60)):
        cells = [random.choice("ABC"), TIMES[time](random), *(VALUES[kind](random) for kind in columns)]
        kinds = ("type", time, *columns)
        cells = [f'"{cell}"' if kind in quoted else cell for cell, kind in zip(cells, kinds, strict=True)]
        lines.append(separator.join(_cells(random, cells, oddness)))
        if random.random() < oddness / 5:
            lines.append(random.choice(("", " ", ",", '"', 'a"b', '"x\ny",1', "\r", "a,b\rc,d", "A,1,2,3,4,5,6", "A")))
    text = end.join(lines) + random.choice(("", end, end, end * 2))
    data = random.choice((b"", b"", b"\xef\xbb\xbf")) + text.encode("utf-8", "surrogatepass")
    return mutated(random, data) if oddness and random.random() < 0.2 else data


def _cells(random: Random, cells: list[str], oddness: float) -> list[str]:
    if random.random() < oddness:
        place = random.randrange(len(cells))
        odd = random.choice(ODD_TIMES if place == 1 else ODD_CELLS)
        cells[place] = random.choice((odd, odd, "", f'"{odd}"', '"a, ;b"', '""', f'"{cells[place]}"'))
    if random.random() < oddness / 5:
        cells = cells[: random.randrange(len(cells))] + random.choice(([], ["x", "y"]))
    return cells


JSON_VALUES: dict[str, Cell] = {
    "whole": lambda random: str(random.randrange(-50, 2000)),
    "decimals": lambda random: repr(random.uniform(-9, 9)),
    "mixed": lambda random: random.choice(("1", "-2.5", "1e5", "null", "0", "-0", "-0.0", "300000000000000001")),
    "words": lambda random: random.choice(('"ann"', '"x, y"', '""', '"é"', "null", '"a}"', '"{a: 1}"', '"null"')),
    "truths": lambda random: random.choice(("true", "false", "null")),
    "nothing": lambda _: "null",
}
ODD_VALUES = apart(
    '007|+1|01.5|1.|.5|1e|1E+5|1e-3|1e999|-1e-999|-|--1|NaN|Infinity|-Infinity|nan|True|nul|0x1F|[1]|{"a": 1}|[]|{}',
    '9223372036854775807|9223372036854775808|123456789012345678901234567890|1 2|"a" "b"|"a\\n"|"\\u00e9"|"\\ud800"',
    '"a|a"|"|"\t"|"\x7f"|"\ufeff"|"\u2028"|"\ufffd"|"x", "f0": 2|1, "f1": 2|1, "new": 2',
    '"\xa0"|"\x01"|"\x02"|\x01|"\\""|',
)


def json_text(random: Random) -> bytes:
    """A file of JSON lines; now and then something in it is odd."""
    comma, colon = random.choice((", ", ", ", ",", " , ")), random.choice((": ", ": ", ":", " : "))
    columns = [random.choice(list(JSON_VALUES)) for _ in range(random.randrange(4))]
    time, oddness = random.choice(list(TIMES)), random.choice((0, 0, 0.01, 0.1, 0.5))
    quote = '"' if time not in ("whole", "decimals") else random.choice(("", "", '"'))
    keys = random.sample(names := ["type", "time", *(f"f{index}" for index in range(len(columns)))], len(names))
    lines = []
    for _ in range(random.randrange(60)):
        values = [f'"{random.choice("ABC")}"', f"{quote}{TIMES[time](random)}{quote}"]
        said = dict(zip(names, values + [JSON_VALUES[kind](random) for kind in columns], strict=True))
        lines.append(_object(random, said, keys, oddness, comma, colon))
        if random.random() < oddness / 5:
            lines.append(random.choice(("", " ", "{}", "[]", "1", "{", "}", '{"a": 1}', "\r", lines[-1] + lines[-1])))
    text = "\n".join(lines) + random.choice(("", "\n", "\n", "\n\n"))
    data = random.choice((b"", b"", b"", b"\xef\xbb\xbf")) + text.encode("utf-8", "surrogatepass")
    return mutated(random, data) if oddness and random.random() < 0.2 else data


def _object(random: Random, said: dict[str, str], keys: list[str], oddness: float, comma: str, colon: str) -> str:
    own = list(keys)
    if random.random() < oddness:
        key = random.choice(own)
        odd_time = random.choice((random.choice(ODD_TIMES), f'"{random.choice(ODD_TIMES)}"'))
        said[key] = odd_time if key == "time" and random.random() < 0.8 else random.choice(ODD_VALUES)
    if random.random() < oddness / 3:
        random.shuffle(own)
        own = random.choice((own, own[1:], [*own, own[0]]))
    if random.random() < oddness / 10:
        comma, colon = random.choice((", ", " ", ",,", "{")), random.choice((":", "  :", ","))
    end = random.choice((" ", "}", "")) if random.random() < oddness / 5 else ""
    return "{" + comma.join(f'"{key}"{colon}{said[key]}' for key in own) + "}" + end


def mutated(random: Random, data: bytes) -> bytes:
    """The same bytes, some of which were changed, left out or doubled."""
    some = bytearray(data)
    for _ in range(random.randrange(1, 4)):
        if some:
            place = random.randrange(len(some))
            others = (b"", b'"', b"\xff", b"\n", b"\r", b"\x00", b",", b"0", some[:5])
            some[place : place + random.randrange(3)] = random.choice(others)
    return bytes(some)


class InPortions:
    """A stream that hands out a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = io.BytesIO(data), size

    def read(self, _: int, /) -> bytes:
        return self._data.read(self._size)


def some_reading(random: Random) -> Reading:
    """A way of reading, mostly the usual one."""
    fields = random.choice((None, None, frozenset({"f0", "f2"})))
    tick, start = random.choice((1, 1, 1, 10**6)), random.choice((None, None, "f0"))
    unit: TimeUnit = random.choice(("s", "s", "s", "ms", "us", "ns"))
    return Reading(Columns(start=start), unit, tick, fields)


def events_told(chunk: AnyChunk, reading: Reading) -> list[str]:
    """The events of a chunk, with the type of every value that somebody looks at."""
    events = chunk.events.objects() if isinstance(chunk, ColumnChunk) else chunk.events
    return [repr(replace(event, fields=_looked_at(event, reading))) for event in events]


def _looked_at(event: Event, reading: Reading) -> dict[str, Value]:
    return {name: value for name, value in event.fields.items() if reading.reads(name)}
