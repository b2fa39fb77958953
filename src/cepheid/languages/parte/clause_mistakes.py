"""Statements and clauses that are not what they should be, or stop before they say anything."""

from typing import Final

from cepheid.diagnostics import CepheidError, close_match
from cepheid.languages.parte.stops import CLAUSES, STATEMENTS, Around
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.lengths import check_unit

_EXAMPLES: Final = {
    "template": "template MoneyTransferred { id : TransactionId, amount : Amount }",
    "source": "source MoneyTransferred 10 per ms from 2 sources disorder 5 s",
    "table": 'table common_routes(originator, destination) from "routes.csv"',
    "predicate": "predicate uncommon_route(a, b) = not common_routes(a, b)",
    "pattern": "pattern suspicious(least) : MoneyTransferred { amount >= least }",
    "use": 'use "library.parte"',
    "tick": "tick 1 ms",
    "rule": "rule Found where a : A when then emit B at a.timestamp with {}",
    "where": "incoming : MoneyTransferred { amount >= 100.0 }",
    "when": "outgoing in incoming [0 days, 14 days]",
    "then": "emit Alarm at incoming.timestamp with { account = incoming.destination }",
}
_NEXT: Final = {"rule": "where", "where": "then", "when": "then"}
_LENGTHS_AFTER: Final = ("[", ",", "-", "tick", "every", "disorder")


def wrong_length(around: Around) -> CepheidError | None:
    """A number without a unit, or with a word after it that is no unit."""
    number, word = around.token_before(), around.stop.token
    if around.calculates or around.statement == "table":
        return None
    if word is not None and word.type == "NUMBER" and around.before() in ("tick", "every", "disorder"):
        message, label = f"`{word}` is not a duration", "this number has no unit"
        return refusal("bad-duration", message, around.span, label, f"write the unit, for example `{word} s`")
    if number is None or number.type != "NUMBER" or around.before(2) not in _LENGTHS_AFTER:
        return None
    if word is not None and word.type == "NAME" and around.open_brackets:
        try:
            check_unit(number, word, around.source)
        except CepheidError as error:
            return error
    return None


def not_instead_of_no(around: Around) -> CepheidError | None:
    """`not n : T` where `no n : T` is meant."""
    if around.clause not in ("where", "when") or around.open_brackets or around.here != "not":
        return None
    example = "no refund : MoneyTransferred {}" if around.clause == "where" else "no refund in incoming [0 s, 1 h]"
    message, label = "what is absent begins with `no`", "`not` belongs into a condition"
    return refusal("syntax", message, around.span, label, f"write `{example}`")


def missing_template(around: Around) -> CepheidError | None:
    """`incoming MoneyTransferred`, or a variable that stands alone."""
    token, before = around.stop.token, around.token_before()
    if around.clause != "where" or around.open_brackets or before is None or before.type != "NAME":
        return None
    if token is not None and token.type == "NAME" and around.before(2) != ":":
        message, hint = f"`:` is missing between `{before}` and `{token}`", f"write `{before} : {token}`"
        return refusal("syntax", message, around.span, "not joined to its variable", hint)
    back = 3 if around.before(2) == ":" else 1
    if back == 3 and before not in CLAUSES:
        return None
    name = around.before(back)
    message, hint = f"the variable `{name}` has no template", f"write `{name} : MoneyTransferred`"
    return refusal("syntax", message, around.span_before(back), "a template is missing after this", hint)


def missing_type(around: Around) -> CepheidError | None:
    """A slot without a type, or a list that does not say how long it is."""
    before, brackets = around.token_before(), around.open_brackets
    if around.statement != "template" or before is None or before.type != "NAME" or not brackets:
        return None
    if brackets[-1] == "[":
        message, label = f"nothing says how long the list of `{before}` can be", "a size is missing after this"
        return refusal("syntax", message, around.span_before(), label, f"write `[{before}; 3]`")
    message, hint = f"the slot `{before}` has no type", f"write `{before} : Integer`"
    return refusal("syntax", message, around.span_before(), "a type is missing after this", hint)


