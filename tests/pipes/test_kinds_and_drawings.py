"""Kinds of values are checked where pipes are joined, and colour the pipes of a picture."""

from xml.etree import ElementTree

import pytest

from cepheid import CepheidError
from cepheid import pipes as p


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (p.apply(p.x > 1), p.cumulate(p.add)),
        (p.lines("a.txt"), p.apply(p.x * 2)),
        (p.csv("a.csv"), p.apply(p.x + 1)),
        (p.apply(p.x, p.function("length")(p.x)), p.filter()),
        (p.turn_into(3), p.globally()),
        (p.apply(p.function("length")(p.x)), p.where(p.field("price") > 1)),
        (p.apply(p.list_of(p.x)), p.window(p.apply(~p.x), 2)),
        (p.turn_into("a"), p.passthrough().of("number")),
    ],
)
def test_kinds_that_cannot_agree_are_an_error_that_shows_both_places(first: p.Processor, second: p.Processor) -> None:
    with pytest.raises(CepheidError) as raised:
        _ = first | second
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "kinds-disagree"
    assert repr(first) in diagnostic.message
    assert repr(second) in diagnostic.message


def test_what_may_be_is_let_through() -> None:
    assert (p.apply(lambda value: value > 1) | p.cumulate(p.add)).run([True]) == [None]
    assert (p.turn_into([1]) | p.apply(p.x + p.x)).run([1]) == [[1, 1]]
    assert (p.turn_into(3) | p.passthrough().of(int)).run("ab") == [3, 3]


def test_kinds_that_are_none_are_refused() -> None:
    with pytest.raises(CepheidError, match="there is no kind `numbr`"):
        p.passthrough().of("numbr")
    with pytest.raises(CepheidError, match="2 kinds are declared for 1 inputs"):
        p.passthrough().of("number", "text")


def test_a_picture_has_boxes_and_coloured_pipes() -> None:
    picture = (p.csv("stocks.csv") | p.where(p.field("symbol") == 1) | p.apply(p.field("close") * 2 > 3)).draw()
    root = ElementTree.fromstring(picture)  # our own
    texts = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["csv('stocks.csv')", "where(x['symbol'] == 1)", "apply((x['close'] * 2) > 3)", "output 0"]
    assert [one.get("stroke") for one in root.iter("{http://www.w3.org/2000/svg}path")] == [
        "#ea580c",
        "#ea580c",
        "#ca8a04",
    ]
