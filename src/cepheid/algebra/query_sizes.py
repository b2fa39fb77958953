"""How large a query may be: what can be told about it takes time that grows faster than it does, so there is a limit.

What stands in several places is counted as often, but looked at once: a name for two of another name, and so on, makes
a query of millions of parts out of a few lines.
"""

from dataclasses import is_dataclass

from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.programs import Program, Rule
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import children
from cepheid.diagnostics import CepheidError, Diagnostic, Label, Span

MOST_RULES = 500
MOST_PARTS = 200
MOST_TERMS = 20_000
_HINT = "let an inner part emit events, and let another rule read them"


def check_sizes(program: Program) -> None:
    """Refuse a program with too many rules, or with one that is too large."""
    if len(program.rules) > MOST_RULES:
        message = f"there are {len(program.rules):,} rules, and {MOST_RULES} are the most"
        raise too_large(message, program.rules[MOST_RULES].pattern.span, "make several queries of it")
    for rule in program.rules:
        check_rule_size(rule)


def check_rule_size(rule: Rule) -> None:
    """Refuse a rule with too many parts, or whose conditions have too many terms."""
    parts, terms = _counted(rule)
    if parts > MOST_PARTS:
        raise too_large(f"`{rule.name}` has {parts:,} parts, and {MOST_PARTS} are the most", rule.pattern.span)
    if terms > MOST_TERMS:
        message = f"the conditions of `{rule.name}` have {terms:,} terms, and {MOST_TERMS:,} are the most"
        raise too_large(message, rule.pattern.span)


def check_term_size(expression: Expr) -> None:
    """Refuse an expression that is too large for any rule, before others are made of it."""
    count = _terms(expression)
    if count > MOST_TERMS:
        raise too_large(f"this expression has {count:,} terms, and {MOST_TERMS:,} are the most", None)


@ByIdentity
def _terms(expression: object) -> int:
    """Return how many nodes an expression has; those of which that is known are not looked into."""
    count, ahead = 1, list(children(expression))
    while ahead:
        node = ahead.pop()
        known = _terms.kept.get(id(node))
        count += int(is_dataclass(node)) if known is None else known[1]
        ahead += children(node) if known is None else ()
    return count


def too_large(message: str, span: Span | None, hint: str = _HINT) -> CepheidError:
    """Return the error for a query that is too large; `span` is where it is."""
    label = () if span is None else (Label(Span(span.source, span.start, span.start + len(_first_line(span)))),)
    return CepheidError(Diagnostic("too-large", message, label, hints=(hint,)))


def _first_line(span: Span) -> str:
    return span.text.split("\n")[0]


def _counted(root: object) -> tuple[int, int]:
    """Return how many patterns there are in and below a node, and how many nodes at all."""
    known: dict[int, tuple[int, int]] = {}
    ahead = [root]
    while ahead:
        node = ahead[-1]
        below = children(node)
        missing = {id(child): child for child in below if id(child) not in known}
        if missing:
            ahead += missing.values()
            continue
        ahead.pop()
        counts = [known[id(child)] for child in below]
        own = (int(isinstance(node, Pattern)), int(is_dataclass(node)))
        known[id(node)] = (own[0] + sum(one for one, _ in counts), own[1] + sum(two for _, two in counts))
    return known[id(root)]
