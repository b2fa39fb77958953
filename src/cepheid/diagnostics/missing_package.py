"""The error for an optional package that is not there."""

from cepheid.diagnostics.diagnostic import Diagnostic
from cepheid.diagnostics.error import CepheidError


def missing_package(package: str, extra: str) -> CepheidError:
    """Return the error that says how a package is installed: it belongs to an `extra` of ours."""
    message = f"the package `{package}` is not installed"
    return CepheidError(Diagnostic("missing-package", message, hints=(f"pip install 'cepheid[{extra}]'",)))
