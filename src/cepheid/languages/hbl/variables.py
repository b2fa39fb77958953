"""The variables of a watchpoint: all that it sets anywhere, and which of them are times."""

from collections.abc import Iterator

from cepheid.languages.hbl.kinds import Kind
from cepheid.languages.hbl.meaning import Names
from cepheid.languages.hbl.syntax import Setting, Watchpoint


def names_of(watchpoint: Watchpoint, unit: int) -> Names:
    """Return what names stand for in a watchpoint.

    A variable is a time if some step sets it to one; kinds only grow, so this comes to an end.
    """
    kinds = {setting.name.name: Kind.PLAIN for setting in _settings(watchpoint)}
    while True:
        names = Names(kinds, unit)
        grown = dict(kinds)
        for setting in _settings(watchpoint):
            name = setting.name.name
            grown[name] = max(grown[name], names.kinded(setting.value).kind)
        if grown == kinds:
            return names
        kinds = grown


def _settings(watchpoint: Watchpoint) -> Iterator[Setting]:
    yield from watchpoint.initially
    for single in watchpoint.singles():
        yield from single.lets
