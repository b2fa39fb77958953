"""Input that means harm: each is a clear error, in memory and time that do not grow with it."""

import io
import resource

import pytest

from cepheid import CepheidError
from cepheid import pipes as p
from cepheid.terms import Term

BOMB = "<!DOCTYPE a [<!ENTITY b 'bbbbbbbbbb'>" + "".join(
    f"<!ENTITY {chr(99 + n)} '{f'&{chr(98 + n)};' * 10}'>" for n in range(9)
)
BOMB += "]><a>&k;</a>"


class Endless(io.RawIOBase):
    """A file that goes on: one byte again and again, up to a gigabyte."""

    def __init__(self, byte: bytes, size: int = 1 << 30) -> None:
        self.byte, self.left = byte, size

    def read(self, size: int = -1) -> bytes:
        size = min(self.left, size if size >= 0 else self.left)
        self.left -= size
        return self.byte * size

    def readline(self, size: int | None = -1) -> bytes:
        return self.read(self.left if size is None else size)


def grown(before: int) -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def test_a_bomb_of_entities_is_refused() -> None:
    with pytest.raises(CepheidError, match="it has a document type, which may declare entities"):
        p.xml(io.BytesIO(BOMB.encode())).run()
    assert p.apply(p.parse_xml).run([BOMB]) == [None]


def test_a_document_that_names_a_file_does_not_read_it() -> None:
    text = "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>"
    assert p.apply(p.parse_xml).run([text]) == [None]
    assert p.apply(p.xpath("string(a)")).run([text]) == [None]


def test_documents_that_are_too_deep_or_too_long() -> None:
    with pytest.raises(CepheidError, match="nested too deep"):
        p.xml(io.BytesIO(b"<a>" * 100_000)).run()
    assert p.apply(p.parse_xml).run(["<a>" * 100_000 + "</a>" * 100_000]) == [None]
    with pytest.raises(CepheidError, match="more than 16,777,216 bytes"):
        p.xml(io.BytesIO(b"<a>" + b"x" * (17 << 20))).run()


def test_json_that_is_a_hundred_thousand_deep() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    with pytest.raises(CepheidError, match=r"the document in this line is nested too deep \(an open file:1\)"):
        p.json_lines(io.BytesIO(deep)).run()
    assert p.apply(p.parse_json).run([deep.decode()]) == [None]


@pytest.mark.parametrize("read", [p.lines, p.csv, p.json_lines, p.hl7])
def test_a_line_of_a_gigabyte_is_refused_before_it_is_read(read: object) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(CepheidError, match="this line has more than 16,777,216 characters"):
        read(Endless(b"x")).run()  # type: ignore[operator]  # one of the four
    assert grown(before) < 200_000  # kilobytes


def test_an_expression_that_would_go_back_for_ever() -> None:
    assert p.find("(?:a+)+b").run(["a" * 20_000 + "c"]) == []
    assert p.find("(a*)*(a*)*(a*)*c").run(["a" * 20_000]) == []


def test_a_term_that_is_very_deep() -> None:
    term: Term = p.x
    for _ in range(150):
        term = term + 1
    assert p.apply(term).run([0]) == [150]
    for _ in range(1000):
        term = term + 1
    with pytest.raises(CepheidError, match="too deep"):
        p.apply(term)


def test_snapshots_that_were_damaged() -> None:
    snapshot = p.window(p.cumulate(p.add), 3).start().snapshot()
    for damaged in (b"", b"no snapshot", snapshot[:-3], snapshot[:20] + b"x" + snapshot[21:], snapshot + b"]"):
        with pytest.raises(CepheidError, match="bad-state"):
            p.window(p.cumulate(p.add), 3).start(damaged)
    with pytest.raises(CepheidError, match="taken of another pipe"):
        p.window(p.cumulate(p.add), 4).start(snapshot)
