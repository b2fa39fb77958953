"""How tests of validation ask what is wrong with a pattern, and write down the answer."""

from cepheid.algebra.expressions import Aggregate, Expr, Field, Moment
from cepheid.algebra.patterns import Atom, Chain, Pattern, Step
from cepheid.algebra.programs import Rule
from cepheid.algebra.relations import end, start
from cepheid.algebra.validation import validate_rule
from tests.algebra.builder.nodes import A_VALUE, error_of

START, END = Moment(start("$pattern")), Moment(end("$pattern"))
C = Field("c", "value")
SUM = Aggregate("sum", A_VALUE)
HIDDEN = "\n  = note: the parts of an absence, of a repetition and of a collection are known only inside it"
IN_A_CHAIN = "\n  = note: a step of a chain reads its own record and the variables of the chain"
OF_NEIGHBOURS = "\n  = note: the items of a repetition are `$previous` and `$next` to each other"
OF_A_KEY = "\n  = note: a key is read of each event by itself, as `$event`"
OUT_OF_PLACE = (
    "error[aggregate-outside-folds]: `sum` over items stands where there are no items\n"
    "  = hint: compute it among the values of the repetition or collection, and read that value here"
)


def rule(pattern: Pattern, *values: Expr, per: tuple[Expr, ...] = ()) -> Rule:
    fields = {f"v{place}": value for place, value in enumerate(values)}
    return Rule("match", pattern, "match", START, END, fields, per)


def refusal(pattern: Pattern, *values: Expr) -> str:
    return error_of(lambda: validate_rule(rule(pattern, *values)))


def no_part(name: str, *hints: str) -> str:
    return "\n".join([f"error[unknown-part]: there is no part `{name}`", *(f"  = hint: {hint}" for hint in hints)])


def unreadable(name: str, note: str = "") -> str:
    return f"error[unknown-part]: `{name}` cannot be read here{note}"


def lead(where: Expr) -> Chain:
    return Chain({"a": Step(Atom("a", frozenset(), where), {"n": A_VALUE})}, "a")
