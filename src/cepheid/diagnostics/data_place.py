"""The place of a value in data: which input, which line of it, and the path to the value."""

import json
from dataclasses import dataclass

from cepheid.diagnostics.credentials import shown_address


@dataclass(frozen=True, slots=True)
class DataPlace:
    """A value's place; what is not known is left out.

    >>> str(DataPlace("trades.jsonl", 7, ("amount",)))
    'at `$.amount` (trades.jsonl:7)'
    >>> str(DataPlace("trades.jsonl", 7))
    '(trades.jsonl:7)'
    >>> str(DataPlace(path=("legs", 2, "unit price")))
    'at `$.legs[2]["unit price"]`'
    """

    source: str | None = None
    line: int | None = None
    path: tuple[str | int, ...] | None = None

    def __str__(self) -> str:
        return " ".join(part for part in (self._at_path(), self._in_source()) if part)

    def _at_path(self) -> str:
        return "" if self.path is None else f"at `${''.join(map(_step, self.path))}`"

    def _in_source(self) -> str:
        if self.source is None:
            return "" if self.line is None else f"(line {self.line})"
        source = shown_address(self.source)
        return f"({source})" if self.line is None else f"({source}:{self.line})"


def _step(key: str | int) -> str:
    if isinstance(key, str) and key.isidentifier():
        return f".{key}"
    return f"[{json.dumps(key, ensure_ascii=False)}]"
