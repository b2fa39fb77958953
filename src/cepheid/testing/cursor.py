"""A place in a text that moves forward as the text is read."""

import re
from dataclasses import dataclass

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source, Span


@dataclass(slots=True)
class Cursor:
    """The next character to read, in `source` at offset `at`."""

    source: Source
    at: int = 0

    @property
    def next(self) -> str:
        """The next character; nothing at the end of the text."""
        return self.source.text[self.at : self.at + 1]

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what `pattern` matches here, if it does."""
        found = pattern.match(self.source.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def take_text(self, text: str) -> bool:
        """Read `text` if it stands here, and say whether it did."""
        if not self.source.text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def since(self, start: int) -> Span:
        """Return what was read since the cursor was at `start`."""
        return self.source.span(start, self.at)

    def refusal(self, message: str, label: str, hint: str, span: Span | None = None) -> CepheidError:
        """Return the error that points at `span`, or else at the next character."""
        here = span or self.source.span(self.at, min(self.at + 1, len(self.source.text)))
        return CepheidError(Diagnostic("bad-trace", message, (Label(here, label),), hints=(hint,)))
