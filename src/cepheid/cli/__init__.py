"""The command line: arguments in, text or JSON out. Everything else is done by `cepheid.api`."""

from cepheid.cli.commands import main

__all__ = ["main"]
