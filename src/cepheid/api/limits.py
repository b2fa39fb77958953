"""How many matches one event may complete, and how fast events may come."""

from collections.abc import Iterator
from contextlib import contextmanager

from cepheid.connectors import Form, show_time
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import Engine, Excess, TooManyMatches


def engine_that_counts(name: str, most: int | None) -> Engine:
    """Return what runs a query of which one event may complete at most so many matches: kernels take many at once."""
    engine = Engine(name)
    if most is None:
        return engine
    at_least_one("max_matches", most)
    if engine is Engine.KERNELS:
        message = "only the interpreter counts the matches of each event"
        hint = 'leave out `max_matches`, or write `engine="interpreter"`'
        raise CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))
    return Engine.INTERPRETER


def excess_of(name: str) -> Excess:
    """Return what becomes of events that come faster than declared."""
    return Excess(name)


def at_least_one(option: str, count: int) -> int:
    """Return what an option counts, or refuse it where it leaves room for nothing."""
    if count < 1:
        message = f"`{option}` is {count}, and 1 is the least"
        raise CepheidError(Diagnostic("conflicting-options", message, hints=(f"leave out `{option}`",)))
    return count


@contextmanager
def counted(form: Form) -> Iterator[None]:
    """Say that one event completes too many matches, and which."""
    try:
        yield
    except TooManyMatches as found:
        raise too_many(found, form) from None


def too_many(found: TooManyMatches, form: Form) -> CepheidError:
    """Return the error that names the rule and the event."""
    event = found.event
    by = "the end of the input" if event is None else f"`{event.type}` of {show_time(event.end, form)}, `{event.id}`,"
    what = f"{found.most:,} matches" if found.partial is None else f"{found.partial:,} partial matches"
    message = f"{by} completes more than {what} of `{found.rule}`"
    hints = (
        'let a choice take one of them, for example `policy="recent"`, or make the window smaller',
        f"allow for more: `--max-matches {found.most * 10}`",
    )
    return CepheidError(Diagnostic("too-many-matches", message, hints=hints))
