"""The commands of `.case` files. A room keeps its own in `<room>_commands.py` and lists them here."""

from tests.cases.algebra_commands import shown_again
from tests.cases.case_file import Command
from tests.cases.diagnostics_commands import draw_marked
from tests.cases.events_commands import durations, times
from tests.cases.languages_commands import described, lowered, parsed, remarked
from tests.cases.rewrites_commands import rewritten, with_bounded_memory
from tests.cases.testing_commands import traces

COMMANDS: dict[str, Command] = {
    "bounded_memory": with_bounded_memory,
    "describe": described,
    "draw": draw_marked,
    "duration": durations,
    "lower": lowered,
    "parse": parsed,
    "remarks": remarked,
    "rewrite": rewritten,
    "text": shown_again,
    "time": times,
    "trace": traces,
}
