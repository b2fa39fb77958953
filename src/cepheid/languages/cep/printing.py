"""Programs as texts of the language."""

from cepheid.algebra.programs import Program, Ties
from cepheid.algebra.text.show_programs import shown_program


def show(program: Program) -> str:
    """Return a text that means this program, whatever language it came from.

    >>> from cepheid.algebra.programs import Ties
    >>> show(Program()), show(Program(ties=Ties.ARRIVAL))
    ('ties simultaneous', '')
    """
    return shown_program(program, usual=Ties.ARRIVAL)
