"""The picture of a join graph: SVG that says all sizes and rates."""

from xml.etree import ElementTree

from cepheid.languages.parte import draw, parse
from tests.languages.parte.listings import GLITCH, diffusion

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_sizes_stand_at_the_nodes_and_rates_at_the_edges() -> None:
    written = texts(draw(parse(diffusion("14 ms", "10 per ms"))))
    assert "left 141, right 141" in written
    assert "left 39 481, right 141" in written
    assert "left 11 094 021, right 141" in written
    assert {"10 per ms", "2 820 per ms", "792 430 per ms"} <= set(written)
    assert "entry MoneyTransferred" in written
    assert "emit SuspiciousSequenceDetected" in written


def test_what_is_emitted_is_led_back_to_its_template() -> None:
    picture = draw(parse(GLITCH.replace("source X from", "source X 1 per ms from")))
    dashed = [path for path in ElementTree.fromstring(picture).iter(f"{SVG}path") if "stroke-dasharray" in path.attrib]
    assert len(dashed) == 2
    assert "not b" in texts(picture)


def test_nodes_do_not_cover_each_other() -> None:
    picture = draw(parse(GLITCH.replace("source X from", "source X 1 per ms from")))
    corners = [(rect.attrib["x"], rect.attrib["y"]) for rect in ElementTree.fromstring(picture).iter(f"{SVG}rect")]
    assert len(set(corners)) == len(corners)


def test_names_are_made_safe() -> None:
    picture = draw(parse("template `a<b` {} source `a<b` 1 per s rule R where `x&y` : `a<b` then"))
    assert "entry a<b" in texts(picture)
    assert "alpha x&y" in texts(picture)
