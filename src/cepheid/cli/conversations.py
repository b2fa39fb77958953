r"""What is said in `cepheid repl`, and what is answered: statements of a language, and commands after a backslash.

A statement of eSQL ends with a full stop at the end of a line, one of another language with an empty line.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

from cepheid.api import LANGUAGE_NAMES, compile  # noqa: A004  # the use case
from cepheid.api.esql.sessions import Session
from cepheid.cli.text_tables import text_table
from cepheid.diagnostics import CepheidError, Diagnostic, close_match, draw

__all__ = ["COMMANDS", "Conversation"]

COMMANDS: Final[Mapping[str, str]] = {
    "definitions": "list what was defined",
    "events": "take events for the other languages from a file: \\events events.jsonl",
    "help": "list the commands",
    "language": "go on in another language: \\language hbl",
    "limit": "show so many values at most: \\limit 50",
    "quit": "end",
    "table": "read a file as a table: \\table stocks stocks.csv",
    "tables": "list the tables",
}
SHOWN: Final = 20


class Conversation:
    """A session, the language that is spoken, and what was written of a statement so far."""

    def __init__(self, language: str, tables: Mapping[str, str], palettes: tuple[str, ...] = ()) -> None:
        self.language, self.limit, self.is_over = language, SHOWN, False
        self.session: Session = Session((*_PALETTES, *palettes), tables=tables)
        self.events: str | None = None
        self._lines: list[str] = []

    @property
    def prompt(self) -> str:
        """What stands before the next line."""
        return "... " if self._lines else f"{self.language}> "

    def hear(self, line: str) -> str:
        """Take a line, and return what there is to say to it; errors are said as well."""
        if not self._lines and line.lstrip().startswith("\\"):
            return self._answer(lambda: self._obey(line.strip()[1:]))
        if not line.strip() and not self._lines:
            return ""
        self._lines.append(line)
        if line.strip() and not (self.language == "esql" and line.rstrip().endswith((".", ";"))):
            return ""
        return self.finish()

    def finish(self) -> str:
        """Return the answer to what was written so far, which is taken for a statement."""
        text = "\n".join(self._lines)
        self._lines.clear()
        return self._answer(lambda: self._said(text)) if text.strip() else ""

    def forget(self) -> None:
        """Forget what was written of a statement."""
        self._lines.clear()

    def completions(self, begun: str) -> list[str]:
        """Return the words that begin like this: of the grammar, of tables, of commands."""
        if begun.startswith("\\"):
            return [f"\\{name}" for name in COMMANDS if name.startswith(begun[1:])]
        words = [*self.session.words, *self.session.tables]
        return sorted(word for word in words if word.upper().startswith(begun.upper()))

    def _answer(self, ask: Callable[[], str]) -> str:
        try:
            return ask()
        except CepheidError as error:
            return "\n\n".join(map(draw, error.diagnostics))

    def _said(self, text: str) -> str:
        if self.language != "esql":
            return self._matches(text)
        if self.session.defines(text):
            before = len(self.session.definitions)
            self.session.execute(text)
            return "\n".join(f"defined: {one}" for one in self.session.definitions[before:])
        return self._shown(self.session.compile(text).pull())

    def _matches(self, text: str) -> str:
        query = compile(text, language=self.language)
        if self.events is None:
            return f"{query.short_certificate}\n(`\\events FILE` says where events come from)"
        found = query.run(self.events)
        return self._shown({"match": one.name, "start": one.start, "end": one.end, **one.values} for one in found)

    def _shown(self, values: Any) -> str:
        """Return the first values as a table, and say whether there are more."""
        shown = list(islice(values, self.limit + 1))
        more = f"\n(more than {self.limit}, `\\limit` shows others)" if len(shown) > self.limit else ""
        return text_table(shown[: self.limit]) + more if shown else "(nothing)"

    def _obey(self, command: str) -> str:
        name, _, rest = command.partition(" ")
        known = _OBEYED.get(name)
        if known is None:
            closest = close_match(name, COMMANDS) or "help"
            message = f"there is no command `\\{name}`"
            raise CepheidError(Diagnostic("conflicting-options", message, hints=(f"did you mean `\\{closest}`?",)))
        return known(self, rest.split())

    def end(self, _: list[str]) -> str:
        self.is_over = True
        return ""

    def speak(self, words: list[str]) -> str:
        language = words[0] if words else ""
        if language not in LANGUAGE_NAMES:
            hint = f"the languages are {', '.join(LANGUAGE_NAMES)}"
            raise CepheidError(Diagnostic("unknown-language", f"no language is called `{language}`", hints=(hint,)))
        self.language = language
        return ""

    def read_table(self, words: list[str]) -> str:
        match words:
            case [name, file]:
                self.session.add_table(name, file)
                return f"{name}: {file}"
        raise CepheidError(Diagnostic("bad-table", "a table has a name and a file", hints=("write `\\table t t.csv`",)))

    def read_events(self, words: list[str]) -> str:
        self.events = words[0] if words and Path(words[0]).exists() else None
        return f"events: {self.events or 'none'}"

    def show_more(self, words: list[str]) -> str:
        self.limit = int(words[0]) if words and words[0].isdecimal() else SHOWN
        return f"at most {self.limit} values"


_PALETTES: Final = ("tuples", "ltl")
_OBEYED: Final[Mapping[str, Callable[[Conversation, list[str]], str]]] = {
    "definitions": lambda to, _: "\n".join(to.session.definitions) or "(none)",
    "events": Conversation.read_events,
    "help": lambda _, __: "\n".join(f"\\{name:<12} {told}" for name, told in COMMANDS.items()),
    "language": Conversation.speak,
    "limit": Conversation.show_more,
    "quit": Conversation.end,
    "table": Conversation.read_table,
    "tables": lambda to, _: "\n".join(sorted(to.session.tables)) or "(none)",
}
