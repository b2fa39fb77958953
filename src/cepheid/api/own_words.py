"""Ways out in the words of the language that a query is written in."""

from dataclasses import replace

from cepheid.analysis import Certificate
from cepheid.diagnostics import Diagnostic
from cepheid.languages import Language


def in_own_words(certificate: Certificate, language: Language) -> Certificate:
    """Return a certificate whose hints can be typed in a language, if it is one that says how."""
    translate = getattr(language, "in_own_words", None)
    if translate is None:
        return certificate

    def told(finding: Diagnostic) -> Diagnostic:
        return replace(finding, hints=tuple(translate(hint) for hint in finding.hints))

    rules = tuple(replace(rule, findings=tuple(map(told, rule.findings))) for rule in certificate.rules)
    return replace(certificate, rules=rules)
