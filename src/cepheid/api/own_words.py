"""Ways out in the words of the language that a query is written in."""

from dataclasses import replace

from cepheid.analysis import Certificate
from cepheid.analysis.bounds.advice import Wordings, in_words, message_in_words
from cepheid.api.python_words import ADVICE
from cepheid.api.texts import Compilable, QueryText
from cepheid.diagnostics import Diagnostic


def in_own_words(certificate: Certificate, query: "QueryText | Compilable") -> Certificate:
    """Return a certificate whose hints can be typed where a query comes from: in its language, or in Python."""
    words = _words(query)
    if not words:
        return certificate

    def told(finding: Diagnostic) -> Diagnostic:
        hints = tuple(in_words(hint, words) for hint in finding.hints)
        return replace(finding, message=message_in_words(finding.message, words), hints=hints)

    rules = tuple(replace(rule, findings=tuple(map(told, rule.findings))) for rule in certificate.rules)
    return replace(certificate, rules=rules)


def _words(query: "QueryText | Compilable") -> Wordings:
    if isinstance(query, QueryText):
        found: Wordings = getattr(query.language, "ADVICE", {})
        return found
    from cepheid.algebra.builder import Query, QueryProgram  # whoever wrote a text has no need of it

    return ADVICE if isinstance(query, Query | QueryProgram) else {}
