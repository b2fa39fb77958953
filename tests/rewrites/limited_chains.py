"""Random chains whose steps say until when they wait, in one of the many ways to say so."""

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Moment, Variable
from cepheid.algebra.patterns import Atom, Chain, Step
from cepheid.algebra.relations import Axis, end, length
from cepheid.testing.cases import Draw

AXES = {"q": Axis.TIME, "p": Axis.POSITION}


def limited_chain(draw: Draw) -> Chain:
    """Return a chain of two or three steps, often with a loop, in which limits mostly stand on all ways."""
    names = ("one", "two", "end") if draw.chance(70) else ("one", "end")
    steps = {name: _step(draw, name, names) for name in names}
    window = (length("$first", "$last", draw.integer(1, 6)),) if draw.chance(15) else ()
    return Chain(steps, "one", {}, window, reads_support=draw.chance(60), observed=draw.pick([None, (), ("q",)]))


def _step(draw: Draw, name: str, names: tuple[str, ...]) -> Step:
    where = None if name == "one" and draw.chance(80) else _where(draw, name)
    lets = {variable: Moment(end(name, axis)) for variable, axis in AXES.items()}
    if name != "one":
        lets = {variable: value for variable, value in lets.items() if draw.chance(20)}
    avoid = Atom("avoided", frozenset("C")) if draw.chance(20) else None
    return Step(Atom(name, frozenset(draw.some(("A", "B", "C"), 0, 2)), where), lets, avoid, _follow(draw, name, names))


def _follow(draw: Draw, name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    if name == "end":
        return ()
    if name == "two" and draw.chance(50):
        return ("two", "end")
    later = names[names.index(name) + 1 :]
    if name == "one" and draw.chance(15):
        return ("one", *later)
    return later if draw.chance(50) else later[:1]


def _where(draw: Draw, name: str) -> Expr | None:
    kind = draw.weighted({"limit": 6, "both": 2, "either": 2, "not both": 1, "none": 1})
    if kind == "none":
        return Call("<=", (Field(name, "value"), Literal(3)))
    one, other = _limit(draw, name), _limit(draw, name)
    match kind:
        case "both":
            return Call("and", (one, Call(">=", (Field(name, "value"), Literal(1)))))
        case "either":
            return Call("or", (one, other))
        case "not both":
            return Call("not", (Call("or", (_late(draw, name), Call("==", (Field(name, "value"), Literal(2))))),))
        case _:
            return one


def _limit(draw: Draw, name: str) -> Expr:
    now, variable, far = _read(draw, name)
    ways = (
        Call("<=", (now, Call("+", (variable, far)))),
        Call("<", (now, Call("+", (far, variable)))),
        Call(">=", (Call("+", (variable, far)), now)),
        Call("<=", (Call("-", (now, variable)), far)),
        Call("<=", (Call("*", (Literal(2), Call("-", (now, variable)))), far)),
        Call(">", (variable, Call("-", (now, far)))),
        Call("==", (now, Call("+", (variable, far)))),
        Call("not", (_late(draw, name),)),
        Call("not", (Call("coalesce", (_late(draw, name), Literal(False))),)),
    )
    return draw.pick(list(ways))


def _late(draw: Draw, name: str) -> Expr:
    now, variable, far = _read(draw, name)
    return Call(">", (now, Call("+", (variable, far))))


def _read(draw: Draw, name: str) -> tuple[Expr, Expr, Expr]:
    variable = draw.pick(["q", "q", "p"])
    return Moment(end(name, AXES[variable])), Variable(variable), Literal(draw.integer(0, 4))
