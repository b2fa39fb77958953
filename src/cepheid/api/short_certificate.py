"""A certificate in a few lines, for the eye: numbers where rates are declared, short formulas where they are not."""

from collections.abc import Iterator, Sequence

from cepheid.analysis import Certificate, PipeCertificate, Promise, RuleCertificate
from cepheid.analysis.bounds.bounds import spoken_time
from cepheid.analysis.certificates.viable import viable_as_lines

_LONGEST_FORMULA = 60


def short_certificate(certificate: Certificate, undeclared: Sequence[str]) -> str:
    """Return what a person wants to know first; the stage `bounds` of an explanation tells the rest.

    `undeclared` are the types of events whose rate is not known.
    """
    told = [line for rule in certificate.rules for line in _lines(rule, certificate.disorder)]
    told += [line for pipe in certificate.pipes for line in _pipe_lines(pipe)]
    told += viable_as_lines(certificate.viable)
    numbers = [number for rule in certificate.rules for number in _numbers(rule)]
    numbers += [number for pipe in certificate.pipes for number in (pipe.state.number, pipe.buffer.number)]
    if certificate.bounded and undeclared and None in numbers:
        told.append(f"declare rates to know more, for example --rate {undeclared[0]}=5/s")
    return "\n".join(told)


def _lines(rule: RuleCertificate, disorder: int) -> Iterator[str]:
    yield f"{rule.name}: {'bounded' if rule.bounded else 'unbounded'}"
    for heading, said in _facts(rule, disorder):
        yield f"  {heading:<9}{said}"


def _pipe_lines(pipe: PipeCertificate) -> Iterator[str]:
    yield f"{pipe.name}: {'bounded' if pipe.bounded else 'unbounded'}"
    yield f"  {'state':<9}{_amount(pipe.state, 'entries') if pipe.bounded else 'without bound'}"
    if pipe.buffer.number != 0:
        yield f"  {'buffer':<9}{_amount(pipe.buffer, 'events')} that wait until their instant is complete"


def _facts(rule: RuleCertificate, disorder: int) -> Iterator[tuple[str, str]]:
    if not rule.satisfiable:
        yield "matches", f"never: {'; '.join(rule.clash)}"
    yield "state", _state(rule)
    yield from (("runs", operator.runs) for operator in rule.operators if operator.runs is not None)
    if rule.largest_key is not None:
        yield "per key", _amount(rule.largest_key, "entries")
    if rule.buffer.number != 0:
        yield "buffer", f"{_amount(rule.buffer, 'events')} that wait until their instant is complete"
    yield "work", f"{_amount(rule.work, 'comparisons')} per event"
    yield "delay", _delay(rule.delay, disorder)
    yield "history", _history(rule.history)
    yield "key", "none, so the work is one partition" if rule.key is None else str(rule.key).replace("$event.", "")


def _state(rule: RuleCertificate) -> str:
    if not rule.bounded:
        return "without bound"
    size = "" if rule.size.number is None else f", about {rule.size.number:,} bytes"
    return f"{_amount(rule.state, 'entries')}{size}"


def _numbers(rule: RuleCertificate) -> tuple[int | None, ...]:
    return (rule.state.number, rule.buffer.number, rule.work.number)


def _amount(promise: Promise, things: str) -> str:
    """Return a promise as a number, or as its formula where that is short."""
    if not promise.bounded:
        return f"{things} without bound"
    if promise.number is not None:
        return f"at most {promise.number:,} {things}"
    formula = str(promise.formula)
    return f"at most {formula} {things}" if len(formula) <= _LONGEST_FORMULA else f"as many {things} as rates allow"


def _delay(delay: int | None, disorder: int) -> str:
    if delay is None:
        return "a match may become certain only when the input ends"
    wait = delay + disorder
    return f"a match is certain {spoken_time(wait)} after its end" if wait else "a match is certain at its end"


def _history(history: int | None) -> str:
    if history is None:
        return "all of the past may decide about a match"
    return (
        f"the last {spoken_time(history)} decide about a match"
        if history
        else "nothing before it decides about a match"
    )
