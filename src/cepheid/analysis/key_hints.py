"""The hint to declare how many keys a stream has: as it is typed in the text form, and taken apart for languages."""

import re
from dataclasses import dataclass, replace
from typing import Final

from cepheid.algebra.programs import Program, Stream
from cepheid.algebra.text import show

_HINT: Final = re.compile(
    r"say how many there are: `stream (?P<name>.+?)(?P<clauses>( (rate|disorder|sources) .*)?) keys 1000`"
)


def declare_keys(program: Program, name: str) -> str:
    """Return how to say that a stream has so many keys, beside all that is said about it already."""
    known = next((stream for stream in program.streams if stream.name == name), Stream(name))
    return f"say how many there are: `{show(replace(known, keys=1000))}`"


@dataclass(frozen=True, slots=True)
class DeclaredKeys:
    """A stream, and what is declared about it already, in the text form."""

    name: str
    clauses: str

    @classmethod
    def of(cls, hint: str) -> "DeclaredKeys | None":
        """Return what a hint says about the keys of a stream, None if it says something else.

        >>> DeclaredKeys.of("say how many there are: `stream stock rate 5 per 1 s keys 1000`")
        DeclaredKeys(name='stock', clauses=' rate 5 per 1 s')
        """
        found = _HINT.fullmatch(hint)
        return None if found is None else cls(found["name"], found["clauses"])
