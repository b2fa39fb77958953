"""What names mean in an expression: the inputs of a front, by place and by name, and their attributes."""

from dataclasses import dataclass

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Variable
from cepheid.diagnostics import CepheidError
from cepheid.languages.esql.grammars.syntax import Form
from cepheid.languages.shared.findings import head, listed, refusal

__all__ = ["Scope", "Together"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Inputs of a front, each with the name that AS gives it, if it does."""

    names: tuple[str | None, ...]

    def slot(self, form: Form, name: str) -> Expr:
        """Return an input by its place or its name: `$0`, `$A`."""
        if name in self.names:
            return self.input(self.names.index(name))
        if name.isdecimal() and int(name) < len(self.names):
            return self.input(int(name))
        raise self._unknown(form, name)

    def attribute(self, name: str) -> Expr:
        """Return the attribute of the first input that has it, or an input that has this name itself."""
        if name in self.names and not self.is_of_tuples:
            return self.input(self.names.index(name))
        places = range(len(self.names))
        found = tuple(self.field(place, name) for place in places)
        return found[0] if len(found) == 1 else Call("coalesce", found)

    def qualified(self, source: str, name: str) -> Expr:
        """Return the attribute of one input; where none has this name, of a tuple inside of one."""
        if source in self.names:
            return self.field(self.names.index(source), name)
        return Call("get", (self.attribute(source), Literal(name)))

    @property
    def is_of_tuples(self) -> bool:
        """Whether the name of an input is only said before a point, as in `t.price`."""
        return False

    def input(self, place: int) -> Expr:
        return Variable(f"${place}")

    def field(self, place: int, name: str) -> Expr:
        return Field(f"${place}", name)

    def _unknown(self, form: Form, name: str) -> CepheidError:
        named = [name for name in self.names if name is not None]
        known = [f"${one}" for one in (*named, *range(len(self.names)))]
        message, hint = f"no input is called `${name}`", f"here are {listed(known)}"
        assert form.span is not None
        return refusal("unknown-part", message, head(form.span), "not one of the inputs", hint)


@dataclass(frozen=True, slots=True)
class Together(Scope):
    """Tuples of several sources, in one list per front, as FROM puts them; of one source, the tuple itself."""

    @property
    def is_of_tuples(self) -> bool:
        return True

    def input(self, place: int) -> Expr:
        whole: Expr = Variable("$0")
        return whole if len(self.names) == 1 else Call("get", (whole, Literal(place)))

    def field(self, place: int, name: str) -> Expr:
        if len(self.names) == 1:
            return Field("$0", name)
        return Call("get", (self.input(place), Literal(name)))
