"""Whatever is shown reads back as the same node.

Nodes are compared by their JSON form, which also tells 1 from 1.0 and takes NaN for NaN.
"""

from hypothesis import given

from cepheid.algebra.expressions import Expr
from cepheid.algebra.formulas import Formula
from cepheid.algebra.json_form import to_json
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.pipes import Pipe
from cepheid.algebra.policies import Policy
from cepheid.algebra.programs import Program, Rule, Stream, Table
from cepheid.algebra.relations import Difference
from cepheid.algebra.text import show
from cepheid.languages.cep import (
    read_difference,
    read_expression,
    read_formula,
    read_pattern,
    read_pipe,
    read_policy,
    read_program,
    read_rule,
    read_stream,
    read_table,
)
from cepheid.testing.strategies import programs
from tests.algebra.node_strategies import (
    DIFFERENCES,
    EXPRESSIONS,
    FORMULAS,
    PATTERNS,
    PIPES,
    POLICIES,
    PROGRAMS,
    RULES,
    STREAMS,
    TABLES,
)


@given(EXPRESSIONS)
def test_an_expression_reads_back(expression: Expr) -> None:
    assert read_expression(show(expression)) == expression


@given(DIFFERENCES)
def test_a_difference_reads_back(difference: Difference) -> None:
    assert read_difference(show(difference)) == difference


@given(POLICIES)
def test_a_policy_reads_back(policy: Policy) -> None:
    assert read_policy(show(policy)) == policy


@given(PATTERNS)
def test_a_pattern_reads_back(pattern: Pattern) -> None:
    assert read_pattern(show(pattern)) == pattern


@given(FORMULAS)
def test_a_formula_reads_back(formula: Formula) -> None:
    assert read_formula(show(formula)) == formula


@given(PIPES)
def test_a_pipe_reads_back(pipe: Pipe) -> None:
    assert read_pipe(show(pipe)) == pipe


@given(RULES)
def test_a_rule_reads_back(rule: Rule) -> None:
    assert read_rule(show(rule)) == rule


@given(STREAMS)
def test_a_stream_reads_back(stream: Stream) -> None:
    assert read_stream(show(stream)) == stream


@given(TABLES)
def test_a_table_reads_back(table: Table) -> None:
    assert to_json(read_table(show(table))) == to_json(table)


@given(PROGRAMS)
def test_a_program_reads_back(program: Program) -> None:
    assert to_json(read_program(show(program))) == to_json(program)


@given(programs())
def test_a_program_that_means_something_reads_back(program: Program) -> None:
    assert read_program(show(program)) == program
