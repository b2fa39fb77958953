"""The promises of a certificate, held while its premises hold: no operator holds more than was certified.

A broken promise is a bug of ours, and says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cepheid.analysis.certificates.certificate import Certificate
from cepheid.analysis.certificates.certified_pipe import PipeCertificate
from cepheid.analysis.certificates.certified_rule import RuleCertificate
from cepheid.analysis.plans.plan import KEEP_NOTHING
from cepheid.diagnostics import internal_error
from cepheid.engine.clock.settled import ANYWHERE, Settled
from cepheid.engine.interpreter.pipe_runner import PipeRunner
from cepheid.engine.interpreter.rule_runner import RuleRunner


@dataclass(frozen=True, slots=True)
class Usage:
    """How many entries an operator of a rule, or of a pipe, holds now, and how many it may hold; None: nobody said."""

    rule: str
    operator: str
    used: int
    promised: int | None


class Promises:
    """What was certified about the rules and pipes at work."""

    def __init__(
        self,
        certificate: Certificate,
        runners: Sequence[RuleRunner],
        settled: Settled,
        pipes: Mapping[str, PipeRunner],
        *,
        in_step: bool = False,
    ) -> None:
        self.disorder, self.in_step = certificate.disorder, in_step
        self.rules = [certificate.rule(runner.rule.name) for runner in runners]
        self.most = [_most(rule) for rule in self.rules]
        self.pipes = [certificate.pipe(name) for name in pipes]
        self.limits = bool(pipes) or any(map(_is_limited, runners, self.most))
        """Whether a number was promised of anything that can grow."""
        of_pipes = frozenset().union(*(pipe.streams for pipe in pipes.values()))
        read = of_pipes.union(*(runner.types for runner in runners))
        every = "" in of_pipes or any(runner.sees_all for runner in runners)
        self.sources = set(settled.sources) if every else _sources_of(read, settled)

    def check(
        self, runners: Sequence[RuleRunner], settled: Settled, pipes: Mapping[str, PipeRunner] | None = None
    ) -> None:
        """Complain if an operator holds more than was certified.

        A source that stays behind the others by more than the disorder holds all of them back: nothing was promised
        for that, unless sources wait for each other and so are always `in_step`.
        """
        if settled.horizon is None or not (self.in_step or self._in_step(settled, settled.horizon)):
            return
        if any(_exceeds(runner, most) for runner, most in zip(runners, self.most, strict=True)):
            for used in usage(runners, self.rules):
                _hold(used, "rule")
        for used in pipe_usage(pipes or {}, self.pipes):
            _hold(used, "pipe")

    def _in_step(self, settled: Settled, horizon: int) -> bool:
        return min(settled.sources[source] for source in self.sources) >= horizon - self.disorder


def usage(runners: Sequence[RuleRunner], rules: Sequence[RuleCertificate | None]) -> Iterator[Usage]:
    """Yield what every operator holds now beside what was certified, and what waits in order buffers."""
    for runner, certified in zip(runners, rules, strict=True):
        for operator, used in zip(runner.plan.operators, runner.entries(), strict=True):
            promised = None if certified is None else certified.operators[operator.number].entries.number
            yield Usage(runner.rule.name, f"{operator.kind.value} {operator.number}", used, promised)
        buffered = None if certified is None else certified.buffer.number
        yield Usage(runner.rule.name, "order buffer", runner.buffered(), buffered)


def pipe_usage(pipes: Mapping[str, PipeRunner], certified: Sequence[PipeCertificate | None]) -> Iterator[Usage]:
    """Yield what every processor holds now beside what was certified, and what waits for its instant."""
    for (name, runner), promise in zip(pipes.items(), certified, strict=True):
        for number, (kind, used) in enumerate(zip(runner.kinds, runner.entries(), strict=True)):
            promised = None if promise is None else promise.processors[number].entries.number
            yield Usage(name, f"{kind} {number}", used, promised)
        yield Usage(name, "order buffer", runner.buffered(), None if promise is None else promise.buffer.number)


def _most(rule: RuleCertificate) -> list[int | None]:
    """Return what every operator may hold, and last what may be buffered."""
    return [*(operator.entries.number for operator in rule.operators), rule.buffer.number]


def _is_limited(runner: RuleRunner, most: Sequence[int | None]) -> bool:
    growing = [operator.kind not in KEEP_NOTHING for operator in runner.plan.operators]
    return any(number is not None for grows, number in zip((*growing, True), most, strict=True) if grows)


def _exceeds(runner: RuleRunner, most: Sequence[int | None]) -> bool:
    held = (*runner.entries(), runner.buffered())
    return any(limit is not None and used > limit for used, limit in zip(held, most, strict=True))


def _hold(used: Usage, owner: str) -> None:
    if used.promised is not None and used.used > used.promised:
        raise internal_error(
            f"{owner} `{used.rule}` holds {used.used} entries in its {used.operator}, "
            f"and its certificate promises {used.promised}"
        )


def _sources_of(types: frozenset[str], settled: Settled) -> set[str]:
    sources = {source for name in types for source in settled.sources_of.get(name, (ANYWHERE,))}
    # What rules emit comes from nowhere else, unless somebody declares it.
    return sources & set(settled.sources) or set(settled.sources)
