"""What the callers of `parse` can say, and what programs know about their text."""

import pytest

from cepheid.algebra.expressions import Call, Field, Literal, Moment
from cepheid.algebra.functions import register
from cepheid.algebra.patterns import Atom, Collect, Instant, Join, Pattern, Restrict, Unless
from cepheid.algebra.programs import HULL, Arrival, Stream, Table
from cepheid.algebra.relations import Difference, end, start
from cepheid.algebra.semantics import matches
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError
from cepheid.languages.parte import parse, remarks
from cepheid.testing import trace
from tests.languages.parte.listings import DIFFUSION, REFUND_SCAM, TEMPLATES

A_AND_B = "template A { id : Integer, k : Integer } template B { id : Integer, k : Integer }\n"
SECOND = 1_000_000


def refusal(text: str, files: dict[str, str] | None = None) -> str:
    with pytest.raises(CepheidError) as raised:
        parse(text, resolve=None if files is None else files.__getitem__)
    return str(raised.value)


def test_a_rule_is_one_join_of_all_its_patterns() -> None:
    [rule] = parse(TEMPLATES + DIFFUSION.replace("{window}", "14 days")).rules
    assert isinstance(rule.pattern, Join)
    assert [part.name for part in rule.pattern.parts if isinstance(part, Atom)] == [
        "incoming",
        "outgoing_1",
        "outgoing_2",
        "outgoing_3",
    ]
    fortnight = 14 * 86400 * SECOND
    assert rule.pattern.relation[0] == Difference(end("outgoing_1"), end("incoming"), 0, fortnight)
    assert rule.pattern.equal[0] == (Field("outgoing_1", "originator"), Field("incoming", "destination"))
    assert rule.start == rule.end == Moment(end("incoming"))


def test_a_negation_is_an_absence_around_the_join() -> None:
    [rule] = parse(TEMPLATES + REFUND_SCAM).rules
    assert isinstance(rule.pattern, Unless)
    assert isinstance(rule.pattern.pattern, Join)
    assert len(rule.pattern.equal) == 2


def test_several_negations_nest_in_the_order_of_the_text() -> None:
    lines = "b in a [0 s, 1 s] no y in b [0 s, 1 s] no x in a [0 s, 1 s]"
    text = f"rule R where a : A  no x : B  b : B  no y : A when {lines} then"
    [rule] = parse(A_AND_B + text).rules
    assert isinstance(rule.pattern, Unless)
    assert isinstance(rule.pattern.pattern, Unless)
    names = [layer.absent.name for layer in (rule.pattern, rule.pattern.pattern) if isinstance(layer.absent, Atom)]
    assert names == ["y", "x"]


def test_conditions_stand_where_all_they_read_is_bound() -> None:
    text = "rule R where a : A  b : B  c : A { id > 3, a.k = b.k, b.id < a.id, a.k > 0, c.k = a.k and c.id != b.id }"
    [rule] = parse(f"{A_AND_B} {text} when b in a [0 s, 1 s] c in a [0 s, 1 s] then").rules
    assert isinstance(rule.pattern, Join)
    wheres = [part.where for part in rule.pattern.parts if isinstance(part, Atom)]
    assert wheres == [
        Call(">", (Field("a", "k"), Literal(0))),
        None,
        Call(">", (Field("c", "id"), Literal(3))),
    ]
    assert rule.pattern.equal == ((Field("a", "k"), Field("b", "k")), (Field("c", "k"), Field("a", "k")))
    assert rule.pattern.where == Call(
        "and",
        (
            Call("<", (Field("b", "id"), Field("a", "id"))),
            Call("!=", (Field("c", "id"), Field("b", "id"))),
        ),
    )


def test_an_aggregate_is_collected_and_what_is_said_about_it_comes_after() -> None:
    text = "rule R where a : A  t : sum(id) of b : B { k = a.k, id > 3 } in a [0 s, 1 s] { t > a.id } then"
    [rule] = parse(A_AND_B + text).rules
    assert isinstance(rule.pattern, Restrict)
    assert isinstance(rule.pattern.pattern, Collect)
    assert rule.pattern.where == Call(">", (Field("t", "value"), Field("a", "id")))
    assert rule.pattern.pattern.equal == ((Field("b", "k"), Field("a", "k")),)


