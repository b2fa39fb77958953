"""The variables of a watchpoint: all that it sets anywhere, and which of them are times."""

from collections.abc import Iterator, Mapping, Sequence

from cepheid.languages.hbl.kinds import Kind
from cepheid.languages.hbl.meaning import Names
from cepheid.languages.hbl.syntax import Setting, Watchpoint
from cepheid.languages.shared.terms import Term


def names_of(watchpoint: Watchpoint, unit: int) -> Names:
    """Return what names stand for in a watchpoint: a variable is a time if some step sets it to one.

    Kinds grow until nothing is learnt. `d = now() - q` is taken for a time as long as `q` is not known for one, so that
    in the end all are looked at once more.
    """
    settings = [(one.name.name, one.value) for one in _settings(watchpoint)]
    kinds, before = {name: Kind.PLAIN for name, _ in settings}, dict[str, Kind]()
    while kinds != before:
        before = dict(kinds)
        for name, value in settings:
            kinds[name] = max(kinds[name], Names(kinds, unit).kinded(value).kind)
    again = _kinds_under(kinds, settings, unit)
    return Names(again if _kinds_under(again, settings, unit) == again else kinds, unit)


def _kinds_under(kinds: Mapping[str, Kind], settings: Sequence[tuple[str, Term]], unit: int) -> dict[str, Kind]:
    """Return the greatest kind that each variable is set to, where the variables have some kinds."""
    names, found = Names(kinds, unit), {name: Kind.PLAIN for name, _ in settings}
    for name, value in settings:
        found[name] = max(found[name], names.kinded(value).kind)
    return found


def _settings(watchpoint: Watchpoint) -> Iterator[Setting]:
    yield from watchpoint.initially
    for single in watchpoint.singles():
        yield from single.lets
