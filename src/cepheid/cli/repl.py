"""`cepheid repl`: statements and their answers, one after the other."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click

from cepheid.api import LANGUAGE_NAMES
from cepheid.cli.conversations import Conversation
from cepheid.cli.options import table_of
from cepheid.cli.telling import say

_HELP = """Define things, ask for them, and see the answers as tables, line by line.

\b
A statement of eSQL ends with a full stop at the end of a line, one of another language with an empty line.
Commands begin with a backslash; \\help lists them. Tab completes words, arrows bring back earlier lines.

\b
Example:
  cepheid repl --table stocks=stocks.csv
"""


@click.command(help=_HELP)
@click.option(
    "--language", type=click.Choice(LANGUAGE_NAMES), default="esql", show_default=True, help="What is spoken."
)
@click.option("--table", "tables", multiple=True, metavar="NAME=FILE", help="A file to read as a table. Repeatable.")
@click.option("--palette", "palettes", multiple=True, metavar="NAME", help="A palette to load. Repeatable.")
def repl(language: str, tables: tuple[str, ...], palettes: tuple[str, ...]) -> None:
    """Read statements until there are no more, and answer each."""
    conversation = Conversation(language, dict(map(table_of, tables)), palettes)
    is_watched = sys.stdin.isatty()
    if is_watched:
        say("eSQL and other languages. \\help lists commands, \\quit ends.")
        _help_with_lines(conversation)
    for line in _lines(conversation, is_watched=is_watched):
        _tell(conversation.hear(line))
        if conversation.is_over:
            return
    _tell(conversation.finish())


def _tell(answer: str) -> None:
    if answer:
        say(answer)


def _lines(conversation: Conversation, *, is_watched: bool) -> Iterator[str]:
    """Yield lines until the input ends; an interrupt forgets what was begun."""
    while True:
        try:
            yield input(conversation.prompt) if is_watched else _next_line()
        except KeyboardInterrupt:
            conversation.forget()
            click.echo()
        except EOFError:
            return


def _next_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


def _help_with_lines(conversation: Conversation) -> None:
    """Let words be completed and lines be brought back, those of earlier days too, where Python can."""
    try:
        import readline  # which some systems have not
    except ImportError:
        return
    file = Path(os.environ.get("CEPHEID_HISTORY") or Path.home() / ".cepheid_history")
    with suppress(OSError):
        readline.read_history_file(file)
    import atexit

    atexit.register(_write_history, file)
    readline.set_completer_delims(" \t\n(),+-*/=<>")
    readline.set_completer(lambda begun, place: dict(enumerate(conversation.completions(begun))).get(place))
    readline.parse_and_bind("tab: complete")


def _write_history(file: Path) -> None:
    import readline

    with suppress(OSError):
        readline.set_history_length(1000)
        readline.write_history_file(file)
