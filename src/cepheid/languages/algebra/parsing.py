"""The entry point: text in, program out."""

from cepheid.algebra.programs import Program
from cepheid.diagnostics import Source
from cepheid.languages.algebra.declared import POLICIES, checked_policy
from cepheid.languages.algebra.lowering import lower
from cepheid.languages.algebra.reading import read
from cepheid.languages.algebra.streams import check_declarations, policy_of
from cepheid.languages.algebra.syntax import Text
from cepheid.languages.algebra.tree import drawn

SECOND = 1_000_000


def parse(text: str, *, name: str = "<query>", policy: str | None = None, time_unit: int = SECOND) -> Program:
    """Return the program that a text of the algebra means.

    `name` is what errors call the text. `policy` decides over what the text says about it; where neither says
    anything it is `latest-start`. A length without a unit counts `time_unit` ticks.

    >>> program = parse("Alarm = (Button ; Button) within 2 s - (Pressure | Temperature)")
    >>> [rule.emits for rule in program.rules]
    ['Alarm']
    """
    read_text = _read(text, name, time_unit)
    if policy is not None:
        checked_policy(policy, Source("<policy>", policy).span(0, len(policy)))
    return lower(read_text, policy or policy_of(read_text.declarations) or POLICIES[0])


def describe(text: str, *, name: str = "<query>", time_unit: int = SECOND) -> str:
    """Return the parsed text as a tree to look at.

    >>> print(describe("Button ; Button within 2 s"))
    match
    └─ then
       ├─ Button
       └─ within 2 s
          └─ Button
    """
    return drawn(_read(text, name, time_unit))


def _read(text: str, name: str, time_unit: int) -> Text:
    found = read(Source(name, text), time_unit)
    check_declarations(found.declarations)
    return found
