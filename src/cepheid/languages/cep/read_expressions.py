"""Read expressions and the values in them.

A name that stands alone is an input or the total of a pipe where it starts with `$`. Else, as is `$type`, it is a field
of the event at hand, which only what stands around it knows: `of_part` says so for all of them at once.
"""

from lark import Token, v_args
from lark.tree import Meta

from cepheid.algebra.evaluation import AGGREGATES
from cepheid.algebra.expressions import (
    TYPE,
    Aggregate,
    Call,
    Expr,
    Field,
    IsBound,
    Literal,
    Lookup,
    Moment,
    Variable,
)
from cepheid.algebra.functions import function_named
from cepheid.algebra.relations import Endpoint
from cepheid.events import Value
from cepheid.languages.cep.lone_names import LoneName
from cepheid.languages.cep.mistakes import mistake
from cepheid.languages.cep.read_lengths import LengthReader


@v_args(inline=True)
class ExpressionReader(LengthReader):
    """The rules of the grammar that make names, values and expressions."""

    def name(self, token: Token) -> str:
        return self.text_of(token)

    def names(self, *names: str) -> tuple[str, ...]:
        return names

    def or_(self, left: Expr, right: Expr) -> Expr:
        return Call("or", (left, right))

    def and_(self, left: Expr, right: Expr) -> Expr:
        return Call("and", (left, right))

    def not_(self, operand: Expr) -> Expr:
        return Call("not", (operand,))

    def minus(self, operand: Expr) -> Expr:
        return Call("neg", (operand,))

    def comparing(self, token: Token) -> str:
        return str(token)

    def adding(self, token: Token) -> str:
        return str(token)

    def multiplying(self, token: Token) -> str:
        return str(token)

    def literal(self, value: Value) -> Expr:
        return Literal(value)

    def moment(self, endpoint: Endpoint) -> Expr:
        return Moment(endpoint)

    @v_args(inline=True, meta=True)
    def lone_name(self, meta: Meta, name: str) -> Expr:
        span = self.place(meta)
        return Variable(name) if span.text.startswith("$") and name != TYPE else LoneName(name, span)

    def field(self, part: str, *names: str) -> Expr:
        return Field(part, ".".join(names))

    @v_args(inline=True, meta=True)
    def nested(self, meta: Meta, *names: str) -> Expr:
        return LoneName(".".join(names), self.place(meta))

    def variable(self, name: str) -> Expr:
        return Variable(name)

    @v_args(inline=True, meta=True)
    def call(self, meta: Meta, function: str, arguments: tuple[Expr, ...]) -> Expr:
        if function in AGGREGATES and function_named(function) is None:
            of = "items" if function == "count" else self.place(meta).text.partition("(")[2].removesuffix(")")
            label, hint = "it is of the items of a group", f"write `{function} of {of or 'a.field'}`"
            raise mistake(f"`{function}` is no function", self.place(meta), label, hint)
        return Call(function, arguments)

    def if_(self, arguments: tuple[Expr, ...]) -> Expr:
        return Call("if", arguments)

    def aggregate(self, function: str, argument: Expr | None = None) -> Expr:
        return Aggregate(function, argument)

    def lookup(self, table: str, *keys: Expr) -> Expr:
        return Lookup(table, keys)

    def lookup_column(self, table: str, *keys_and_column: Expr | str) -> Expr:
        keys = tuple(key for key in keys_and_column if isinstance(key, Expr))
        return Lookup(table, keys, str(keys_and_column[-1]))

    def bound(self, name: str) -> Expr:
        return IsBound(name)

    def expressions(self, some: tuple[Expr, ...] | None) -> tuple[Expr, ...]:
        return some or ()

    def some_expressions(self, *some: Expr) -> tuple[Expr, ...]:
        return some

    def string(self, token: Token) -> Value:
        return self.text_of(token)

    def integer(self, token: Token) -> Value:
        return self.number_of(token)

    def decimal(self, token: Token) -> Value:
        return float(token)

    def null(self) -> Value:
        return None

    def true(self) -> Value:
        return True

    def false(self) -> Value:
        return False

    def tuple_value(self, *items: Value) -> Value:
        return items

    def record_value(self, *cells: tuple[str, Value]) -> Value:
        return dict(cells)

    def cell(self, name: Token, value: Value) -> tuple[str, Value]:
        return self.text_of(name), value
