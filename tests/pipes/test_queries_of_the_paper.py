"""The twelve queries of the paper and its auction query: what they give is what plain Python finds in their data."""

import json
import re
from itertools import groupby, pairwise
from pathlib import Path
from statistics import fmean, pstdev
from xml.etree import ElementTree

import pytest

from cepheid.api import outputs_of, pipe_named

PIPES = Path(__file__).parents[2] / "examples" / "pipes"
QUERIES = {
    **dict.fromkeys(["query_1", "query_2", "query_3", "query_4"], "stocks"),
    **dict.fromkeys(["query_5", "query_6"], "patients"),
    **dict.fromkeys(["query_7", "query_8", "query_auction"], "auction"),
    **dict.fromkeys(["query_10", "query_11", "query_12"], "pingus"),
    "query_9": "toaster",
}


def data(name: str) -> str:
    return (PIPES / "data" / name).read_text(encoding="utf-8")


def found(query: str) -> list[object]:
    return list(outputs_of(pipe_named(f"{PIPES / QUERIES[query]}.py:{query}"), []))


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_gives_what_is_expected(query: str) -> None:
    written = (PIPES / "expected" / f"{query}.jsonl").read_text(encoding="utf-8").splitlines()
    assert found(query) == [json.loads(line) for line in written]
    assert written


QUOTES = [line.split(",") for line in data("stocks.csv").splitlines()[2:]]
MSFT = [(int(day), float(close)) for day, symbol, _, close in QUOTES if symbol == "MSFT"]


def test_stocks() -> None:
    assert found("query_1") == [close for _, close in MSFT[:5]]
    assert found("query_2") == [day for day, close in MSFT[100:] if close > 50]
    closes = [close for _, close in MSFT]
    assert found("query_3") == pytest.approx([fmean(closes[first : first + 5]) for first in range(0, 126, 5)])
    latest = [(day, list(rows)) for day, rows in groupby(QUOTES, key=lambda row: int(row[0]))][-5:]
    expected = [
        {"day": day, "stocks": sorted(row[1] for row in rows if float(row[3]) > dict(MSFT)[day])}
        for day, rows in latest
    ]
    assert found("query_4") == expected


def test_patients() -> None:
    patients = re.findall(r"PID\|1\|\|(\d)", data("observations.hl7"))
    values = [float(value) for value in re.findall(r"\|\|([-\d.]+)\|MG", data("observations.hl7"))]
    seen: dict[str, list[float]] = {}
    sides: dict[str, list[int]] = {}
    trends, clusters = [], []
    for patient, value in zip(patients, values, strict=True):
        before = seen.setdefault(patient, [])
        off = (value - fmean(before)) / pstdev(before) if len(before) >= 10 else 0
        sides.setdefault(patient, []).append(1 if off > 2 else -1 if off < -2 else 0)
        told = {"patient": patient, "value": value, "alarm": True}
        trends += [told] if abs(off) > 3 else []
        last = sides[patient][-3:]
        clusters += [told] if len(last) == 3 and (last.count(1) >= 2 or last.count(-1) >= 2) else []
        before.append(value)
    assert found("query_5") == trends
    assert found("query_6") == clusters


def auction() -> list[tuple[str, str, list[int]]]:
    told = re.findall(r"(\w+)(?:\((\w+)((?:,\d+)*)\))?\.", data("auction.log"))
    return [(name, item, [int(number) for number in numbers.split(",")[1:]]) for name, item, numbers in told]


def test_auctions() -> None:
    last: dict[str, int] = {}
    low, outside, averages = [], set(), []
    open_for: dict[str, tuple[int, int]] = {}
    valid: dict[str, int] = {}
    for name, item, numbers in auction():
        if name == "start":
            open_for[item], valid[item] = (0, numbers[1]), numbers[0]
        elif name == "endOfDay":
            open_for = {one: (age + 1, most) for one, (age, most) in open_for.items() if age + 1 < most}
        elif name == "sell":
            del open_for[item]
        else:
            low += [{"item": item, "price": numbers[0], "rises": False}] if numbers[0] <= last.get(item, -1) else []
            last[item] = numbers[0]
            outside |= set() if item in open_for else {item}
            valid[item] = numbers[0] if numbers[0] > valid.get(item, 10**9) else 10**9
        ages = [age for one, (age, _) in open_for.items() if valid[one] < 10**9 and one != "lamp"]
        averages += [fmean(ages)] if ages else []
    assert found("query_7") == low
    assert found("query_8") == [sorted(outside)]
    assert found("query_auction") == averages


def test_a_toaster_is_told_each_time_it_is_switched_on() -> None:
    power = [int(line.split(",")[1]) for line in data("load.csv").splitlines()[1:]]
    jumps = [later - earlier for earlier, later in pairwise(power) if abs(later - earlier) > 200]
    assert [jump > 0 for jump in jumps] == [True, False, True, True, False]
    assert found("query_9") == ["Toaster on"] * len([jump for jump in jumps if 800 <= jump <= 1200])


def test_pingus() -> None:
    games = [ElementTree.fromstring(line) for line in data("pingus.xml").splitlines()]  # our own
    told = [
        {one.findtext("id"): (one.findtext("status"), *_place(one)) for one in game.findall("character")}
        for game in games
    ]
    turned = []
    for now, later in zip(told, told[3:], strict=False):
        pairs = [(w, b) for w in now for b in now if now[w][0] == "WALKER" and now[b][0] == "BLOCKER"]
        meeting = [(w, b) for w, b in pairs if abs(now[w][1] - now[b][1]) < 6 and abs(now[w][2] - now[b][2]) < 10]
        turned.append(all(abs(now[w][1] - now[b][1]) < abs(later[w][1] - later[b][1]) for w, b in meeting))
    assert found("query_10") == turned
    assert False in turned
    shares = [sum(status == "BLOCKER" for status, *_ in game.values()) / len(game) for game in told]
    assert found("query_11") == shares
    maps = found("query_12")
    counts = [sum(map(len, told[: last + 1])) for last in range(0, len(told), 30)]
    assert [sum(map(sum, one)) for one in maps if isinstance(one, list)] == counts


def _place(one: ElementTree.Element) -> tuple[float, float]:
    return float(one.findtext("position/x") or 0), float(one.findtext("position/y") or 0)
