"""Fields inside of records are named with dots, wherever a field can be named."""

import pytest

import cepheid as c
from cepheid.algebra.json_form import to_json
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import parse, read_pattern, show

ROWS = [
    {"type": "R", "time": 1, "geo": {"city": "Rome", "place": {"name": "Trevi"}}},
    {"type": "R", "time": 2, "geo": {"city": "Paris", "place": {"name": "Louvre"}}},
    {"type": "S", "time": 3, "geo": {"city": "Rome", "place": {"name": "Forum"}}},
]

SAME_MEANING = [
    ('R[geo.city == "Rome"]', 'R[`geo.city` == "Rome"]'),
    ('r: R[geo.city == "Rome"]', 'r: R[r.`geo.city` == "Rome"]'),
    ('r: R[r.geo.city == "Rome"]', 'r: R[`geo.city` == "Rome"]'),
    ('r: R[geo.place.name == "Trevi"]', 'r: R[`geo.place.name` == "Trevi"]'),
    ('r: R where r.geo.city == "Rome"', 'r: R where r.`geo.city` == "Rome"'),
    ("r: R then s: S within 5 s on geo.city", "r: R then s: S within 5 s on `geo.city`"),
    ("r: R then s: S within 5 s on r.geo.city == s.geo.city", "r: R then s: S within 5 s on `geo.city`"),
    ("r: R then s: S within 5 s by geo.city", "r: R then s: S within 5 s by `geo.city`"),
    ("rule x by geo.city: r: R then s: S within 5 s", "rule x by `geo.city`: r: R then s: S within 5 s"),
    ("r: R emits X(geo = r.geo.city)", "r: R emits X(geo = r.`geo.city`)"),
    (
        'sequence within 5 s { R[geo.city == "Rome"], not S[geo.city == "Oslo"] }',
        'sequence within 5 s { R[`geo.city` == "Rome"], not S[`geo.city` == "Oslo"] }',
    ),
    (
        "rule x: geo: R emits X\nrule y: R[geo.city == 1] emits Y",
        "rule x: geo: R emits X\nrule y: R[`geo.city` == 1] emits Y",
    ),
]


@pytest.mark.parametrize(("plain", "quoted"), SAME_MEANING)
def test_a_plain_name_with_dots_is_the_one_in_backticks(plain: str, quoted: str) -> None:
    assert to_json(parse(plain)) == to_json(parse(quoted))


@pytest.mark.parametrize("text", [plain for plain, _ in SAME_MEANING])
def test_what_has_names_with_dots_is_shown_so_that_it_reads_back(text: str) -> None:
    assert to_json(parse(show(parse(text)))) == to_json(parse(text))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ('R[geo.city == "Rome"]', [1]),
        ('r: R where r.geo.place.name == "Louvre"', [2]),
        ("r: R then s: S within 5 s on geo.city", [3]),
        ("r: R then s: S within 5 s by geo.city", [3]),
        ('sequence within 5 s { R[geo.city == "Rome"], next S[geo.place.name == "Forum"] }', [3]),
    ],
)
def test_fields_inside_of_records_are_found(text: str, ends: list[int]) -> None:
    assert [match.end for match in c.compile(text, language="cep").run(ROWS)] == ends


@pytest.mark.parametrize(
    "text",
    [
        "geo: R then s: S[geo.city == city] within 5 s",
        "chain from one { step one: r: R let geo = r.geo then two step two: s: S[geo.city == city] }",
        "geo: R[geo.city == 1]",
        "s: S[`geo`.city == 1]",
        "s: S[$previous.city == 1]",
    ],
)
def test_a_name_before_the_dot_that_the_rule_knows_stays_what_it_is(text: str) -> None:
    assert "geo.city" not in str(to_json(read_pattern(text)))


def test_a_part_that_cannot_be_read_in_a_filter_is_still_said() -> None:
    with pytest.raises(CepheidError, match="`geo` cannot be read here"):
        c.compile("geo: R then s: S[geo.city == city] within 5 s", language="cep")


@pytest.mark.parametrize("way_out", ["r.city", "r.geo.city"])
def test_a_name_with_dots_without_its_part_brings_hints_that_can_be_typed(way_out: str) -> None:
    with pytest.raises(CepheidError) as caught:
        c.compile('r: R where geo.city == "Rome"', language="cep")
    assert caught.value.diagnostics[0].hints == ("write `r.city`; where `geo` is a record in the event, `r.geo.city`",)
    c.compile(f'r: R where {way_out} == "Rome"', language="cep")


def test_a_lone_name_brings_a_part_that_is_there() -> None:
    with pytest.raises(CepheidError) as caught:
        c.compile('rule x: a: A emits X\nrule y: r: R where city == "Rome" emits Y', language="cep")
    assert caught.value.diagnostics[0].hints == ("write the part it belongs to: `r.city`; a variable is `@city`",)
