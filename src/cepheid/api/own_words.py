"""Ways out in the words of the language that a query is written in."""

from collections.abc import Callable
from dataclasses import replace

from cepheid.analysis import Certificate
from cepheid.api.python_words import in_python
from cepheid.api.texts import Compilable, QueryText
from cepheid.diagnostics import Diagnostic


def in_own_words(certificate: Certificate, query: "QueryText | Compilable") -> Certificate:
    """Return a certificate whose hints can be typed where a query comes from: in its language, or in Python."""
    translate = _translation(query)
    if translate is None:
        return certificate

    def told(finding: Diagnostic) -> Diagnostic:
        return replace(finding, hints=tuple(translate(hint) for hint in finding.hints))

    rules = tuple(replace(rule, findings=tuple(map(told, rule.findings))) for rule in certificate.rules)
    return replace(certificate, rules=rules)


def _translation(query: "QueryText | Compilable") -> Callable[[str], str] | None:
    if isinstance(query, QueryText):
        return getattr(query.language, "in_own_words", None)
    from cepheid.algebra.builder import Query, QueryProgram  # whoever wrote a text has no need of it

    return in_python if isinstance(query, Query | QueryProgram) else None
