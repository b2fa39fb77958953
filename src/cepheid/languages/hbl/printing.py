"""Programs as texts of HBL: what is printed is read as the same program, or it is refused."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from cepheid.algebra.expressions import Expr, Field, Moment
from cepheid.algebra.patterns import Atom, Chain, Step
from cepheid.algebra.programs import EVENT, HULL, Program, Rule, Stream, Ties
from cepheid.algebra.relations import Axis, end, start
from cepheid.diagnostics import CepheidError
from cepheid.events import Duration
from cepheid.languages.hbl.kinds import Kind
from cepheid.languages.hbl.mistakes import RESERVED
from cepheid.languages.hbl.parsing import SECOND, parse
from cepheid.languages.hbl.printed_kinds import terms_of
from cepheid.languages.hbl.term_printing import Terms
from cepheid.languages.shared.expressible import not_expressible
from cepheid.languages.shared.names import shown_name

_NUMBERED: Final = re.compile(r"(.+)\.(\d+)", re.DOTALL)


def show(program: Program) -> str:
    """Return a text that means this program, or raise where the language cannot say it.

    >>> print(show(parse("watchpoint slow { window 5 s; main = ask letting n = id -> answer[id == n]; }")))
    watchpoint slow {
        window 5 s;
        main = ask letting n = id -> answer[id == n];
        alert { n = n };
    }
    """
    if program.tables or program.pipes:
        raise not_expressible("hbl", "tables or pipes")
    declared = [*_clock(program), *map(_stream, program.streams)]
    for inline in (True, False):  # equations as they were written if there were some, else one for every step
        text = "\n\n".join(filter(None, ["\n".join(declared), *(_watchpoint(rule, inline) for rule in program.rules)]))
        if _means(text, program):
            return text
    raise not_expressible("hbl", "something that no watchpoint says")


def _means(text: str, program: Program) -> bool:
    try:
        return parse(text) == program
    except CepheidError:
        return False


def _clock(program: Program) -> Iterator[str]:
    if program.tick != 1:
        yield f"tick {Duration(program.tick)};"
    if program.ties is not Ties.ARRIVAL:
        yield f"ties {program.ties.value};"


def _stream(stream: Stream) -> str:
    clauses = [f"stream {shown_name(stream.name, RESERVED)}"]
    if stream.arrival is not None:
        clauses.append(
            f"rate {stream.arrival.count} per {Duration(stream.arrival.per)}" + " spaced" * stream.arrival.spaced
        )
    if stream.disorder:
        clauses.append(f"disorder {Duration(stream.disorder)}")
    if stream.keys is not None:
        clauses.append(f"keys {stream.keys}")
    return " ".join(clauses) + ";"


def _watchpoint(rule: Rule, inline: bool) -> str:
    chain = rule.pattern
    if not isinstance(chain, Chain):
        raise not_expressible("hbl", f"the rule `{rule.name}`, which is no chain")
    if (rule.start, rule.end) != (Moment(start(HULL)), Moment(end(HULL))):
        raise not_expressible("hbl", f"the rule `{rule.name}` with times of its own")
    printer = _Printer(_as_written(chain), terms_of(chain, rule.fields.values(), SECOND), inline)
    rows = [*printer.statements(), _alert(rule, chain, printer.terms)]
    by = [_key(key) for key in rule.per]
    head = f"watchpoint {shown_name(rule.name, RESERVED)}" + (f" by {', '.join(by)}" if by else "")
    return "\n".join([f"{head} {{", *(f"    {row}" for row in rows), "}"])


def _key(key: Expr) -> str:
    if isinstance(key, Field) and key.part == EVENT:
        return shown_name(key.name, RESERVED)
    raise not_expressible("hbl", "a key that is computed")


def _alert(rule: Rule, chain: Chain, terms: Terms) -> str:
    said = [f"{shown_name(name, RESERVED)} = {terms.told(value)}" for name, value in rule.fields.items()]
    said += ["evidence = records"] * chain.reads_support
    return f"alert {{ {', '.join(said)} }};" if said else "alert { };"


def _as_written(chain: Chain) -> Chain:
    """Return a chain without what its steps note for the alert, which is read off the alert again."""
    steps = {name: replace(step, lets=_own(step.lets)) for name, step in chain.steps.items()}
    main = chain.first.removesuffix(".0")
    if main != chain.first and main in steps:
        del steps[chain.first]
    return replace(chain, steps=steps, first=main)


def _own(lets: Mapping[str, Expr]) -> dict[str, Expr]:
    return {name: value for name, value in lets.items() if not name.startswith(("first.", "last."))}


@dataclass(frozen=True, slots=True)
class _Printer:
    chain: Chain
    terms: Terms
    inline: bool

    def statements(self) -> Iterator[str]:
        for difference in self.chain.window:
            in_records = difference.later.axis is Axis.POSITION
            longest = difference.high or 0
            yield f"window {longest + 1} records;" if in_records else f"window {Duration(longest)};"
        if self.chain.initially:
            yield f"initially {self._settings(self.chain.initially)};"
        first = {self.chain.first: self.chain.steps[self.chain.first]}
        for name in {**first, **self.chain.steps}:
            if not self._is_inside(name):
                yield f"{shown_name(name, RESERVED)} = {self._sequence(name)};"

    def _is_inside(self, name: str) -> bool:
        """Say whether a step stands inside the equation that it is numbered in."""
        numbered = _NUMBERED.fullmatch(name)
        return self.inline and numbered is not None and numbered[1] in self.chain.steps

    def _sequence(self, name: str) -> str:
        step = self.chain.steps[name]
        lead = self._single(step.lead, step)
        if not step.follow:
            return lead
        follow = [self._sequence(one) if self._is_inside(one) else shown_name(one, RESERVED) for one in step.follow]
        arrow = "->" if step.avoid is None else f"~> avoid({self._single(step.avoid)}) ~>"
        after = follow[0] if len(follow) == 1 else f"({' | '.join(follow)})"
        return f"{lead} {arrow} {after}"

    def _single(self, atom: Atom, step: Step | None = None) -> str:
        types = sorted(atom.types)
        clear = len(types) == 1 and types[0] not in self.chain.steps
        record = shown_name(types[0], RESERVED) if clear else self._set(types)
        where = "" if atom.where is None else f"[{self.terms.shown(atom.where)}]"
        lets = f" letting {self._settings(step.lets)}" if step is not None and step.lets else ""
        return f"{record}{where}{lets}"

    @staticmethod
    def _set(types: list[str]) -> str:
        return f"{{{', '.join(shown_name(one, RESERVED) for one in types)}}}" if types else "any"

    def _settings(self, settings: Mapping[str, Expr]) -> str:
        return ", ".join(f"{shown_name(name, RESERVED)} = {self._value(name, one)}" for name, one in settings.items())

    def _value(self, name: str, value: Expr) -> str:
        return self.terms.setting(value, self.terms.kinds.get(name, Kind.PLAIN))
