"""What is made once of an expression, a relation or a key says what the definition says."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra import closures, evaluation
from cepheid.algebra.choices import key_under
from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import TYPE, Call, Expr, Field, Literal, Variable
from cepheid.algebra.functions import register
from cepheid.algebra.instances import of_event
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint
from cepheid.events import point
from tests.kernels.test_column_evaluation import MIXED, TABLES, expressions, same


def variables_too() -> st.SearchStrategy[Expr]:
    more = st.sampled_from([Variable("v"), Variable("none"), Field("v", "x"), Field("e", TYPE)])
    return st.one_of(expressions(), st.builds(lambda one, other: Call("and", (one, other)), expressions(), more), more)


@st.composite
def scopes(draw: st.DrawFn) -> Scope:
    parts = {}
    for name in draw(st.sets(st.sampled_from(["e", "other"]))):
        time = draw(st.integers(0, 3))
        parts[name] = of_event(point("E", time, draw(st.integers(0, 9)), {"x": draw(MIXED), "y": draw(MIXED)}), time)
    variables = draw(st.dictionaries(st.just("v"), st.one_of(MIXED, st.just({"x": 1}))))
    return Scope(parts, variables, TABLES)


ENDPOINTS = st.builds(Endpoint, st.sampled_from(["e", "other"]), st.sampled_from(Edge), st.just(Axis.TIME))
LIMITS = st.one_of(st.none(), st.integers(-2, 2))


@st.composite
def differences(draw: st.DrawFn) -> Difference:
    axis = draw(st.sampled_from(Axis))
    later, earlier = (Endpoint(one.part, one.edge, axis) for one in (draw(ENDPOINTS), draw(ENDPOINTS)))
    if axis is Axis.ARRIVAL:
        return Difference(later, earlier, draw(st.integers(0, 1)), None)
    return Difference(later, earlier, draw(LIMITS), draw(LIMITS))


@given(variables_too(), scopes())
def test_an_expression_has_its_value(expression: Expr, scope: Scope) -> None:
    assert same(closures.closure(expression)(scope), evaluate(expression, scope))
    assert closures.holds(expression, scope) == evaluation.holds(expression, scope)


@given(st.lists(differences(), max_size=3).map(tuple), scopes())
def test_a_relation_holds_where_it_does(relation: tuple[Difference, ...], scope: Scope) -> None:
    assert closures.stands(relation, scope) == evaluation.stands(relation, scope)


@given(st.lists(st.tuples(expressions(), expressions()), max_size=2).map(tuple), scopes())
def test_equalities_hold_where_they_do(equal: tuple[tuple[Expr, Expr], ...], scope: Scope) -> None:
    assert closures.agree(equal, scope) == evaluation.agree(equal, scope)
    sides = tuple(side for pair in equal for side in pair)
    assert closures.key_maker(sides)(scope) == key_under(sides, scope)


def test_a_function_that_is_registered_anew_is_the_new_one() -> None:
    call = Call("test_closures_twice", (Literal(2),))
    register("test_closures_twice", lambda number: number * 2, 1)
    before = closures.closure(call)(Scope())
    register("test_closures_twice", lambda number: number * 3, 1)
    assert (before, closures.closure(call)(Scope())) == (4, 6)
