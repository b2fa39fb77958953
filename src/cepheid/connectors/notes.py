"""What readers note beside the events: the names of all columns, and the files that nobody reads."""

from collections.abc import Iterable
from dataclasses import dataclass, field

_MOST = 1000


@dataclass(slots=True)
class InputNotes:
    """Names of columns, in the order in which they were met, and names of files that were left out."""

    names: dict[str, None] = field(default_factory=dict)
    ignored: dict[str, None] = field(default_factory=dict)

    def note_columns(self, names: Iterable[str]) -> None:
        """Note that an input has these columns."""
        if len(self.names) < _MOST:
            self.names.update(dict.fromkeys(names))

    def note_ignored(self, files: Iterable[object]) -> None:
        """Note that some files are not read."""
        self.ignored.update((str(file), None) for file in files)
