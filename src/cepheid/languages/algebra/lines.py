"""Each statement starts on a line of its own, and what is reported has a name unless it is alone."""

from collections.abc import Sequence
from itertools import pairwise

from lark import Token

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source, Span
from cepheid.languages.algebra.operator_mistakes import joined_by
from cepheid.languages.algebra.statement_mistakes import undefined
from cepheid.languages.algebra.stops import STATEMENT_WORDS
from cepheid.languages.algebra.syntax import Declaration, Definition, Primitive
from cepheid.languages.shared.grammars import span_of
from cepheid.languages.shared.lengths import check_unit

Statement = Definition | Declaration


def check_lines(statements: Sequence[Statement], tokens: Sequence[Token], source: Source) -> None:
    """Raise for the first statement that is where no statement can be."""
    for before, after in pairwise(statements):
        if "\n" not in source.text[before.span.end : after.span.start]:
            raise _same_line(after, tokens, source)
    reported = [found for found in statements if isinstance(found, Definition) and not found.is_abbreviation]
    for found in reported:
        if found.name is None and len(reported) > 1:
            raise _nameless(found)
    if not reported:
        raise _nothing_reported(statements, source)


def _same_line(after: Statement, tokens: Sequence[Token], source: Source) -> CepheidError:
    """The error for a statement that begins where another one has just ended."""
    number = next(index for index, token in enumerate(tokens) if token.start_pos == after.span.start)
    before, first = tokens[number - 1], tokens[number]
    if before.type == "NUMBER" and first.type == "NAME":
        check_unit(before, first, source)
    if before in STATEMENT_WORDS and tokens[number - 2] == "=":
        return undefined(str(tokens[number - 3]), span_of(tokens[number - 2], source))
    if isinstance(after, Definition):
        return joined_by(str(before), str(first), span_of(first, source))
    label = Label(span_of(first, source), "another statement ends right before this")
    message = f"`{first}` does not start a line"
    return CepheidError(Diagnostic("syntax", message, (label,), hints=("start a new line before it",)))


def _nameless(found: Definition) -> CepheidError:
    expression = found.expression
    shown = expression.type.name if isinstance(expression, Primitive) else "A ; B"
    label = Label(_head(found.span), "this expression has no name")
    message = "only an expression that is reported alone can do without a name"
    return CepheidError(Diagnostic("unnamed", message, (label,), hints=(f"give it a name: `Alarm = {shown}`",)))


def _head(span: Span) -> Span:
    """The first line of a span."""
    length = len(span.text.split("\n")[0])
    return Span(span.source, span.start, span.start + length)


def _nothing_reported(statements: Sequence[Statement], source: Source) -> CepheidError:
    if not statements:
        label, message = Label(source.end, "no expression stands here"), "there is no query"
    else:
        label = Label(_head(statements[-1].span), "nothing after this says what to look for")
        message = "there is nothing to look for"
    return CepheidError(Diagnostic("incomplete-statement", message, (label,), hints=("write `Alarm = A ; B`",)))
