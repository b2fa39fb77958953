"""The page about the experiment: its tables, made of what was measured."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypedDict

from benchmarks.parte_published import FOUND, enough, published

PAGE: Final = Path(__file__).parents[1] / "docs" / "benchmarks" / "parte.md"
GROUPS: Final = (10, 100, 1000)
UNRELATED: Final = (0, 100, 1000, 10000)
FACTORS: Final = range(1, 20)
SHOWN: Final = (1, 2, 3, 4, 5, 10, 14, 15, 18)


class Sizes(TypedDict):
    """The sizes of one history, un-spaced and spaced."""

    published: list[int]
    certified: list[int]
    limit: list[int]


class Runs(TypedDict):
    """All runs of one setting; `least` is the smallest share of frauds that any of them found."""

    groups: int
    unrelated: int
    spaced: bool
    runs: int
    frauds: int
    least: float
    others: int
    peak: dict[str, int]
    waits: int


class Evicting(TypedDict):
    """The median share of frauds that is found with histories of k times the size that drop their oldest entries."""

    groups: int
    unrelated: int
    runs: int
    medians: list[float]


class Results(TypedDict):
    """All that was measured."""

    sizes: dict[str, Sizes]
    runs: list[Runs]
    evicting: list[Evicting]


def tables(results: Results) -> dict[str, list[str]]:
    """Return the tables of the page, by the names of their places."""
    return {
        "sizes": list(_sizes(results)),
        "found": list(_found(results)),
        "evicting": list(_evicting(results)),
    }


def _sizes(results: Results) -> Iterator[str]:
    heads = ("dissertation", "certified un-spaced", "certified spaced", "limit", "peak un-spaced", "peak spaced")
    yield f"| history of | {' | '.join(heads)} |"
    yield f"| --- |{' --- |' * len(heads)}"
    for part, one in results["sizes"].items():
        peaks = [
            max(runs["peak"][part] for runs in results["runs"] if runs["spaced"] is spaced) for spaced in (False, True)
        ]
        cells = [one["published"][0], *one["certified"], max(one["limit"]), *peaks]
        yield f"| `{part}` | {' | '.join(map(str, cells))} |"


def _found(results: Results) -> Iterator[str]:
    yield "| groups | unrelated | frauds | runs | found | dissertation | evicting | peak | evicting: enough at |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for groups in GROUPS:
        for unrelated in UNRELATED:
            both = [one for one in results["runs"] if (one["groups"], one["unrelated"]) == (groups, unrelated)]
            peak = max(size for one in both for size in one["peak"].values())
            cells = [
                *(f"{groups:,}", f"{unrelated:,}", both[0]["frauds"], sum(one["runs"] for one in both)),
                *(f"{min(one['least'] for one in both):.0%}", f"{FOUND:.0%}"),
                *(f"{published(groups, unrelated, 1):.0%}", peak, f"{enough(groups, unrelated)} times the size"),
            ]
            yield f"| {' | '.join(map(str, cells))} |"


def _evicting(results: Results) -> Iterator[str]:
    yield f"| groups | unrelated | {' | '.join(f'{factor}x' for factor in SHOWN)} |"
    yield f"| --- | --- |{' --- |' * len(SHOWN)}"
    for one in results["evicting"]:
        here = [f"{one['medians'][factor - 1]:.2f}" for factor in SHOWN]
        there = [f"{published(one['groups'], one['unrelated'], factor):.2f}" for factor in SHOWN]
        pairs = " | ".join(f"{mine} ({theirs})" for mine, theirs in zip(here, there, strict=True))
        yield f"| {one['groups']:,} | {one['unrelated']:,} | {pairs} |"


def write_page(results: Results) -> None:
    """Put the tables into their places."""
    page = PAGE.read_text(encoding="utf-8")
    for name, lines in tables(results).items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        before, after = place.findall(page)[0]
        page = place.sub("\n".join([before.rstrip("\n"), *lines, after]), page)
    PAGE.write_text(page, encoding="utf-8")
