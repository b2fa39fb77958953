"""Functions and processors for kinds of events, each palette by its name: `cepheid.palettes.signal.peaks()`.

Another package adds one with an entry point of the group `cepheid.palettes`, and it is found here by its name.
"""

from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType

GROUP = "cepheid.palettes"


def palette_names() -> list[str]:
    """Return the names of all palettes that are installed."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


def __getattr__(name: str) -> ModuleType:
    if not name.startswith("_"):
        for entry in entry_points(group=GROUP, name=name):
            return import_module(entry.value)
    raise AttributeError(f"there is no palette `{name}`")
