"""Never: no later record can satisfy a condition, because a function of the user's said so.

    not Never                       is true
    Never and x                     is Never
    Never or x                      is x, and Never where all parts are

A limit on the time or the position of a record is Never as well; that is read off the condition, and not asked here.
"""

from collections.abc import Mapping

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.functions import function_named
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom, Chain
from cepheid.algebra.programs import Table
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import walk
from cepheid.events import Value

_FALSE = Literal(False)


def may_answer_never(node: object) -> bool:
    """Say whether a function that may answer Never is called."""
    return any(isinstance(one, Call) and _asks(one) for one in walk(node))


@ByIdentity
def leads_that_may_end(chain: Chain) -> frozenset[str]:
    """Return the steps of a chain whose leads may answer Never."""
    return frozenset(name for name, step in chain.steps.items() if may_answer_never(step.lead.where))


def is_never(atom: Atom, record: Instance, variables: Mapping[str, Value], tables: Mapping[str, Table]) -> bool:
    """Say whether no record from this one on can satisfy an atom, whatever the type of this one is."""
    return atom.where is not None and _is_never(atom.where, Scope({atom.name: record}, variables, tables))


def _is_never(condition: Expr, scope: Scope) -> bool:
    match condition:
        case Call("and", parts):
            return any(_is_never(part, scope) for part in parts)
        case Call("or", parts):
            return all(_is_never(part, scope) for part in parts)
        case Call("coalesce", (inner, literal)) if literal == _FALSE:
            return _is_never(inner, scope)
        case Call(name, arguments) if _asks(condition):
            function = function_named(name)
            assert function is not None
            assert function.is_never is not None
            return function.is_never(*(evaluate(argument, scope) for argument in arguments))
        case _:
            return False


def _asks(call: Call) -> bool:
    function = function_named(call.function)
    return function is not None and function.is_never is not None
