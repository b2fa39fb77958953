"""What sources read from files, and what functions find in texts and documents."""

import io
import struct
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid import CepheidError, palettes
from cepheid import pipes as p


def test_rows_are_records_with_numbers_and_remarks_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "stocks.csv"
    path.write_text('# stocks\nsymbol, close,note\n\n1,2.5,"a\n# b"\n#x\nMSFT,-3,\n', encoding="utf-8")
    rows = [{"symbol": 1, "close": 2.5, "note": "a\n# b"}, {"symbol": "MSFT", "close": -3, "note": None}]
    assert p.csv(path).run() == rows
    assert list((p.csv(str(path)) | p.apply(p.field("close"))).pull()) == [2.5, -3]
    with path.open(encoding="utf-8") as file:
        assert p.csv(file).run() == rows


def test_a_row_that_is_too_short_names_its_line() -> None:
    with pytest.raises(CepheidError, match=r"this row has 1 cells, and the table 2 columns \(an open file:3\)"):
        p.csv(io.BytesIO(b"a,b\n1,2\n3\n")).run()


def test_a_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(CepheidError, match=r"`nowhere\.csv` cannot be read"):
        p.csv("nowhere.csv").run()


def test_lines_and_documents_of_lines() -> None:
    assert p.lines(io.StringIO("a\r\n\nb")).run() == ["a", "", "b"]
    assert p.json_lines(io.BytesIO(b'{"a": [1]}\n\n2\n')).run() == [{"a": [1]}, 2]
    with pytest.raises(CepheidError, match=r"this line is not JSON.*\(an open file:2\)"):
        p.json_lines(io.BytesIO(b"1\n{\n")).run()


def test_what_does_not_parse_is_none() -> None:
    assert p.apply(p.parse_json).run(['{"a": 1}', "{", None, 3, "[" * 100_000]) == [{"a": 1}, None, None, None, None]
    assert p.apply(p.parse_xml).run(["<a", None, 3]) == [None, None, None]


def test_a_path_finds_its_way_into_a_document() -> None:
    document = {"a": {"b": [1, {"c d": 2}]}, "many": [{"x": 1}, {"x": 2}, 3]}
    found = p.apply(p.jsonpath("a.b[1]['c d']"), p.jsonpath("$.a.b[-2]"), p.jsonpath("a.z[0]"), p.jsonpath("many[*].x"))
    assert found.run([document]) == ([2], [1], [None], [[1, 2, None]])
    assert (p.apply(p.jsonpath("a")(p.parse_json))).run(['{"a": 5}']) == [5]
    with pytest.raises(CepheidError, match="is no path"):
        p.jsonpath("a..b")


def test_xpath_starts_at_the_document_and_reads_the_context() -> None:
    text = "<game><p id='1'><x>4</x></p><p id='2'><x>5</x></p></game>"
    documents = p.xml(io.BytesIO(f"\n{text}\n<game/>  {text}".encode()))
    xs = documents | p.apply(p.xpath("game/p[@id=$id]/x/text()"))
    assert xs.context(id="2").run() == [["5"], [], ["5"]]
    whole = p.apply(p.xpath("/game/p/@id"), p.xpath("count(//x)"), p.xpath("string(game/p[2]/x)"), p.xpath("a/b"))
    assert whole.run([text]) == ([["1", "2"]], [2.0], ["5"], [[]])
    inner = p.apply(p.xpath("game/p")) | p.unpack() | p.apply(p.xpath("number(x)"))
    assert inner.run([text]) == [4.0, 5.0]
    with pytest.raises(CepheidError, match="is no XPath"):
        p.xpath("a[")


def test_documents_may_come_in_any_pieces(tmp_path: Path) -> None:
    path = tmp_path / "game.xml"
    path.write_text("".join(f"<e n='{'x' * 9000}{n}'><f/></e>\n" for n in range(30)), encoding="utf-8")
    assert len((p.xml(path) | p.apply(p.xpath("string(e/@n)"))).run()) == 30


MESSAGES = b"""MSH|^~\\&|LAB
PID|1||7^^X
OBX|1|NM|2093-3^CHOLESTEROL^LOINC|138.000|MG/DL
OBX|2|NM|2086-7^HDL^LOINC|24.000|MG/DL

MSH|^~\\&|LAB
PID|1||8
"""


def test_fields_of_messages() -> None:
    told = p.hl7(io.BytesIO(MESSAGES)) | p.apply(
        p.hl7_field("PID.3.1"), p.hl7_field("OBX[2].3.2"), p.hl7_field("OBX[*].4"), p.number(p.hl7_field("OBX.4"))
    )
    assert told.run() == (["7", "8"], ["HDL", None], [["138.000", "24.000"], []], [138.0, None])
    assert p.apply(p.hl7_field("MSH.2")).run(["MSH|^~\\&|LAB"]) == ["^~\\&"]
    with pytest.raises(CepheidError, match="is no field of a message"):
        p.hl7_field("OBX")


