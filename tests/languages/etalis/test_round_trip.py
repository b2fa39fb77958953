"""What is shown reads back as the same program."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Field, Literal
from cepheid.algebra.patterns import Atom, Select
from cepheid.algebra.policies import LATEST_START
from cepheid.algebra.programs import Program, Rule
from cepheid.diagnostics import CepheidError
from cepheid.events import Value
from cepheid.languages.etalis import parse, show
from tests.languages.etalis.random_programs import programs
from tests.languages.etalis.texts import LINES, RICH, RULES


@given(programs())
def test_a_random_program_reads_back(text: str) -> None:
    program = parse(text)
    assert parse(show(program)) == program


# A rule that is called like what it reads would read itself.
NAMES = st.text().filter(lambda name: name != "a")


@given(NAMES, st.one_of(st.text(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.booleans()))
def test_any_name_and_any_constant_read_back(name: str, constant: Value) -> None:
    if constant in (float("inf"), float("-inf")):
        return
    [rule] = parse("e(1) <- a(2).").rules
    atom = Atom("a", frozenset(["a"]), Call("==", (Field("a", "arg1"), Literal(constant))))
    program = Program((Rule(name, atom, name, rule.start, rule.end, {"arg1": Literal(constant)}),))
    assert parse(show(program)) == program


@given(RICH)
def test_a_rich_program_reads_back(text: str) -> None:
    program = parse(text)
    shown = show(program)
    assert parse(shown) == program
    assert show(parse(shown)) == shown


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("policy", ["unrestricted", "recent", "chronological"])
def test_every_rule_reads_back_under_every_policy(rule: str, policy: str) -> None:
    if policy != "unrestricted" and "path" in rule:
        return
    program = parse("\n".join([LINES[0], rule]), policy=policy)
    assert parse(show(program)) == program


def test_a_query_that_the_language_cannot_say_is_refused() -> None:
    [rule] = parse("e <- a.").rules
    chosen = Select(Atom("a", frozenset(["a"])), LATEST_START)
    program = Program((Rule("e", chosen, "e", rule.start, rule.end),))
    with pytest.raises(CepheidError) as raised:
        show(program)
    assert str(raised.value) == (
        "error[not-expressible]: the query cannot be written in the language `etalis`\n"
        "  = note: it has a pattern of the kind `Select`, and the language has no words for that\n"
        "  = hint: every query can be written in `cep`: `cepheid convert query.json --to cep`"
    )


def test_an_event_that_starts_elsewhere_is_refused() -> None:
    [rule] = parse("e <- a.").rules
    program = Program((Rule("e", rule.pattern, "e", rule.end, rule.end),))
    with pytest.raises(CepheidError, match="something that its operators do not mean"):
        show(program)
