"""Certificates as plain data, as rows for a table, and as text that fits a terminal."""

import re
from collections.abc import Iterator, Mapping
from textwrap import wrap

from cepheid.analysis.bounds.bounds import spoken_time
from cepheid.analysis.certificates.certified_pipe import PipeCertificate, ProcessorCertificate
from cepheid.analysis.certificates.certified_rule import OperatorCertificate, Promise, RuleCertificate, shown_number

WIDTH = 100


def as_data(rule: RuleCertificate) -> Mapping[str, object]:
    """Return the certificate of a rule as strings, numbers, lists and dictionaries; times are in ticks."""
    return {
        "name": rule.name,
        "satisfiable": rule.satisfiable,
        "clash": list(rule.clash),
        "bounded": rule.bounded,
        "state": _promise(rule.state),
        "bytes": _promise(rule.size),
        "buffer": _promise(rule.buffer),
        "largest_key": None if rule.largest_key is None else _promise(rule.largest_key),
        "work": _promise(rule.work),
        "delay": rule.delay,
        "history": rule.history,
        "lag": rule.lag,
        "key": None if rule.key is None else str(rule.key),
        "operators": [_operator(operator) for operator in rule.operators],
        "findings": [{"code": finding.code, "message": finding.message} for finding in rule.findings],
    }


def _operator(operator: OperatorCertificate) -> Mapping[str, object]:
    return {
        "number": operator.number,
        "kind": operator.kind.value,
        "about": operator.about,
        "state": _promise(operator.entries),
        "bytes": _promise(operator.size),
        "buffer": _promise(operator.waiting),
        "histories": [{"part": one.part, "state": _promise(one.entries)} for one in operator.histories],
        **({} if operator.runs is None else {"runs": operator.runs}),
    }


def _promise(promise: Promise) -> Mapping[str, object]:
    return {"bounded": promise.bounded, "formula": str(promise.formula), "number": promise.number}


def as_rows(rule: RuleCertificate, disorder: int) -> list[tuple[str, str]]:
    """Return headings and what they say about a rule."""
    return [("rule", rule.name), *_facts(rule, disorder)]


def _facts(rule: RuleCertificate, disorder: int) -> Iterator[tuple[str, str]]:
    yield "matches", "possible" if rule.satisfiable else f"never: {'; '.join(rule.clash)}"
    yield "state", _entries(rule.state)
    for operator in rule.operators:
        if str(operator.entries.formula) != "0":
            yield f"  {operator.kind.value}", f"{operator.about}: {operator.entries}"
        if operator.runs is not None:
            yield "  runs", operator.runs
    yield "bytes", _about(rule.size)
    if rule.largest_key is not None:
        yield "largest key", _entries(rule.largest_key)
    if str(rule.buffer.formula) != "0":
        yield "order buffer", _entries(rule.buffer)
    yield "work per event", str(rule.work)
    yield "delay", _delay(rule.delay, disorder)
    yield "history", "all of it" if rule.history is None else spoken_time(rule.history)
    yield "key", "none: one partition" if rule.key is None else str(rule.key)


def _entries(promise: Promise) -> str:
    if not promise.bounded:
        return "unbounded"
    return f"{promise} entry" if str(promise) == "1" else f"{promise} entries"


def _about(promise: Promise) -> str:
    if not promise.bounded:
        return "unbounded"
    return f"about {promise.formula}" if promise.number is None else f"about {shown_number(promise.number)}"


def _delay(delay: int | None, disorder: int) -> str:
    if delay is None:
        return "until the input ends"
    return spoken_time(delay + disorder)


def as_text(rule: RuleCertificate, disorder: int) -> str:
    """Return a short table of what a rule needs, no wider than a terminal."""
    title = f"rule `{rule.name}`: {'bounded' if rule.bounded else 'unbounded'}"
    return _table(title, list(_facts(rule, disorder)))


def _table(title: str, facts: list[tuple[str, str]]) -> str:
    first = max(len(heading) for heading, _ in facts) + 4
    lines = [title]
    for heading, said in facts:
        lines += _wrapped(f"  {heading}".ljust(first), said)
    return "\n".join(lines)


def pipe_as_data(pipe: PipeCertificate) -> Mapping[str, object]:
    """Return the certificate of a pipe as strings, numbers, lists and dictionaries."""
    return {
        "name": pipe.name,
        "bounded": pipe.bounded,
        "state": _promise(pipe.state),
        "buffer": _promise(pipe.buffer),
        "processors": [_processor(one) for one in pipe.processors],
        "findings": [{"code": finding.code, "message": finding.message} for finding in pipe.findings],
    }


def _processor(one: ProcessorCertificate) -> Mapping[str, object]:
    return {"number": one.number, "kind": one.kind, "about": one.about, "state": _promise(one.entries)}


def pipe_as_rows(pipe: PipeCertificate) -> list[tuple[str, str]]:
    """Return headings and what they say about a pipe."""
    return [("pipe", pipe.name), *_pipe_facts(pipe)]


def _pipe_facts(pipe: PipeCertificate) -> Iterator[tuple[str, str]]:
    yield "state", _entries(pipe.state)
    for one in pipe.processors:
        if str(one.entries.formula) != "0":
            yield f"  {one.kind}", f"{one.about}: {one.entries}"
    yield "order buffer", _entries(pipe.buffer)


def pipe_as_text(pipe: PipeCertificate) -> str:
    """Return a short table of what a pipe needs, no wider than a terminal."""
    title = f"pipe `{pipe.name}`: {'bounded' if pipe.bounded else 'unbounded'}"
    return _table(title, list(_pipe_facts(pipe)))


def _wrapped(heading: str, said: str) -> list[str]:
    """Return a heading and what it says in lines that break between the terms of a formula, not inside them."""
    kept = _TERM.sub(lambda term: term[0].replace(" ", _KEPT), said)
    lines = wrap(kept, WIDTH - len(heading), break_long_words=False, break_on_hyphens=False)
    indents = [heading, *[" " * len(heading)] * len(lines)]
    return [f"{indent}{line}".replace(_KEPT, " ") for indent, line in zip(indents, lines, strict=False)]


_TERM = re.compile(r"\w+\([^()]*\)")
_KEPT = "\N{NO-BREAK SPACE}"