def test_a_text_is_split() -> None:
    assert p.apply(p.split(",")).run(["a,b", "", 3]) == [["a", "b"], [""], None]


PATTERNS = st.sampled_from([r"\d+", r"a(b*)c?", r"\bx\w*", "(?:aa)+", "b|ab", r"^a", "x$"])


@given(PATTERNS, st.text("abc1x ", max_size=20), st.lists(st.integers(0, 20), max_size=4))
def test_what_is_found_does_not_depend_on_the_pieces(pattern: str, text: str, cuts: list[int]) -> None:
    if pattern == "x$":
        return  # where a text ends is known at its end only, which is when it is found
    places = [0, *sorted(cuts), len(text)]
    pieces = [text[a:b] for a, b in pairwise(places)]
    whole = p.find(pattern).run([text])
    if pattern in (r"\d+", r"\bx\w*", "(?:aa)+", "b|ab", r"^a"):
        assert p.find(pattern).run(pieces) == whole
    running = p.find(pattern).start()
    assert [one for piece in pieces for one in running.push(piece)] + running.end() == p.find(pattern).run(pieces)


def test_a_group_is_told_where_there_is_one_and_bad_expressions_are_refused() -> None:
    assert p.find(r"price=(\d+)").run(["a price=1", "2; price=", "7 "]) == ["12", "7"]
    with pytest.raises(CepheidError, match="is no regular expression of RE2"):
        p.find(r"(a)\1")


def packet(data: bytes, size: int | None = None) -> bytes:
    return struct.pack("<IIII", 10, 500_000, len(data), len(data) if size is None else size) + data


HEAD = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
ETHERNET = bytes.fromhex("0a0b0c0d0e0f 010203040506 0800")
IPV4 = bytes.fromhex("4500 0028 0001 0000 40 06 0000 c0a80001 08080808")
TCP = struct.pack("!HHIIHHHH", 5000, 443, 7, 8, 0x5012, 1024, 0, 0)
UDP6 = bytes.fromhex("0a0b0c0d0e0f 010203040506 86dd 60000000 0008 11 40") + bytes(15) + b"\1" + bytes(15) + b"\2"


def test_packets_and_their_headers() -> None:
    capture = (
        HEAD + packet(ETHERNET + IPV4 + TCP) + packet(b"short", 60) + packet(UDP6 + struct.pack("!HHHH", 53, 9, 8, 0))
    )
    names = ["eth.src", "ip.src", "ip.proto", "tcp.dstport", "tcp.flags.syn", "udp.srcport", "icmp.type"]
    told = p.packets(io.BytesIO(capture + b"\0\0")) | p.apply(
        *map(p.header, names), p.field("time"), p.field("left_out")
    )
    first, second = (list(front) for front in zip(*told.run(), strict=True))
    assert first == ["01:02:03:04:05:06", "192.168.0.1", 6, 443, True, None, None, 10.5, 0]
    assert second == ["01:02:03:04:05:06", "::1", 17, None, None, 53, None, 10.5, 1]
    with pytest.raises(CepheidError, match=r"no header field `ip\.scr`"):
        p.header("ip.scr")


@given(st.binary(max_size=80))
def test_no_packet_is_too_broken(data: bytes) -> None:
    assert len(p.apply(p.header("ip.src")).run([data, {"data": data, "link": 101}, {"data": 3}, None])) == 4


def test_plots_are_pictures_and_a_heat_map_has_an_array() -> None:
    points = [{(0, 0), (1, 1)}, [{"x": 5, "y": 7}], []]
    for picture in (*p.scatter().run(points), *p.line().run(points), *p.heat_map(2).run(points)):
        assert picture.startswith(b"\x89PNG")
    (heat,) = p.heat_map(10).run([[(1, 2), (3, 4), (15, 25), "no point"]])
    assert (heat.array, heat.corner) == (((2, 0), (0, 0), (0, 1)), (0, 0))
    assert p.scatter().run([{(0, 0), (1, 1)}]) == p.scatter().run([[(1, 1), (0, 0)]])


def test_palettes_are_found_by_their_names() -> None:
    assert {"signal", "temporal", "texts"} <= set(palettes.palette_names())
    assert palettes.signal.peaks is p.peaks
    with pytest.raises(AttributeError, match="there is no palette `sound`"):
        _ = palettes.sound
