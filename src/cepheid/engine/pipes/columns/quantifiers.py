"""Quantifiers over columns: of each row the first row from there on that its body answers to.

    exists("price", if_(is_low, list_of(price), list_of()), where(is_other) | apply(price == context("price")))

A body that keeps nothing, and whose filters read no context, answers at the next row that its filters let pass.
"""

import numpy as np

from cepheid.algebra.expressions import Call, Expr
from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.layout import INPUT, Wire, laid_out
from cepheid.algebra.graphs.operation import Apply
from cepheid.algebra.graphs.processors import Processor
from cepheid.engine.pipes.columns.passing import Columns, in_columns_as, value_of
from cepheid.engine.pipes.columns.shapes import Column, NotInColumnsError, length, taken
from cepheid.engine.pipes.columns.terms import column_of, truths_of
from cepheid.palettes.temporal.quantifiers import Quantifier


@in_columns_as(Quantifier)
def _verdicts(operation: Quantifier, column: Column) -> Columns:
    condition, element = _single(operation.domain)
    asked = np.flatnonzero(truths_of(column_of(condition, (column,))))
    filters, function = _answer(operation.body)
    passes = np.ones(length(column), dtype=np.bool_)
    for one in filters:
        passes &= truths_of(value_of(one, column))
    answering = np.flatnonzero(passes)
    places = np.searchsorted(answering, asked)
    open_ones = places >= len(answering)
    decided = int(asked[open_ones][0]) if open_ones.any() else length(column)
    asked, rows = asked[~open_ones], answering[places[~open_ones]]
    names = {operation.name: taken(_column(column_of(element, (column,)), column), asked)}
    verdicts = np.full(length(column), operation.for_all)
    verdicts[asked] = truths_of(column_of(function, (taken(column, rows),), names)) if len(asked) else False
    return (verdicts[:decided],)


def _column(found: Column, beside: Column) -> Column:
    return np.full(length(beside), found) if isinstance(found, int | float) else found


def _single(domain: Function) -> tuple[Expr, Expr]:
    """Return when a row has an element, and which: no row has more than one."""
    match domain.term:
        case Call("if", (condition, Call("list", (element,)), Call("list", ()))):
            return condition, element
        case _:
            raise NotInColumnsError


def _answer(body: Processor) -> tuple[list[Function], Expr]:
    """Return the filters of a body, and the function behind them."""
    graph = laid_out(body)
    filters: list[Function] = []
    wire = Wire(INPUT, 0)
    for place, node in enumerate(graph.nodes):
        match node.operation:
            case op.Where(function) if node.inputs == (wire,):
                filters.append(function)
                wire = Wire(place, 0)
            case Apply((Function(term=Expr() as term),)) if node.inputs == (wire,) and place == len(graph.nodes) - 1:
                return filters, term
            case _:
                break
    raise NotInColumnsError
