"""The command line in a test: arguments in; status, output and what was said beside it out."""

from dataclasses import dataclass

from click.testing import CliRunner

from cepheid.cli import main


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command did."""

    status: int
    output: str
    said: str


def cepheid(*arguments: str, given: str | bytes = b"") -> Answer:
    """Run the command with these arguments, and `given` on standard input."""
    result = CliRunner().invoke(main, arguments, input=given, prog_name="cepheid")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Answer(result.exit_code, result.stdout, result.stderr)
