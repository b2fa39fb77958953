"""A notebook shows queries, runs and matches as plain HTML, in which nothing that others wrote is obeyed."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

import cepheid
from cepheid.algebra.match_pages import Times
from cepheid.algebra.matches import Match
from cepheid.api.notebook import SHOWN
from cepheid.connectors import Reject, Report
from cepheid.events import MAX_TIME

HOSTILE = "<script>alert('x')</script>&\"\x1b[2J\u202e\ud800"
EVENTS = [{"type": "A", "time": time, "x": f"<b>{time}</b>"} for time in range(30)]


def page(shown: object) -> ElementTree.Element:
    """What is shown, which is well formed, has known elements alone, and can be sent."""
    text: str = shown._repr_html_()  # type: ignore[attr-defined]  # what notebooks ask for
    assert text.encode()
    assert not re.search("http(?!://www.w3.org/2000/svg)|javascript|[\x00-\x08\x1b\u202e]", text)
    read = ElementTree.fromstring(f"<div>{text.replace('<br>', '<br/>')}</div>")
    tags = {element.tag.rpartition("}")[2] for element in read.iter()}
    assert tags <= {"div", "p", "pre", "b", "br", "table", "tr", "th", "td", "svg", "rect", "line", "text"}
    return read


def cells(read: ElementTree.Element, tag: str = "td") -> list[list[str]]:
    return [[cell.text or "" for cell in row.iter(tag)] for row in read.iter("tr")]


def seen(value: str = "v") -> cepheid.CompiledQuery:
    a = cepheid.event("A", name="a")
    return cepheid.compile(cepheid.query(a, name="Seen", values={value: a.x}))


def test_a_query_is_its_text_and_its_certificate() -> None:
    query = cepheid.compile("(A ; B) within 5 s\n# a < b & c", rates={"A": "5/s"}, language="algebra")
    text, certificate = page(query).iter("pre")
    assert text.text == "(A ; B) within 5 s\n# a < b & c"
    assert certificate.text == query.short_certificate


def test_what_was_built_is_shown_in_the_algebra() -> None:
    text, _ = page(seen()).iter("pre")
    assert text.text == seen().explain("algebra")


def test_a_run_is_a_table_of_its_first_matches() -> None:
    run = seen().run(EVENTS)
    shown = page(run)
    assert cells(shown, "th")[0] == ["match", "start", "end", "known", "v", "evidence"]
    assert cells(shown)[1:] == [["Seen", str(n), str(n), str(n), f"<b>{n}</b>", str(n + 1)] for n in range(SHOWN)]
    assert [one.text for one in shown.iter("p")] == ["the first 20 matches, and there are more"]
    few = page(seen().run(EVENTS[:SHOWN]))
    assert (len(cells(few)), list(few.iter("p"))) == (SHOWN + 1, [])
    assert [one.text for one in page(seen().run([])).iter("p")] == ["no matches"]


def test_looking_at_a_run_changes_nothing() -> None:
    rejects: list[Reject] = []
    run = seen().run([*EVENTS, {"type": "A"}], on_reject=rejects.append)
    matches = iter(run)
    assert next(matches).start == 0
    before = (run.summary.events, len(rejects))
    page(run)
    assert (run.summary.events, len(rejects)) == before
    assert len(list(matches)) == 29
    assert (run.summary.events, len(rejects)) == (30, 1)


def test_input_that_can_be_read_once_is_not_read_for_a_look() -> None:
    asked = []

    def once() -> Iterator[dict[str, object]]:
        for event in EVENTS:
            asked.append(event)
            yield event

    run = seen().run(once())
    [said] = page(run).iter("p")
    assert said.text is not None
    assert said.text.startswith("The input of this run can be read once only, so it is not read for a look")
    assert asked == []
    assert run.to_arrow().num_rows == 30
    assert len(cells(page(run))) == SHOWN + 1


def test_a_run_that_fails_shows_why() -> None:
    [said] = page(seen().run([{"type": "A"}], strict=True)).iter("pre")
    assert said.text is not None
    assert said.text.startswith("error[bad-event]: there is no `time`")


@pytest.mark.parametrize(
    ("times", "bar", "mark"),
    [
        ((10, 20, None), (12, 456), None),
        ((10, 20, 30), (12, 228), 468),
        ((10.0, 10.0, 10.0), (12, 2), 12),
        (("1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z", "1970-01-01T00:00:04Z"), (12, 114), 468),
        ((datetime(2024, 1, 1), datetime(2024, 1, 2), None), (12, 456), None),
        ((datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC), None), (12, 456), None),
    ],
)
def test_a_match_is_a_bar_in_time(times: Times, bar: tuple[float, float], mark: float | None) -> None:
    shown = page(Report("Seen", *times, {"v": 1}, (1, "b"), "i"))
    svg = "{http://www.w3.org/2000/svg}"
    bars = [(float(one.attrib["x"]), float(one.attrib["width"])) for one in shown.iter(f"{svg}rect")]
    lines = [float(one.attrib["x1"]) for one in shown.iter(f"{svg}line")]
    assert (bars, lines) == ([bar], [] if mark is None else [mark])
    assert next(shown.iter(f"{svg}text")).text == f"{times[0]} to {times[1]}"
    assert cells(shown) == [["v", "1"], ["evidence", "1, b"], ["id", "i"]]


def test_a_match_of_a_built_query_is_shown_too() -> None:
    a = cepheid.event("A")
    [match] = cepheid.query(a, name="Seen").run([{"type": "A", "time": 1}])
    assert cells(page(match))[0] == ["evidence", "1"]
    assert "known" not in Match("Seen", 1, 2, known=MAX_TIME)._repr_html_()


def test_names_and_values_of_others_are_text() -> None:
    shown = "<script>alert('x')</script>&\"\\x1b[2J\\u202e\\ud800"
    hostile = page(Report(HOSTILE, 1, 2, 3, {HOSTILE: HOSTILE}, (HOSTILE,), HOSTILE))
    assert next(hostile.iter("b")).text == shown
    assert cells(hostile) == [[shown, shown], ["evidence", shown], ["id", shown]]
    name = HOSTILE.removesuffix("\ud800")
    run = seen(name).run([{"type": "A", "time": 1, "x": name, "id": name}], id_column="id")
    assert cells(page(run), "th")[0][4] == cells(page(run))[1][4] == shown.removesuffix("\\ud800")
    odd = cepheid.compile('a:A emits v = "<i>&"', language="algebra")
    assert "".join(page(odd).itertext()).startswith('a:A emits v = "<i>&"')