def unknown_statement(around: Around) -> CepheidError | None:
    """A word that begins no statement."""
    token = around.stop.token
    if token is None or token.type != "NAME" or around.open_brackets or around.clause in ("rule", "where", "when"):
        return None
    if around.statement and not around.starts_line:
        return None
    closest = close_match(str(token), STATEMENTS)
    hint = f"did you mean `{closest}`?" if closest else f"write `{_EXAMPLES['template']}` or a `rule`"
    message, label = f"`{token}` begins no statement", "not a word that something begins with"
    return refusal("syntax", message, around.span, label, hint)


def missing_clause(around: Around) -> CepheidError | None:
    """A rule that has no name, no `where`, or no `then`."""
    clause, before = around.clause, around.token_before()
    missing = _NEXT.get(clause)
    if missing is None or around.open_brackets or before is None or around.here == ",":
        return None
    if around.rule in CLAUSES:
        message, label = "a rule has no name", "a name is missing before this"
        return refusal("incomplete-statement", message, around.span_before(), label, "write `rule Found where`")
    is_named = before.type in ("NAME", "QUOTED") and around.before(2) in (":", "rule")
    if not (is_named or before.type in ("RBRACE", "RSQB", "ZONE", "DATE", clause.upper())) or before == "rule":
        return None
    message, label = f"the rule `{around.rule}` has no `{missing}`", f"`{missing}` is missing here"
    return refusal("incomplete-statement", message, around.gap, label, f"write `{missing} {_EXAMPLES[missing]}`")


def incomplete_pattern(around: Around) -> CepheidError | None:
    """A point of time that is not said, or an aggregate without a window."""
    tokens = around.stop.before
    if around.clause != "where" or around.open_brackets:
        return None
    if tokens[-1].type == "CLOCK":
        message, label = f"it is not said where it is `{tokens[-1]}`", "a time zone is missing after this"
        return refusal("bad-schedule", message, around.span_before(), label, f"write `{tokens[-1]} Europe/Brussels`")
    if tokens[-1].type in ("DAILY", "WEEKLY"):
        message, label = f"`{tokens[-1]}` does not say at what time", "not a time of day"
        example = "12:00 UTC" if tokens[-1] == "daily" else "mon 12:00 UTC"
        return refusal("bad-schedule", message, around.gap, label, f"write `{tokens[-1]} {example}`")
    if "of" in tokens[-8:] and tokens[-1].type in ("NAME", "RBRACE"):
        message, label = "it is not said which events the aggregate is made of", "a window is missing here"
        return refusal("incomplete-statement", message, around.gap, label, "write `in incoming [0 days, 14 days]`")
    return None


def incomplete_reaction(around: Around) -> CepheidError | None:
    """An `emit` without a time, or slots that are not in braces."""
    if around.clause != "then":
        return None
    if around.before(2) == "emit":
        message, label = f"it is not said when `{around.before()}` happens", "`at` is missing here"
        return refusal("incomplete-statement", message, around.gap, label, "write `at incoming.timestamp`")
    if around.before() == "with":
        message, label = "the slots stand in braces", "a `{` is missing before this"
        return refusal("syntax", message, around.span, label, "write `with { account = incoming.destination }`")
    if around.here == ":" and around.open_brackets:
        name = around.before()
        message, label = f"the slot `{name}` gets its value with `=`", "not an equality sign"
        return refusal("syntax", message, around.span, label, f"write `{name} = incoming.{name}`")
    return None


def incomplete_clause(around: Around) -> CepheidError | None:
    """A statement or a clause that does not go on as it should."""
    word = around.clause or around.statement
    if not word:
        return None
    message, label = f"something is missing in this `{word}`", "this does not go on as it should"
    return refusal("syntax", message, around.gap, label, f"write it like this: `{_EXAMPLES[word]}`")


def anything_else(around: Around) -> CepheidError:
    """The last resort: say what stands where."""
    shown = f"`{around.here}`" if around.here else f"`{around.span.text}`"
    message, label = f"{shown} cannot stand here", "no statement begins like this"
    return refusal("syntax", message, around.span, label, f"write `{_EXAMPLES['template']}`")
