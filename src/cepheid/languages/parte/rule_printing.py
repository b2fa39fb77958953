"""Rules as they are written: what is there first, then what is collected and what is absent."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cepheid.algebra.expressions import Aggregate, Call, Expr, Literal, Lookup, Moment, conjuncts
from cepheid.algebra.patterns import Atom, Collect, Instant, Join, Pattern, Restrict, Unless
from cepheid.algebra.policies import ALL
from cepheid.algebra.programs import HULL, Rule
from cepheid.algebra.relations import Difference, end, start
from cepheid.analysis.plans.retention import parts_read
from cepheid.events import Duration, format_time
from cepheid.languages.parte.variables import TIMESTAMP, TOTAL
from cepheid.languages.parte.windows import shown_window
from cepheid.languages.shared.names import OPERATOR_WORDS, shown_name
from cepheid.languages.shared.term_printing import Refuse, TermPrinter

_WIDTH: Final = 100
_ENTRIES: Final = 80
_SIGNS: Final = {"==": "="}
_DECLARING: Final = ("template", "rule", "source", "table", "predicate", "pattern", "use", "tick")
_INSIDE: Final = ("where", "when", "emit", "at", "with", "no", "of", "every", "daily", "weekly")
_ABOUT_SOURCES: Final = ("sources", "from", "per", "disorder", "keys", "gives")
_WORDS: Final = OPERATOR_WORDS | frozenset([*_DECLARING, *_INSIDE, *_ABOUT_SOURCES])


def shown_word(name: str) -> str:
    """Return a name as it is written anywhere, in backticks where it could be taken for a word of the language."""
    return shown_name(name, _WORDS)


def is_report(rule: Rule) -> bool:
    """Say whether a rule has no reaction: its matches are told as they are."""
    return (rule.start, rule.end) == (Moment(start(HULL)), Moment(end(HULL))) and not rule.fields


def is_action(rule: Rule) -> bool:
    """Say whether a rule calls something instead of emitting an event."""
    return rule.start == rule.end == Moment(end(HULL))


@dataclass(frozen=True, slots=True)
class RulePrinter:
    """Writes rules."""

    refuse: Refuse

    def rule(self, name: str, rules: Sequence[Rule]) -> str:
        """Return rules with one pattern, which are the reactions of one rule."""
        if any(rule.per for rule in rules):
            raise self.refuse("a key for the whole rule")
        patterns, lines = self._pattern(rules[0].pattern)
        reactions = [self._reaction(rule) for rule in rules if not is_report(rule)]
        when = ["when", *lines] if lines else []
        return "\n".join([f"rule {shown_word(name)} where", *patterns, *when, "then", *reactions])

    def _pattern(self, pattern: Pattern) -> tuple[list[str], list[str]]:
        """Return the patterns and the windows of a rule."""
        match pattern:
            case Unless(below, Atom() as absent, relation, equal, where):
                patterns, lines = self._pattern(below)
                own = [*conjuncts(absent.where), *_equations(equal), *conjuncts(where)]
                written = f"no {self._event(absent)}{self._braces(own, absent.name)}"
                return [*patterns, f"  {written}"], [*lines, *(f"  no {self._window(one)}" for one in relation)]
            case Restrict(Collect() as collect, (), where):
                patterns, lines = self._pattern(collect.anchor)
                return [*patterns, self._aggregate(collect, conjuncts(where))], lines
            case Collect():
                patterns, lines = self._pattern(pattern.anchor)
                return [*patterns, self._aggregate(pattern, ())], lines
            case Restrict(Instant() as instant, (), where):
                return self._parts((instant,), conjuncts(where)), []
            case Join(parts, relation, equal, None, policy, where) if policy == ALL:
                conditions = (*_equations(equal), *conjuncts(where))
                return self._parts(parts, conditions), [f"  {self._window(one)}" for one in relation]
            case _:
                return self._parts((pattern,), ()), []

    def _parts(self, parts: Sequence[Pattern], conditions: Sequence[Expr]) -> list[str]:
        """Return what is in every match, with each condition at the part that is the last one it reads."""
        names = [part.name for part in parts if isinstance(part, Atom | Instant)]
        at: dict[int, list[Expr]] = {}
        for one in conditions:
            place = max((names.index(name) for name in parts_read((one,)) if name in names), default=0)
            at.setdefault(place, []).append(one)
        return [self._part(part, at.get(place, [])) for place, part in enumerate(parts)]

    def _part(self, part: Pattern, conditions: Sequence[Expr]) -> str:
        match part:
            case Atom(name, where=where):
                return f"  {self._event(part)}{self._braces([*conjuncts(where), *conditions], name)}"
            case Instant(name, schedule):
                return f"  {shown_word(name)} : {self._schedule(schedule)}{self._braces(conditions, name)}"
            case _:
                raise self.refuse(f"a pattern of the kind `{type(part).__name__}`")

    def _event(self, atom: Atom) -> str:
        if len(atom.types) != 1:
            raise self.refuse(f"an event of {len(atom.types) or 'any'} types")
        [event_type] = atom.types
        return f"{shown_word(atom.name)} : {shown_word(event_type)}"

    def _schedule(self, schedule: Expr) -> str:
        match schedule:
            case Call("at", (Literal(int() as time),)):
                return f"at {format_time(time)}"
            case Call("every", (Literal(int() as period), Literal(0))):
                return f"every {Duration(period)}"
            case Call("daily", (Literal(str() as clock), Literal(str() as zone))):
                return f"daily {clock} {zone}"
            case Call("weekly", (Literal(str() as day), Literal(str() as clock), Literal(str() as zone))):
                return f"weekly {day} {clock} {zone}"
            case _:
                raise self.refuse("points of time of another kind")

    def _aggregate(self, collect: Collect, above: Sequence[Expr]) -> str:
        match collect:
            case Collect(name, item=Atom() as item, relation=(away,), equal=equal, where=where, folds=folds):
                fold = folds.get(TOTAL)
                if len(folds) == 1 and isinstance(fold, Aggregate):
                    printer = self._terms(item.name)
                    argument = "" if fold.argument is None else printer.shown(fold.argument)
                    conditions = [*conjuncts(item.where), *_equations(equal), *conjuncts(where)]
                    head = f"  {shown_word(name)} : {fold.function}({argument}) of {self._event(item)}"
                    items = f"{head}{self._braces(conditions, item.name)}"
                    window = f"in {self._anchored(away)}{self._braces(above, None)}"
                    return f"{items}\n    {window}" if len(items) + len(window) > _WIDTH else f"{items} {window}"
        raise self.refuse("a collection of another kind")

    def _braces(self, conditions: Sequence[Expr], own: str | None) -> str:
        written = [self._terms(own).shown(one) for one in conditions]
        return braced(written, "  ") if written else ""

    def _window(self, difference: Difference) -> str:
        later, earlier = difference.later, difference.earlier
        if later != end(later.part) or earlier != end(earlier.part):
            raise self.refuse("a distance that is not between the times of two events")
        return f"{shown_word(later.part)} in {self._anchored(difference)}"

    def _anchored(self, difference: Difference) -> str:
        return f"{shown_word(difference.earlier.part)} {shown_window(difference.low, difference.high)}"

    def _reaction(self, rule: Rule) -> str:
        values = self._terms(None)
        if is_action(rule):
            return f"  {shown_word(rule.emits)}({', '.join(map(values.shown, rule.fields.values()))})"
        if rule.start != rule.end:
            raise self.refuse("an event that lasts")
        fields = [f"{shown_word(name)} = {values.shown(value)}" for name, value in rule.fields.items()]
        return f"  emit {shown_word(rule.emits)} at {self._time(rule.end)} with{braced(fields, '  ')}"

    def _time(self, expression: Expr) -> str:
        """Return the time of an event; averages are always taken in whole ticks, so that is not written."""
        match expression:
            case Call("floor", (inner,)):
                return self._time(inner)
            case _:
                return TermPrinter(self.refuse, None, _SIGNS, _leaf_of_time).shown(expression)

    def _terms(self, own: str | None) -> TermPrinter:
        return TermPrinter(self.refuse, own, _SIGNS, _leaf)


def _leaf(expression: Expr, printer: TermPrinter) -> str | None:
    """Write what only PARTElang writes so: times and what is looked up."""
    match expression:
        case Moment(endpoint) if endpoint == end(endpoint.part):
            return TIMESTAMP if endpoint.part == printer.own else f"{shown_name(endpoint.part)}.{TIMESTAMP}"
        case Lookup(table, keys, column):
            name = shown_name(table) if column is None else f"{shown_name(table)}.{shown_name(column)}"
            return f"{name}({', '.join(map(printer.shown, keys))})"
        case _:
            return None


def _leaf_of_time(expression: Expr, printer: TermPrinter) -> str | None:
    """Write lengths of time with their unit, where times are moved by them."""
    match expression:
        case Literal(int() as ticks) if not isinstance(ticks, bool):
            return str(Duration(ticks))
        case _:
            return _leaf(expression, printer)


def _equations(equal: Iterable[tuple[Expr, Expr]]) -> Iterator[Expr]:
    return (Call("==", pair) for pair in equal)


def braced(entries: Sequence[str], margin: str = "") -> str:
    """Return entries in braces, on one line where they fit."""
    line = f" {{ {', '.join(entries)} }}" if entries else " {}"
    if len(line) <= _ENTRIES:
        return line
    rows = "".join(f"{margin}  {entry},\n" for entry in entries)
    return f" {{\n{rows}{margin}}}"