def test_a_lone_pattern_is_one_event_and_a_lone_instant_one_point() -> None:
    [rule] = parse(A_AND_B + "rule R where a : A { id > 3 } then").rules
    assert rule.pattern == Atom("a", frozenset(["A"]), Call(">", (Field("a", "id"), Literal(3))))
    [rule] = parse(A_AND_B + "rule R where noon : daily 9:00 Europe/Brussels then").rules
    assert rule.pattern == Instant("noon", Call("daily", (Literal("09:00"), Literal("Europe/Brussels"))))


def test_several_reactions_are_several_rules_with_one_pattern() -> None:
    text = """rule R where a : A then
      emit B at a.timestamp with { id = a.id, k = 1 }
      emit B at a.timestamp with { id = a.id, k = 2 }
      alarm(a.id, a.id, a.id + 1)"""
    rules = parse(A_AND_B + text).rules
    assert [(rule.name, rule.emits) for rule in rules] == [("R.B", "B"), ("R.B2", "B"), ("R.alarm", "alarm")]
    assert len({rule.pattern for rule in rules}) == 1
    assert list(rules[2].fields) == ["id", "id2", "argument3"]


def test_a_rule_without_a_reaction_tells_from_when_to_when_it_matched() -> None:
    [rule] = parse(A_AND_B + "rule R where a : A  b : B when b in a [0 s, 1 s] then").rules
    assert (rule.emits, rule.start, rule.end) == ("R", Moment(start(HULL)), Moment(end(HULL)))


def test_sources_are_streams() -> None:
    program = parse(
        A_AND_B
        + """tick 1 ms
        source A 10 per ms from 2 sources disorder 5 s keys 7
        source B every 20 ms from left, `right hand`
        rule R where a : A then"""
    )
    assert program.streams == (
        Stream("A", Arrival(10, 1000), 5 * SECOND, ("A_1", "A_2"), 7),
        Stream("B", Arrival(1, 20_000, spaced=True), 0, ("left", "right hand")),
    )
    assert program.tick == 1000


def test_every_pattern_knows_its_place() -> None:
    program = parse(TEMPLATES + REFUND_SCAM)
    nodes = [node for node in walk(program.rules) if isinstance(node, Pattern)]
    assert all(node.span is not None for node in nodes)
    assert "claim : FraudulentTransactionClaimed { transaction_id = incoming.id }" in {
        node.span.text for node in nodes if node.span is not None
    }


TABLE = 'table t(id : Integer, name) gives limit : Float, ok : Boolean from "t.csv"\n'
RULE = A_AND_B + 'rule R where a : A { t(id, "x"), t.limit(id, "x") > 1.0, t.ok(id, "x") } then\n'


def test_a_table_is_read_from_comma_separated_values() -> None:
    files = {"t.csv": 'name,more,ok,limit,id\nx,0,true,2.5,7\n"a, b",0,false,,8\n\n'}
    program = parse(TABLE + RULE, resolve=files.__getitem__)
    assert program.tables == {
        "t": Table(("id", "name", "limit", "ok"), ((7, "x", 2.5, True), (8, "a, b", None, False)), 2)
    }
    found = matches(program, trace("1 A{id: 7}, 2 A{id: 8}, 3 A{id: 9}"))
    assert [match.end for match in found] == [1]


def test_the_caller_can_give_the_rows_of_a_table() -> None:
    rows = [(7, "x", 2.5, True)]
    program = parse(TABLE + RULE, tables={"t": rows})
    again = parse(TABLE + RULE, tables={"t": program.tables["t"]})
    assert program == again
    assert program.tables["t"].rows == ((7, "x", 2.5, True),)


def test_a_row_that_is_given_has_as_many_columns_as_the_table() -> None:
    with pytest.raises(CepheidError) as raised:
        parse(TABLE + RULE, tables={"t": [(7,)]})
    assert str(raised.value) == (
        "error[bad-table]: a row that was given for `t` has 1 of 4 columns\n"
        " --> <query>:1:7\n"
        "  |\n"
        '1 | table t(id : Integer, name) gives limit : Float, ok : Boolean from "t.csv"\n'
        "  |       ^ its columns are `id`, `name`, `limit`, `ok`\n"
        '  = hint: write rows like `["a", "b", "c", "d"]`'
    )


