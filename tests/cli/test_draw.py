"""`cepheid draw` writes a picture with the sizes of the dissertation; `check` lists them; `--table` gives rows."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import cepheid as c
from tests.cli.console import cepheid

HERE = Path(__file__).parents[2] / "examples" / "fraud"
FRAUD, EXPERIMENT = str(HERE / "fraud.parte"), str(HERE / "experiment.parte")
ROUTES, TRACE = f"common_routes={HERE / 'routes.csv'}", str(HERE / "trace.jsonl")
CLAIMS = ("--rate", "FraudulentTransactionClaimed=1/h", "--rate", "MoneyTransferred=1/5 min")
ABSENCE = (
    "template A { k : Integer } template B { k : Integer } source A 1 per s source B 1 per s "
    "rule R where a : A  no b : B { k = a.k } when no b in a [0 s, 4 s] then alarm(a.k)"
)


def test_a_picture_goes_to_a_file_or_to_the_output(tmp_path: Path) -> None:
    path = tmp_path / "graph.svg"
    answer = cepheid("draw", EXPERIMENT, "--table", ROUTES, "-o", str(path))
    assert (answer.status, answer.output, answer.said) == (0, "", "")
    texts = [node.text for node in ElementTree.fromstring(path.read_text()).iter() if node.text]
    assert {"left 141, right 141", "left 39 481, right 141", "792 430 per ms"} <= set(texts)
    assert cepheid("draw", EXPERIMENT, "--table", ROUTES).output == path.read_text()


def test_rates_may_be_given_beside_the_rules() -> None:
    assert "4 033" in cepheid("draw", FRAUD, *CLAIMS).output
    answer = cepheid("draw", FRAUD)
    assert answer.status == 2
    assert answer.said.startswith("error[missing-rate]: nobody said how often `MoneyTransferred` comes")


DRAWN = [
    ("a: A then b: B[x > 3] within 5 s on user", ["a: A", "b: B[x > 3]", "rule match", "emits match"]),
    ("(a: A then b: B within 5 s) unless c: C inside", ["a then b within 5 s", "$0 unless c inside"]),
    ("repeat r: 2..3 of a: A within 5 s", ["a: A", "repeat r: 2..3 of a within 5 s"]),
    ("distinct (a: A or b: B)", ["a or b", "distinct ($0)"]),
    ("sequence within 5 s { a: A, strict b: B }", ["rule match"]),
    ("rule x by user: a: A emits X(n = a.n)", ["by $event.user", "emits X(n = a.n)"]),
    ("pipe mean = source Trade | map $0.price", ["pipe mean = source Trade | map", "$0.price"]),
]


@pytest.mark.parametrize(("text", "said"), DRAWN)
def test_any_query_is_drawn(text: str, said: list[str]) -> None:
    answer = cepheid("draw", text, "--language", "cep")
    assert (answer.status, answer.said) == (0, "")
    texts = [node.text for node in ElementTree.fromstring(answer.output).iter() if node.text and node.text.strip()]
    assert set(said) <= set(texts)


def test_other_languages_and_what_the_builder_made_are_drawn_as_well() -> None:
    for text, language in (("(A ; B) within 5 s", "algebra"), ("x(S) <- a(S) SEQ b(S).", "etalis")):
        assert cepheid("draw", text, "--language", language, "--allow-unbounded").output.startswith("<svg ")
    assert ">emits match<" in c.compile(c.query(c.event("A"))).draw()


def test_a_rule_that_reads_another_has_a_line_from_it() -> None:
    two = "rule x: a: A emits X\nrule y: b: {} emits Y"
    dashed = [cepheid("draw", two.format(kind), "--language", "cep").output.count("dasharray") for kind in "XB"]
    assert dashed == [1, 0]


def test_a_certificate_lists_the_sizes_of_the_dissertation_beside_ours() -> None:
    answer = cepheid("check", EXPERIMENT, "--table", ROUTES)
    assert answer.output.splitlines()[-4:] == [
        "minimum viable sizes as published (and as certified here)",
        "  FraudDiffusion, join outgoing_1: left (incoming) 141 (150), right (outgoing_1) 141 (150), "
        "outbox 141 (0), inbox 3 (0)",
        "  FraudDiffusion, join outgoing_2: left (incoming with outgoing_1) 39,481 (0), right (outgoing_2) 141 (150), "
        "outbox 39,481 (0), inbox 3 (0)",
        "  FraudDiffusion, join outgoing_3: left (incoming with outgoing_1 with outgoing_2) 11,094,021 (0), "
        "right (outgoing_3) 141 (150), outbox 11,094,021 (0), inbox 3 (0)",
    ]


def test_the_sizes_of_an_absence_are_in_every_form_of_a_certificate() -> None:
    certificate = c.check(ABSENCE, language="parte")
    assert str(certificate).splitlines()[-1] == (
        "  R, not b: left (a) 5 (5), right (b) 5 (1), outbox 5 (0), inbox 3 (0)"
    )
    told = json.loads(cepheid("check", ABSENCE, "--language", "parte", "--json").output)["minimum_viable_sizes"]
    assert told[0] == {"rule": "R", "node": "not b", "place": "left (a)", "published": 5, "certified": 5}
    assert [one["place"] for one in told] == ["left (a)", "right (b)", "outbox", "inbox"]


def test_without_rates_no_sizes_are_known() -> None:
    assert "minimum viable" not in cepheid("check", FRAUD).output
    assert c.check(ABSENCE.replace("source A 1 per s", ""), language="parte").viable == ()


def test_every_size_of_the_fraud_rules_has_one_of_ours_beside_it() -> None:
    told = json.loads(cepheid("check", FRAUD, *CLAIMS, "--json").output)["minimum_viable_sizes"]
    assert {one["rule"] for one in told} == {
        "FraudPassThrough",
        "FraudDiffusion",
        "FraudDiffusionOverAll",
        "FraudRefundScam",
    }
    assert None not in [one["certified"] for one in told]


def test_a_table_is_read_from_the_file_that_is_named() -> None:
    answer = cepheid("run", str(HERE / "as_published.parte"), "--table", ROUTES, "--input", TRACE, "-q")
    assert answer.output.count('"FraudPassThrough"') == 3


def test_a_table_needs_a_name_and_a_file() -> None:
    answer = cepheid("check", EXPERIMENT, "--table", "routes.csv")
    assert answer.said == (
        "error[bad-table]: `routes.csv` names no table and its file\n"
        "  = hint: write the name of the table before its file, for example `--table routes=routes.csv`\n"
    )
