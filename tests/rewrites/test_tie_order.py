"""A rule is left as it is where another one would notice the new order of its events."""

import pytest

from cepheid.algebra.text import read_program
from cepheid.rewrites import rewriting

FEEDER = "rule pair: ((a then b) within 5) within 9 emits Pair\n"
COLLECTION = "rule reader: collect n: all of x: Pair for c relation $item inside $anchor"


@pytest.mark.parametrize(
    ("reader", "changes"),
    [
        ("rule reader: x: Pair then c emits Out", True),
        ("rule reader: c unless x: Pair inside emits Out", True),
        ("rule reader: x: Pair then c choose recent emits Out", False),
        ("rule reader: x: Pair choose latest-start emits Out", False),
        ("rule reader: distinct (x: Pair) emits Out", False),
        ("rule reader: repeat r: 2..3 of x: Pair emits Out", False),
        ("rule reader: x: Pair then c within 3 records emits Out", False),
        (
            f"{COLLECTION} with total = count of items emits Out",
            True,
        ),
        (
            f"{COLLECTION} with total = first of x.value emits Out",
            False,
        ),
        ("rule between: x: Pair then c emits Between\nrule reader: y: Between choose latest-start emits Out", False),
    ],
)
def test_a_rule_is_rewritten_unless_its_order_is_read(reader: str, changes: bool) -> None:
    done = rewriting(read_program(FEEDER + reader))
    assert any(firing.rule == "pair" for firing in done.firings) is changes
