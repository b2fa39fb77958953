"""The certificate: what a program needs at most, said before it runs.

For every rule: can it match at all, what does it hold, what does an event cost, how late is a match certain, how much
of the past decides it, and by what can the work be split. For every pipe: what do its processors hold. Formulas are in
the declared arrivals; numbers stand beside them where these are declared.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cepheid.analysis.bounds.arrivals import Rates
from cepheid.analysis.certificates.certificate_forms import (
    as_data,
    as_rows,
    as_text,
    pipe_as_data,
    pipe_as_rows,
    pipe_as_text,
)
from cepheid.analysis.certificates.certified_pipe import PipeCertificate
from cepheid.analysis.certificates.certified_rule import Promise, RuleCertificate, together
from cepheid.analysis.certificates.viable import ViableSize, viable_as_data, viable_as_lines
from cepheid.diagnostics import CepheidError, Diagnostic


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a program needs, rule by rule and pipe by pipe, with `disorder` ticks allowed to every source.

    `viable` are sizes that were published for the language of the program, where there are any.
    """

    rules: tuple[RuleCertificate, ...]
    rates: Rates
    disorder: int
    pipes: tuple[PipeCertificate, ...] = ()
    viable: tuple[ViableSize, ...] = ()

    @property
    def bounded(self) -> bool:
        return all(rule.bounded for rule in self.rules) and all(pipe.bounded for pipe in self.pipes)

    @property
    def satisfiable(self) -> bool:
        """Can every rule match?"""
        return all(rule.satisfiable for rule in self.rules)

    @property
    def state(self) -> Promise:
        """Return the entries of state of all rules and pipes together."""
        return together([*(rule.state for rule in self.rules), *(pipe.state for pipe in self.pipes)])

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Return what there is to say about rules that never match, and about what is kept for ever."""
        of_rules = tuple(finding for rule in self.rules for finding in rule.findings)
        return of_rules + tuple(finding for pipe in self.pipes for finding in pipe.findings)

    def rule(self, name: str) -> RuleCertificate:
        return next(rule for rule in self.rules if rule.name == name)

    def pipe(self, name: str) -> PipeCertificate:
        return next(pipe for pipe in self.pipes if pipe.name == name)

    def demand_bounded(self) -> None:
        """Complain about everything that is kept for ever."""
        self._demand("unbounded-state")

    def demand_satisfiable(self) -> None:
        """Complain about every rule that can never match."""
        self._demand("never-matches")

    def _demand(self, code: str) -> None:
        found = [finding for finding in self.findings if finding.code == code]
        if found:
            raise CepheidError(found[0], *found[1:])

    def to_dict(self) -> Mapping[str, object]:
        """Return the certificate as plain data: strings, numbers, lists and dictionaries."""
        return {
            "bounded": self.bounded,
            "satisfiable": self.satisfiable,
            "disorder": self.disorder,
            "rules": [as_data(rule) for rule in self.rules],
            "pipes": [pipe_as_data(pipe) for pipe in self.pipes],
            **({"minimum_viable_sizes": viable_as_data(self.viable)} if self.viable else {}),
        }

    def rows(self) -> list[tuple[str, str]]:
        """Return what a person reads: headings, and what they say."""
        rules = [row for rule in self.rules for row in as_rows(rule, self.disorder)]
        return rules + [row for pipe in self.pipes for row in pipe_as_rows(pipe)]

    def __str__(self) -> str:
        rules = [as_text(rule, self.disorder) for rule in self.rules]
        sizes = ["\n".join(viable_as_lines(self.viable))] if self.viable else []
        return "\n\n".join([*rules, *(pipe_as_text(pipe) for pipe in self.pipes), *sizes])
