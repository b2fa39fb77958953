"""Every mutant of the definition of patterns and programs."""

from tests.mutants.catalogue import Mutant
from tests.mutants.choices import CHOICE_MUTANTS
from tests.mutants.expressions import EXPRESSION_MUTANTS
from tests.mutants.nodes import NODE_MUTANTS
from tests.mutants.programs import PROGRAM_MUTANTS
from tests.mutants.runs import RUN_MUTANTS

MUTANTS: tuple[Mutant, ...] = EXPRESSION_MUTANTS + CHOICE_MUTANTS + NODE_MUTANTS + RUN_MUTANTS + PROGRAM_MUTANTS
