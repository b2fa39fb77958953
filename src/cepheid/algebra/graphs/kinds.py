"""The kinds of values on the wires of a graph: declared, or inferred from terms that are known.

    number  text  truth  record  list  set  any, or a class of Python by its name

A function of Python gives any kind. Two kinds agree where they are the same, or one of them is any; a value may always
be None, so nothing is said about that.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Variable
from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.layout import INPUT, Graph, Wire, laid_out
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Apply, Operation
from cepheid.algebra.graphs.processors import Processor
from cepheid.algebra.graphs.showing_terms import shown_term
from cepheid.events import Event

Kind: TypeAlias = str
Kinds: TypeAlias = tuple[Kind, ...]
Some = TypeVar("Some", bound=Operation)

ANY: Final = "any"
KINDS: Final = ("number", "text", "truth", "record", "list", "set", ANY)

_COMPARED: Final = frozenset(
    {"==", "!=", "<", "<=", ">", ">=", "in", "is_null", "contains", "starts_with", "ends_with"}
    | {"matches", "cidr_contains", "is_ip", "is_private"}
)
_COUNTED: Final = frozenset({"+", "-", "*", "/", "//", "%", "pow", "neg", "abs", "sqrt", "exp", "log", "floor", "ceil"})
_LOGICAL: Final = frozenset({"and", "or", "not"})
_NATIVE: Final = {"number": "number", "parse_json": ANY}
_GIVEN: Final = {"int": "number", "float": "number", "string": "text", "bool": "truth", "length": "number"}
_MADE: Final = {
    "list": "list",
    "record": "record",
    "lower": "text",
    "upper": "text",
    "substring": "text",
    "round": "number",
    **dict.fromkeys(("trim", "replace", "split_part", "extract", "date"), "text"),
    **dict.fromkeys(("year", "month", "day", "hour", "minute", "second", "weekday", "timestamp"), "number"),
}


class KindsDisagreeError(Exception):
    """Something is done to a kind of values that they cannot bear; the first argument says what, of which kind."""


def kind_name(kind: str | type) -> Kind:
    """Return a kind by its name."""
    return kind if isinstance(kind, str) else kind.__name__


def kind_of_value(value: Thing) -> Kind:
    """Return the kind of a value; that of None is any."""
    if isinstance(value, bool):
        return "truth"
    for kind, types in _OF_VALUES:
        if isinstance(value, types):
            return kind
    return ANY


_OF_VALUES: Final[tuple[tuple[Kind, tuple[type, ...]], ...]] = (
    ("number", (int, float)),
    ("text", (str,)),
    ("list", (list, tuple)),
    ("set", (set, frozenset)),
    ("record", (dict, Event)),
)


def agree(one: Kind, other: Kind) -> bool:
    """Say whether values of one kind may be of another."""
    return one == other or ANY in (one, other) or one not in KINDS or other not in KINDS


def kind_of(node: Expr, inputs: Sequence[Kind]) -> Kind:
    """Return the kind of a term over inputs of some kinds, or raise where it can never have a value."""
    match node:
        case Literal(value):
            return kind_of_value(value)
        case Variable(name):
            return inputs[int(name[1:])] if name.startswith("$") else ANY
        case Field(part, _):
            _demand(Variable(part), kind_of(Variable(part), inputs), ("number", "truth", "text"), "a record")
            return ANY
        case NativeCall(name=name):
            return _NATIVE.get(name, ANY)
        case Call(function, arguments):
            return _called(function, arguments, [kind_of(argument, inputs) for argument in arguments])
        case _:
            return ANY


def _called(function: str, arguments: Sequence[Expr], kinds: Sequence[Kind]) -> Kind:
    if function in _COMPARED:
        return "truth"
    if function in _LOGICAL:
        for argument, kind in zip(arguments, kinds, strict=True):
            _demand(argument, kind, ("number", "text", "record", "list", "set"), "a truth")
        return "truth"
    if function in _COUNTED:
        wrong = ("truth", "record") if function == "+" else ("truth", "record", "text")
        for argument, kind in zip(arguments, kinds, strict=True):
            _demand(argument, kind, wrong, "a number")
        return "number" if all(kind == "number" for kind in kinds) else ANY
    if function == "if":
        return kinds[1] if kinds[1] == kinds[2] else ANY
    if function in ("min", "max", "coalesce"):
        return kinds[0] if len(set(kinds)) == 1 else ANY
    return _GIVEN.get(function) or _MADE.get(function) or ANY


def _demand(argument: Expr, kind: Kind, wrong: Sequence[Kind], wanted: str) -> None:
    if kind in wrong:
        raise KindsDisagreeError(f"`{shown_term(argument)}` is of kind {kind}, and {wanted} is needed")


def function_kind(function: Function, inputs: Sequence[Kind]) -> Kind:
    """Return the kind of what a function gives."""
    return ANY if function.term is None else kind_of(function.term, inputs)


Given: TypeAlias = Callable[[Some, Kinds], Sequence[Kind]]
_giving: Final[dict[type[Operation], Given[Operation]]] = {}


def gives_kinds(kind: type[Some]) -> Callable[[Given[Some]], Given[Some]]:
    """Say of which kinds the outputs of an operation are: a function of itself and of the kinds of its inputs."""

    def known(given: Given[Some]) -> Given[Some]:
        _giving[kind] = given  # type: ignore[assignment]  # it is asked for operations of its kind only
        return given

    return known


def outputs_kinds(operation: Operation, inputs: Kinds) -> Kinds:
    """Return the kinds of the outputs of an operation, or raise where it cannot have such inputs."""
    given = _giving.get(type(operation))
    return (ANY,) * operation.outputs if given is None else tuple(given(operation, inputs))


def wire_kinds(graph: Graph, inputs: Sequence[Kind]) -> dict[Wire, Kind]:
    """Return the kinds of all wires, or raise `KindsDisagreeError` with the operation where they cannot agree."""
    kinds = {Wire(INPUT, place): kind for place, kind in enumerate(inputs)}
    for place, node in enumerate(graph.nodes):
        taken = tuple(kinds[wire] for wire in node.inputs)
        try:
            given = outputs_kinds(node.operation, taken)
        except KindsDisagreeError as error:
            raise KindsDisagreeError(str(error), node.operation) from None
        kinds |= {Wire(place, output): kind for output, kind in enumerate(given)}
    return kinds


def kinds_of(processor: Processor) -> Mapping[Wire, Kind]:
    """Return the kinds of all wires of a processor whose inputs are of any kind."""
    return wire_kinds(laid_out(processor), [ANY] * processor.inputs)


def _same(*kinds: type[Operation]) -> None:
    for kind in kinds:
        gives_kinds(kind)(lambda operation, inputs: inputs[: operation.outputs])


_same(op.Passthrough, op.Decimate, op.Freeze, op.Trim, op.Prefix, op.Stutter, op.KeepLast)


@gives_kinds(op.Source)
def _source(operation: op.Source, inputs: Kinds) -> Kinds:
    return (operation.kind,)


@gives_kinds(Apply)
def _apply(operation: Apply, inputs: Kinds) -> Kinds:
    return tuple(function_kind(function, inputs) for function in operation.functions)


@gives_kinds(op.TurnInto)
def _turn_into(operation: op.TurnInto, inputs: Kinds) -> Kinds:
    return (kind_of_value(operation.value),)


@gives_kinds(op.Fork)
def _fork(operation: op.Fork, inputs: Kinds) -> Kinds:
    return inputs * operation.count


@gives_kinds(op.Insert)
def _insert(operation: op.Insert, inputs: Kinds) -> Kinds:
    return (inputs[0] if kind_of_value(operation.value) == inputs[0] else ANY,)


@gives_kinds(op.Cumulate)
def _cumulate(operation: op.Cumulate, inputs: Kinds) -> Kinds:
    before = ANY if operation.known in ("min", "max") else kind_of_value(operation.initial)
    if operation.function.term is None:
        return (ANY,)
    return (function_kind(operation.function, (before, inputs[0])),)


@gives_kinds(op.Where)
def _where(operation: op.Where, inputs: Kinds) -> Kinds:
    demand_truth(function_kind(operation.function, inputs), repr(operation.function))
    return inputs


@gives_kinds(op.Filter)
def _filter(operation: op.Filter, inputs: Kinds) -> Kinds:
    demand_truth(inputs[-1], "the last input")
    return inputs[:-1]


@gives_kinds(op.Choose)
def _choose(operation: op.Choose, inputs: Kinds) -> Kinds:
    demand_truth(inputs[0], "the first input")
    return (inputs[1] if inputs[1] == inputs[2] else ANY,)


@gives_kinds(op.Collate)
def _collate(operation: op.Collate, inputs: Kinds) -> Kinds:
    return ("record" if operation.names else "list",)


@gives_kinds(op.Slice)
def _slice(operation: op.Slice, inputs: Kinds) -> Kinds:
    wire_kinds(laid_out(operation.body), inputs)
    return ("record" if operation.gather == "map" else "set",)


@gives_kinds(op.Window)
def _window(operation: op.Window, inputs: Kinds) -> Kinds:
    graph = laid_out(operation.body)
    return (wire_kinds(graph, inputs)[graph.outputs[0]],)


@gives_kinds(op.Pack)
def _pack(operation: op.Pack, inputs: Kinds) -> Kinds:
    demand_truth(inputs[1], "the second input")
    return ("list",)


def demand_truth(kind: Kind, what: str) -> None:
    """Refuse what is certainly no truth."""
    if kind not in ("truth", ANY) and kind in KINDS:
        raise KindsDisagreeError(f"{what} is of kind {kind}, and a truth is needed")
