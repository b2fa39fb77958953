"""Laws of the algebra.

`rewrite <law>` applies one law to a pattern, wherever it fits, once from the leaves up; `rewrite all` applies all of
them to the end and tells which. Patterns are in the text form. `bounded_memory` takes an expression of the detection
algebra and shows it with its windows pushed inwards, and how long the right side of each sequence can be.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Join, Pattern
from cepheid.algebra.programs import Program, Rule
from cepheid.algebra.text import show
from cepheid.algebra.traversal import walk
from cepheid.events import Duration
from cepheid.languages import algebra
from cepheid.languages.cep import read_pattern
from cepheid.rewrites import EventLengths, bounded_memory, rewriting
from tests.rewrites.single_law import applied_everywhere

_LASTING = EventLengths({"Visit": None})
"""In these cases, events of the type `Visit` may last; all others are points."""


def rewritten(arguments: str, text: str) -> str:
    if arguments == "all":
        return _fully(text)
    before = read_pattern(text)
    after = applied_everywhere(arguments, before, _LASTING)
    return show(after) if after != before else "unchanged"


def _fully(text: str) -> str:
    [rule] = algebra.parse("A").rules
    done = rewriting(Program((replace(rule, pattern=read_pattern(text)),)))
    laws = [firing.law for firing in done.firings]
    return "\n".join([*laws, show(done.program.rules[0].pattern)])


def with_bounded_memory(arguments: str, text: str) -> str:
    program = algebra.parse(text)
    return "\n".join(line for rule in program.rules for line in _bounded(program, rule))


def _bounded(program: Program, rule: Rule) -> list[str]:
    found = bounded_memory(rule.pattern)
    shown = algebra.show(replace(program, rules=(replace(rule, pattern=found.pattern),)))
    sequences = [node for node in walk(found.pattern) if isinstance(node, Join) and node.relation]
    return [shown, *(f"  {_right_side(node)}" for node in sequences)]


def _right_side(sequence: Join) -> str:
    right: Pattern = sequence.parts[1]
    longest = bounded_memory(right).longest
    place = "" if sequence.span is None else sequence.span.text
    return f"{place}: {'unbounded' if longest is None else f'right side at most {Duration(longest)}'}"
