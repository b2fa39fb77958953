"""A diagnostic says what is wrong, where, and how to mend it.

The message is lower case and has no full stop; names of the user's stand in backticks. The first label is the
primary one and says what is wrong at its place; further labels point at what it has to do with. A hint can be
typed as it stands.
"""

from dataclasses import dataclass
from enum import Enum

from cepheid.diagnostics.codes import codes
from cepheid.diagnostics.credentials import without_credentials
from cepheid.diagnostics.data_place import DataPlace
from cepheid.diagnostics.source import Span


class Severity(Enum):
    """An error stops the work, a warning does not, and a note only tells."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """What there is to say about one place in a text; perhaps nothing but that this is the place."""

    span: Span
    text: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", without_credentials(self.text))


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding, with a registered code; `place` is for findings in data, `labels` for those in a text.

    Addresses stand in it without their passwords.
    """

    code: str
    message: str
    labels: tuple[Label, ...] = ()
    hints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    place: DataPlace | None = None
    severity: Severity = Severity.ERROR

    def __post_init__(self) -> None:
        if self.code not in codes:
            raise ValueError(f"the code `{self.code}` is not registered in cepheid.diagnostics.codes")
        object.__setattr__(self, "message", without_credentials(self.message))
        object.__setattr__(self, "hints", tuple(map(without_credentials, self.hints)))
        object.__setattr__(self, "notes", tuple(map(without_credentials, self.notes)))
