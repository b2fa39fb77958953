"""The commands of `.case` files. A room keeps its own in `<room>_commands.py` and lists them here."""

from tests.cases.case_file import Command
from tests.cases.diagnostics_commands import draw_marked

COMMANDS: dict[str, Command] = {
    "draw": draw_marked,
}
