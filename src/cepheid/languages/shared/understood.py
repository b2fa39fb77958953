"""What one reading of a text gives: the program that it means, and what is remarkable about it."""

from dataclasses import dataclass

from cepheid.algebra.programs import Program
from cepheid.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Understood:
    """A program, and the warnings about a text that is no mistake."""

    program: Program
    remarks: tuple[Diagnostic, ...] = ()
