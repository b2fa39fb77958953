"""Any node as text that reads back as the same node."""

from cepheid.algebra.expressions import Expr
from cepheid.algebra.formulas import Formula
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.pipes import Pipe
from cepheid.algebra.policies import Policy
from cepheid.algebra.programs import Program, Rule, Stream, Table
from cepheid.algebra.relations import Difference, Endpoint
from cepheid.algebra.text.show_clauses import shown_policy
from cepheid.algebra.text.show_expressions import shown_endpoint, shown_expression
from cepheid.algebra.text.show_formulas import shown_formula
from cepheid.algebra.text.show_patterns import shown_pattern
from cepheid.algebra.text.show_pipes import shown_pipe
from cepheid.algebra.text.show_programs import shown_program, shown_rule, shown_stream, shown_table
from cepheid.algebra.text.show_relations import shown_difference

Node = Pattern | Expr | Difference | Endpoint | Policy | Rule | Stream | Table | Pipe | Formula | Program


def show(node: Node) -> str:
    """Return a node as text.

    >>> from cepheid.algebra.expressions import Call, Field, Literal
    >>> show(Call("<", (Call("+", (Field("a", "value"), Literal(1))), Literal(3))))
    'a.value + 1 < 3'
    """
    match node:
        case Pattern():
            return shown_pattern(node)
        case Expr():
            return shown_expression(node)
        case Difference() | Endpoint():
            return shown_difference(node) if isinstance(node, Difference) else shown_endpoint(node)
        case Policy():
            return shown_policy(node)
        case Pipe():
            return shown_pipe(node)
        case Formula():
            return shown_formula(node)
        case _:
            return _declaration(node)


def _declaration(node: Rule | Stream | Table | Program) -> str:
    match node:
        case Rule():
            return shown_rule(node)
        case Stream():
            return shown_stream(node)
        case Table():
            return shown_table(node)
        case Program():
            return shown_program(node)
