"""Uses of definitions replaced by what they stand for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from cepheid.diagnostics import CepheidError, Span
from cepheid.languages.esql.grammars.forest import MOST_LEVELS
from cepheid.languages.esql.grammars.syntax import Definition, Form, Hole, Part
from cepheid.languages.shared.depth import too_deep
from cepheid.languages.shared.findings import head, refusal

__all__ = ["MOST_FORMS", "expanded"]

MOST_FORMS: Final = 10_000
"""So many forms a query may have when all definitions are written out."""


def expanded(part: Part, definitions: Mapping[str, Definition]) -> Part:
    """Return a form without uses of definitions; each form says where the uses were that brought it here."""
    return _Expansion(definitions).of(part, {}, (), 0)


@dataclass(slots=True)
class _Expansion:
    definitions: Mapping[str, Definition]
    forms: int = field(default=0)

    def of(self, part: Part, given: Mapping[str, Part], uses: tuple[Span, ...], level: int) -> Part:
        match part:
            case Form():
                return self._form(part, given, uses, level)
            case tuple():
                found: list[Part] = []
                for inner in part:
                    made = self.of(inner, given, uses, level)
                    found.extend(made) if isinstance(made, tuple) else found.append(made)
                return tuple(found)
            case Hole(name) if name in given:
                return given[name]
            case _:
                return part

    def _form(self, form: Form, given: Mapping[str, Part], uses: tuple[Span, ...], level: int) -> Part:
        self._count(form, uses, level)
        parts = tuple(self.of(inner, given, uses, level + 1) for inner in form.parts)
        definition = self.definitions.get(form.name)
        if definition is None:
            return Form(form.name, form.symbol, parts, form.span, uses)
        inside = uses if form.span is None else (*uses, form.span)
        return self.of(definition.body, dict(zip(definition.parameters, parts, strict=True)), inside, level + 1)

    def _count(self, form: Form, uses: tuple[Span, ...], level: int) -> None:
        self.forms += 1
        place = uses[0] if uses else form.span
        if self.forms > MOST_FORMS and place is not None:
            raise _too_large(place)
        if level > MOST_LEVELS and place is not None:
            raise too_deep(head(place), "write fewer definitions inside each other")


def _too_large(place: Span) -> CepheidError:
    message, label = "the query is too large when its definitions are written out", f"more than {MOST_FORMS} parts"
    return refusal("too-large", message, head(place), label, "use fewer definitions inside each other")
