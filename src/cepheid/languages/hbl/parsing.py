"""The entry point: text in, program out."""

from cepheid.algebra.programs import Program
from cepheid.diagnostics import Diagnostic, Source
from cepheid.languages.hbl.acceptance import reached
from cepheid.languages.hbl.lowering import lower
from cepheid.languages.hbl.reading import read
from cepheid.languages.hbl.syntax import Text, Watchpoint
from cepheid.languages.hbl.tree import drawn
from cepheid.languages.shared.findings import refusal, warning
from cepheid.languages.shared.understood import Understood

SECOND = 1_000_000

__all__ = ["describe", "parse", "remarks", "understood"]


def parse(text: str, *, name: str = "<query>", time_unit: int = SECOND) -> Program:
    """Return the program that a text of HBL means.

    `name` is what errors call the text. A length without a unit counts `time_unit` ticks.

    >>> program = parse("watchpoint slow { window 5 s; main = ask -> answer; }")
    >>> [rule.emits for rule in program.rules]
    ['slow']
    """
    return lower(_read(text, name, time_unit), time_unit)


def describe(text: str, *, name: str = "<query>", time_unit: int = SECOND) -> str:
    """Return the parsed text as a tree to look at.

    >>> print(describe("watchpoint slow { main = ask -> (answer | any[error > 3]); }"))
    watchpoint slow
    └─ main = ask
       ├─ answer
       └─ any[error > 3]
    """
    return drawn(_read(text, name, time_unit))


def remarks(text: str, *, name: str = "<query>", time_unit: int = SECOND) -> tuple[Diagnostic, ...]:
    """Return what is strange about a text that is accepted: equations that nothing goes on with."""
    return understood(text, name=name, time_unit=time_unit).remarks


def understood(text: str, *, name: str = "<query>", time_unit: int = SECOND) -> Understood:
    """Return what a text means and what is remarkable about it, from one reading."""
    found = _read(text, name, time_unit)
    remarkable = (remark for watchpoint in found.watchpoints for remark in _unused(watchpoint))
    return Understood(lower(found, time_unit), tuple(remarkable))


def _read(text: str, name: str, time_unit: int) -> Text:
    found = read(Source(name, text), time_unit)
    if not found.watchpoints:
        end, hint = Source(name, text).end, "write `watchpoint slow { window 5 s; main = ask -> answer; }`"
        raise refusal("incomplete-statement", "there is no watchpoint", end, "nothing to watch for", hint)
    return found


def _unused(watchpoint: Watchpoint) -> list[Diagnostic]:
    used = reached(watchpoint)
    unused = [one for one in watchpoint.equations if one.name.name not in used]
    label, hint = "no step goes on with it", "leave it out, or go on with it after an arrow"
    return [
        warning("unused-definition", f"`{one.name.name}` is never used", one.name.span, label, hint) for one in unused
    ]
