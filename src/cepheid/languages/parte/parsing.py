"""The entry point: text in, program out."""

from collections.abc import Mapping

from cepheid.algebra.programs import Program
from cepheid.diagnostics import Diagnostic, Source
from cepheid.events import SlotKind, Templates
from cepheid.languages.parte.definitions import Definitions, definitions_of
from cepheid.languages.parte.kinds import declared_kind
from cepheid.languages.parte.loading import statements_of
from cepheid.languages.parte.lowering import lower
from cepheid.languages.parte.reading import read
from cepheid.languages.parte.syntax import Slot
from cepheid.languages.parte.tables import Rows
from cepheid.languages.parte.tree import drawn
from cepheid.languages.shared.files import Resolve
from cepheid.languages.shared.understood import Understood


def parse(
    text: str,
    *,
    name: str = "<query>",
    tables: Mapping[str, Rows] | None = None,
    resolve: Resolve | None = None,
) -> Program:
    """Return the program that a text of PARTElang means.

    `name` is what errors call the text. `tables` gives rows to the tables that the text declares. `resolve` returns the
    text of a file that is named after `use` or `from`.

    >>> program = parse('''
    ...     template Transfer { account : AccountId }
    ...     template Closed { account : AccountId }
    ...     rule ClosedAfterTransfer where
    ...       t : Transfer
    ...       c : Closed { account = t.account }
    ...     when c in t [0 days, 1 day]
    ...     then emit Flag at c.timestamp with { account = t.account }
    ...     template Flag { account : AccountId }
    ... ''')
    >>> [(rule.name, rule.emits) for rule in program.rules]
    [('ClosedAfterTransfer', 'Flag')]
    """
    return understood(text, name=name, tables=tables, resolve=resolve).program


def remarks(
    text: str,
    *,
    name: str = "<query>",
    tables: Mapping[str, Rows] | None = None,
    resolve: Resolve | None = None,
) -> tuple[Diagnostic, ...]:
    """Return the warnings about a text that is no mistake: what it says is possible, but hardly meant."""
    return understood(text, name=name, tables=tables, resolve=resolve).remarks


def understood(
    text: str,
    *,
    name: str = "<query>",
    tables: Mapping[str, Rows] | None = None,
    resolve: Resolve | None = None,
) -> Understood:
    """Return what a text means and what is remarkable about it, from one reading."""
    return Understood(*lower(_definitions(Source(name, text), resolve), tables or {}, resolve))


def templates(text: str, *, name: str = "<query>", resolve: Resolve | None = None) -> Templates:
    """Return the templates that a text declares, which its input must be of.

    >>> templates("template A { id : Integer } rule Found where a : A then").slots
    {'A': {'id': SlotKind(name='Integer', entries=None)}}
    """
    definitions = _definitions(Source(name, text), resolve)
    return Templates(
        {
            one.name.name: {slot.name.name: _slot_kind(slot) for slot in one.slots}
            for one in definitions.templates.values()
        }
    )


def _slot_kind(slot: Slot) -> SlotKind:
    kind = declared_kind(slot.type)
    return SlotKind(kind.name, kind.size)


def describe(text: str, *, name: str = "<query>") -> str:
    """Return the parsed text as a tree to look at.

    >>> print(describe('''template A { id : Integer }
    ... rule Found where a : A { id > 3 } when then emit B at a.timestamp with { id = a.id }'''))
    template A
    └─ id : Integer
    rule Found
    ├─ where
    │  └─ a : A
    │     └─ id > 3
    └─ then
       └─ emit B at a.timestamp
          └─ id = a.id
    """
    return drawn(read(Source(name, text)))


def _definitions(source: Source, resolve: Resolve | None) -> Definitions:
    return definitions_of(statements_of(read(source), resolve), source)