@pytest.mark.parametrize(
    ("content", "message", "hint"),
    [
        ("id,naem,limit,ok\n", "`t.csv` has no column `name`", "did you mean the column `naem`?"),
        ("", "`t.csv` has no column `id`", "its first line names none"),
        (
            "id,name,limit,ok\n1,x,2,true,7\n",
            "line 2 of `t.csv` has 5 columns, and the first line has 4",
            "give every line as many columns as the first",
        ),
        (
            "id,name,limit,ok\n1,x,2,true\nseven,x,2,true\n",
            "line 3 of `t.csv` has `seven` where `Integer` should be",
            "correct the line, or declare the column as `String`",
        ),
    ],
)
def test_a_file_that_is_no_table_is_shown(content: str, message: str, hint: str) -> None:
    assert refusal(TABLE + RULE, {"t.csv": content}) == (
        f"error[bad-table]: {message}\n"
        " --> <query>:1:68\n"
        "  |\n"
        '1 | table t(id : Integer, name) gives limit : Float, ok : Boolean from "t.csv"\n'
        "  |                                                                    ^^^^^^^ this file\n"
        f"  = hint: {hint}"
    )


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (FileNotFoundError(2, "No such file or directory"), "no such file or directory"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "its bytes are not UTF-8"),
        (OSError(), "there is no such file"),
    ],
)
def test_why_a_file_cannot_be_read_is_told(error: Exception, reason: str) -> None:
    def resolve(file: str) -> str:
        raise error

    with pytest.raises(CepheidError, match=f"`library.parte` cannot be read: {reason}"):
        parse('use "library.parte"', resolve=resolve)


def test_a_file_that_is_not_there_is_shown() -> None:
    assert refusal('use "library.parte"', {}) == (
        "error[unresolved-file]: `library.parte` cannot be read: there is no such file\n"
        " --> <query>:1:5\n"
        "  |\n"
        '1 | use "library.parte"\n'
        "  |     ^^^^^^^^^^^^^^^ named here\n"
        "  = hint: check the name of the file"
    )


def test_what_another_text_declares_is_used() -> None:
    files = {
        "library.parte": 'use "templates.parte" pattern big : A { id > 3 }',
        "templates.parte": A_AND_B,
    }
    text = 'use "templates.parte" use "library.parte" rule R where a : big then'
    assert parse(text, resolve=files.__getitem__) == parse(A_AND_B + "rule R where a : A { id > 3 } then")


def test_a_mistake_in_another_text_is_shown_there() -> None:
    message = refusal('use "library.parte" rule R where a : big then', {"library.parte": A_AND_B + "pattern big : C"})
    assert "--> library.parte:2:15" in message


def test_texts_that_use_each_other_are_shown() -> None:
    files = {"one.parte": 'use "two.parte"', "two.parte": 'use "one.parte"'}
    assert refusal('use "one.parte"', files) == (
        "error[recursive-definition]: `one.parte` uses itself: one.parte -> two.parte -> one.parte\n"
        " --> two.parte:1:5\n"
        "  |\n"
        '1 | use "one.parte"\n'
        "  |     ^^^^^^^^^^^ this never ends\n"
        "  = hint: move what both need into a third file"
    )


def test_a_registered_function_is_a_predicate() -> None:
    register("is_palindrome", lambda text: text == text[::-1], 1)
    program = parse("template A { name : String } rule R where a : A { is_palindrome(name) } then")
    assert [match.end for match in matches(program, trace("1 A{name: anna}, 2 A{name: bob}, 3 A{name: carl}"))] == [
        1,
        2,
    ]


def test_a_predicate_may_read_the_events_it_is_given() -> None:
    text = "predicate same(x, y) = x.k = y.k rule R where a : A  b : B { same(a, b) } when b in a [0 s, 1 s] then"
    written_out = "rule R where a : A  b : B { a.k = b.k } when b in a [0 s, 1 s] then"
    assert parse(A_AND_B + text) == parse(A_AND_B + written_out)


def test_remarks_are_no_errors() -> None:
    text = A_AND_B + "rule R where a : A  b : A when b in a [0 s, 1 s] then"
    assert [remark.code for remark in remarks(text)] == ["same-event-twice"]
    assert len(parse(text).rules) == 1


def test_errors_call_the_text_by_its_name() -> None:
    with pytest.raises(CepheidError, match=r"--> fraud\.parte:2:1"):
        parse("// a remark\nfoo", name="fraud.parte")
