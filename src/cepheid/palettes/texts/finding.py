r"""Regular expressions in a text that comes in pieces.

    find(r"\d+")        over   "a1"  "23 "  "4"        gives   "123"  "4"

What is found is what RE2 finds in all pieces together, with one exception that reading on cannot avoid: a match that
ends before the end of what came so far is told, though more text might have made it longer. A match that ends right
there waits. RE2 takes time that grows with the text only, whatever the expression.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from cepheid.algebra.graphs.meaning import Trace, World, ends, means
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.running import Around, Column, Outputs, Stepwise, runs
from cepheid.analysis.graphs.costs import ANY, Cost, costs
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.palettes.files import LONGEST_LINE


@dataclass(frozen=True, slots=True, eq=False)
class Find(Operation):
    pattern: str


def find(pattern: str) -> Processor:
    """The matches of a regular expression in the text that the pieces make together; its group where it has one."""
    compiled(pattern)
    return Atom(Find(pattern))


@cache
def compiled(pattern: str) -> Any:  # re2 has no types
    """Return an expression that RE2 understands, or refuse it."""
    import re2  # which not everybody who loads this palette needs

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        told = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
        hint = "write it without references back and without looking around"
        raise refusal(f"`{pattern}` is no regular expression of RE2: {told}", hint) from None


def told_by(pattern: str, text: str, done: int, has_ended: bool) -> tuple[list[str | None], int]:
    """Return what is found from a place on for good, and the place up to which the text is done with."""
    found: list[str | None] = []
    for match in compiled(pattern).finditer(text, done):
        if match.end() == len(text) and not has_ended:
            break
        if match.end() > match.start():
            found.append(match.group(1 if match.re.groups else 0))
            done = match.end()
    return found, done


@means(Find)
def _find(operation: Find, inputs: Sequence[Trace], world: World) -> list[Trace]:
    outputs, text, done = list[Thing](), "", 0
    for piece in inputs[0].values:
        text += piece if isinstance(piece, str) else ""
        found, done = told_by(operation.pattern, text, done, has_ended=False)
        outputs += found
    if inputs[0].has_ended:
        outputs += told_by(operation.pattern, text, done, has_ended=True)[0]
    return [Trace(outputs, ends(inputs))]


@runs(Find)
class RunningFind(Stepwise):
    """The text after the last match, with one character before it: an expression may look at that."""

    kept = ("text", "done")

    def __init__(self, operation: Find, around: Around) -> None:
        self.pattern, self.text, self.done = operation.pattern, "", 0

    def step(self, *front: Thing) -> Column:
        if isinstance(front[0], str):
            self.text += front[0]
        if len(self.text) > LONGEST_LINE:
            message = f"`{self.pattern}` was not found in {LONGEST_LINE:,} characters"
            raise CepheidError(Diagnostic("line-too-long", message, hints=("look for it in each line on its own",)))
        found, done = told_by(self.pattern, self.text, self.done, has_ended=False)
        if done > self.done:
            self.text, self.done = self.text[done - 1 :], 1
        return list(found)

    def end(self) -> Outputs:
        return list(told_by(self.pattern, self.text, self.done, has_ended=True)[0])


costs(Find)(lambda operation, bodies: Cost(ANY, 2))
