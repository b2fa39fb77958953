"""What the native language says beyond the single constructs: whole programs, keys, units and tables."""

import pytest
from hypothesis import given

from cepheid.algebra.expressions import Call, Field, Literal, Moment
from cepheid.algebra.patterns import Atom, Instant, Join, Unless
from cepheid.algebra.programs import Arrival, Program, Stream, Table, Ties
from cepheid.algebra.relations import length, start
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep import describe, parse, show
from cepheid.languages.shared.tables import comma_separated
from cepheid.testing.strategies import programs

SECOND = 1_000_000


def join_of(text: str, **options: int) -> Join:
    [rule] = parse(text, **options).rules  # type: ignore[arg-type]  # by name
    assert isinstance(rule.pattern, Join)
    return rule.pattern


def error_of(text: str) -> str:
    with pytest.raises(CepheidError) as raised:
        parse(text)
    return str(raised.value)


@given(programs())
def test_whatever_is_shown_reads_back(program: Program) -> None:
    assert parse(show(program)) == program


def test_a_lone_pattern_is_a_rule_and_ties_follow_each_other() -> None:
    program = parse("A then B")
    assert ([rule.name for rule in program.rules], program.ties) == (["match"], Ties.ARRIVAL)
    assert parse("ties simultaneous  A then B").ties is Ties.SIMULTANEOUS


def test_a_rule_emits_what_it_is_called_unless_it_says_otherwise() -> None:
    assert [rule.emits for rule in parse("rule one: A  rule two: B emits Two").rules] == ["one", "Two"]
    assert [rule.name for rule in parse("A emits Found(x = A.x)").rules] == ["Found"]


def test_a_key_of_a_rule_stands_before_or_after_its_pattern() -> None:
    texts = ("rule r by user: A then B emits r", "rule r per user: A then B", "A then B by user emits r")
    first, *others = (parse(text) for text in texts)
    assert all(one == first for one in others)
    assert first.rules[0].per == (Field("$event", "user"),)


def test_a_key_that_all_parts_have_is_named_once() -> None:
    assert join_of("a: A then b: B then c: C on user, b.x == c.y").equal == (
        (Field("a", "user"), Field("b", "user")),
        (Field("b", "user"), Field("c", "user")),
        (Field("b", "x"), Field("c", "y")),
    )
    [rule] = parse("(A then B on k) unless C between A and B on k").rules
    assert isinstance(rule.pattern, Unless)
    assert rule.pattern.equal == ((Field("A", "k"), Field("C", "k")),)


def test_a_key_of_a_part_that_is_no_single_event_is_refused() -> None:
    assert error_of("(A or B) then C on user") == (
        "error[syntax]: `user` is not a field of every part\n"
        " --> <query>:1:20\n"
        "  |\n"
        "1 | (A or B) then C on user\n"
        "  |                    ^^^^ one part is no single event\n"
        "  = hint: say whose it is: `on a.user == b.user`"
    )


def test_a_length_without_a_unit_is_in_the_unit_of_the_text() -> None:
    assert length("$0", "$1", 5 * SECOND) in join_of("A then B within 5").relation
    assert length("$0", "$1", 5000) in join_of("A then B within 5", time_unit=1000).relation
    assert length("$0", "$1", SECOND // 2) in join_of("A then B within 0.5").relation
    assert parse("stream A rate 5 per 2 disorder 1 s  rule r: A").streams == (
        Stream("A", Arrival(5, 2 * SECOND), SECOND),
    )
    [rule] = parse("instant t: every(5, 1 ms)").rules
    assert rule.pattern == Instant("t", Call("every", (Literal(5 * SECOND), Literal(1000))))


def test_records_and_plain_numbers_have_no_unit() -> None:
    assert join_of("A then B relation position(start(B)) - position(end(A)) <= 3").relation[-1].high == 3
    assert join_of("A then B where B.x > 5").where == Call(">", (Field("B", "x"), Literal(5)))


def test_a_number_beside_a_length_is_one() -> None:
    moments = (Moment(start("B")), Moment(start("A")))
    assert join_of("A then B where start(B) - start(A) <= 5").where == Call(
        "<=", (Call("-", moments), Literal(5 * SECOND))
    )


def test_a_length_with_less_than_a_step_is_refused() -> None:
    assert "this is no whole number of steps" in error_of("A then B within 0.0000005")


def test_a_string_may_stand_in_single_quotes() -> None:
    [rule] = parse("A[user == 'it\\'s \"me\"']").rules
    assert isinstance(rule.pattern, Atom)
    assert rule.pattern.where == Call("==", (Field("A", "user"), Literal('it\'s "me"')))


LOOKUP = "A[speed > lookup(limits, kind; most)]"
LIMITS = Table(("kind", "most"), (("car", 100), ("truck", 60)), 1)
CONTENT = "most,kind\n100,car\n60,truck\n"


@pytest.mark.parametrize(
    ("declared", "given"),
    [
        ('table limits(kind, most) key 1 {("car", 100), ("truck", 60)}', {}),
        ('table limits(kind, most) key 1 from "limits.csv"', {}),
        ("table limits(kind, most) key 1", {"limits": comma_separated("limits.csv", CONTENT)}),
        ("table limits(kind, most) key 1", {"limits": [["car", 100], ["truck", 60]]}),
        ("", {"limits": LIMITS}),
    ],
)
def test_a_table_is_written_or_in_a_file_or_given(declared: str, given: dict[str, object]) -> None:
    program = parse(f"{declared}\n{LOOKUP}", tables=given, resolve=lambda _: CONTENT)  # type: ignore[arg-type]
    assert program.tables == {"limits": LIMITS}


def test_a_table_without_rows_is_refused() -> None:
    told = error_of(f"table limits(kind, most) key 1\n{LOOKUP}")
    assert "error[bad-table]: nothing says what is in `limits`" in told
    assert "`--table limits=limits.csv`" in told


def test_a_text_is_described_with_all_that_it_leaves_to_be_understood() -> None:
    assert describe("A then B within 5 on user") == (
        "rule match:\n    A then B within 5 s on A.user == B.user\n    emits match"
    )
