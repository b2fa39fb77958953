"""Times that are finer than a microsecond are rounded to it, which is said once."""

from dataclasses import dataclass

from cepheid.diagnostics import Diagnostic, Severity, shortened


@dataclass(slots=True)
class Rounding:
    """How many times were rounded, and the first of them as it was given."""

    count: int = 0
    first: str = ""

    def note(self, value: object, unit: str = "") -> None:
        self.first = self.first or shortened(f"{value} {unit}".strip())
        self.count += 1

    def add(self, other: "Rounding") -> None:
        """Count what was rounded elsewhere."""
        self.first = self.first or other.first
        self.count += other.count

    @property
    def warnings(self) -> list[Diagnostic]:
        """What there is to say about it: nothing, or one warning.

        >>> Rounding().warnings
        []
        """
        if not self.count:
            return []
        message = f"`{self.first}` is finer than a microsecond: such times are rounded to the nearest one"
        notes = () if self.count == 1 else (f"{self.count:,} times were rounded",)
        hints = ("leave out what is finer than a microsecond",)
        return [Diagnostic("rounded-time", message, notes=notes, hints=hints, severity=Severity.WARNING)]
