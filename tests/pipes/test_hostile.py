"""Input that is meant to do harm: each a clear error or no value, in little memory and at once."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from cepheid import CepheidError
from cepheid import pipes as p

MEBIBYTE = 1 << 20
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + level)} "{f"&{chr(97 + level)};" * 10}">' for level in range(12))
    + "]><l>&m;</l>"
)
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><l>&a;</l>'


@contextmanager
def little() -> Iterator[None]:
    """What is done here takes less than 100 MiB and some seconds."""
    tracemalloc.start()
    begun = thread_time()
    try:
        yield
        assert thread_time() - begun < 5
        assert tracemalloc.get_traced_memory()[1] < 100 * MEBIBYTE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("text", [BOMB, OUTSIDE])
def test_entities_are_never_expanded(text: str, tmp_path: Path) -> None:
    p.apply(p.parse_xml).run(["<a/>"])  # which loads what reads it
    (tmp_path / "bomb.xml").write_text(text)
    with little():
        assert p.apply(p.parse_xml).run([text]) == [None]
        with pytest.raises(CepheidError, match=r"bad-xml.*it has a document type, which may declare entities"):
            p.xml(tmp_path / "bomb.xml").run()


def test_a_document_that_is_nested_too_deep(tmp_path: Path) -> None:
    deep = '{"a":' * 100_000 + "1" + "}" * 100_000
    (tmp_path / "deep.jsonl").write_text(f"{deep}\n")
    with little():
        assert p.apply(p.parse_json).run([deep]) == [None]
        with pytest.raises(CepheidError, match=r"bad-json.*nested too deep"):
            p.json_lines(tmp_path / "deep.jsonl").run()
    (tmp_path / "deep.xml").write_text("<a>" * 100_000 + "</a>" * 100_000)
    with little(), pytest.raises(CepheidError, match="bad-xml"):
        p.xml(tmp_path / "deep.xml").run()


@pytest.mark.parametrize("read", [p.lines, p.csv, p.json_lines, p.hl7])
def test_a_line_of_a_gigabyte(read: Callable[[Any], p.Processor], tmp_path: Path) -> None:
    with (tmp_path / "long").open("wb") as file:
        file.truncate(1 << 30)
    with little(), pytest.raises(CepheidError, match=r"line-too-long|has more than"):
        read(tmp_path / "long").run()


def test_no_expression_hangs() -> None:
    with little():
        assert p.find("(a+)+$").run(["a" * 100_000 + "b"]) == []
        assert p.find("(x+x+)+y").run(["x" * 100_000]) == []
    with pytest.raises(CepheidError, match="references back"):
        p.find(r"(a)\1")
