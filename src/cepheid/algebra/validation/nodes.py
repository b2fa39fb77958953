"""What must hold of each pattern by itself: its choice, its bounds, its steps and its schedule."""

from collections.abc import Iterator
from datetime import time
from zoneinfo import available_timezones

from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.patterns import Chain, Either, Instant, Join, Pattern, Repeat, Select, Suppress
from cepheid.algebra.policies import Choice
from cepheid.algebra.schedules import DAYS
from cepheid.algebra.text.words import shown_ticks
from cepheid.algebra.validation.finding import finding, suggestion
from cepheid.algebra.validation.names import variables
from cepheid.diagnostics import Diagnostic

MOST_ITEMS = 1_000_000


def misshapen(pattern: Pattern) -> Iterator[Diagnostic]:
    """Yield what is wrong with this node, whatever it is made of."""
    match pattern:
        case Join(()) | Either(()):
            yield finding("no-parts", "a pattern is made of no parts", pattern, "give it at least one event")
        case Join(parts, policy=policy) if len(parts) != 2 and policy.choice is not Choice.ALL:
            yield _choice_of_many(pattern, policy.choice, len(parts))
        case Select(policy=policy) if policy.choice is not Choice.LATEST_START:
            message = f"`{policy.choice.value}` chooses between the candidates of a join, and this is none"
            yield finding("misplaced-choice", message, pattern, "choose `latest-start`, or choose on the join itself")
        case Suppress(apart=apart) if apart < 1:
            message = f"nothing is left out within `{shown_ticks(apart)}` after a match"
            yield finding("bad-span", message, pattern, "suppress for longer, for example for `10 min`")
        case Repeat():
            yield from _repeat(pattern)
        case Chain():
            yield from _chain(pattern)
        case Instant(schedule=schedule):
            yield from _schedule(pattern, schedule)


def _choice_of_many(join: Join, choice: Choice, count: int) -> Diagnostic:
    message = f"`{choice.value}` chooses between pairs, and this join has {count} part" + "s" * (count != 1)
    return finding("choice-of-many", message, join, "join two parts at a time, as in `(a then b) then c`")


def _repeat(repeat: Repeat) -> Iterator[Diagnostic]:
    if max(repeat.least, repeat.most or 0) > MOST_ITEMS:
        message = f"a repetition of {max(repeat.least, repeat.most or 0):,} items, and {MOST_ITEMS:,} are the most"
        yield finding("too-large", message, repeat, "leave out how many there are at most")
    if repeat.least < 1:
        message = f"a repetition of at least {repeat.least} items"
        yield finding("reversed-bounds", message, repeat, "ask for at least `1`")
    if repeat.most is not None and repeat.most < max(repeat.least, 1):
        message = f"a repetition of at least {repeat.least} and at most {repeat.most} items"
        yield finding("reversed-bounds", message, repeat, f"ask for at most `{max(repeat.least, 1)}` or more")
    if repeat.choice not in (Choice.NEXT, Choice.ALL):
        message = f"a repetition cannot choose `{repeat.choice.value}`"
        yield finding(
            "misplaced-choice", message, repeat, "choose `next` for maximal runs or `all` for every subsequence"
        )


def _chain(chain: Chain) -> Iterator[Diagnostic]:
    named = dict.fromkeys((chain.first, *(follow for step in chain.steps.values() for follow in step.follow)))
    for name in named:
        if name not in chain.steps:
            yield finding("unknown-step", f"there is no step `{name}`", chain, *suggestion(name, chain.steps))
    known = variables(chain)
    for name in chain.observed or ():
        if name not in known:
            yield finding("unknown-variable", f"there is no variable `{name}`", chain, *suggestion(name, known))


def _schedule(instant: Instant, schedule: Expr) -> Iterator[Diagnostic]:
    match schedule:
        case Call("at", (Literal(int()),)):
            return
        case Call("every", (Literal(int() as period), Literal(int()))):
            if period < 1:
                message = f"points of time cannot be {period} ticks apart"
                yield finding("bad-schedule", message, instant, "write a longer period, for example `1 h`")
        case Call("daily", (Literal(str() as clock), Literal(str() as zone))):
            yield from _calendar(instant, clock, zone)
        case Call("weekly", (Literal(str() as day), Literal(str() as clock), Literal(str() as zone))):
            if day not in DAYS:
                hint = f"write `{'`, `'.join(DAYS[:-1])}` or `{DAYS[-1]}`"
                yield finding("bad-schedule", f"there is no day `{day}` of the week", instant, hint)
            yield from _calendar(instant, clock, zone)
        case _:
            hint = 'write `at`, `every`, `daily` or `weekly` with constants, as in `daily("17:00", "UTC")`'
            yield finding("bad-schedule", "the points of time are not said", instant, hint)


def _calendar(instant: Instant, clock: str, zone: str) -> Iterator[Diagnostic]:
    try:
        time.fromisoformat(clock)
    except ValueError:
        hint = "write hours and minutes, for example `17:00`"
        yield finding("bad-schedule", f"`{clock}` is not a time of day", instant, hint)
    if zone not in available_timezones():
        hints = suggestion(zone, available_timezones()) if zone else ("write `UTC`",)
        yield finding("bad-schedule", f"there is no time zone `{zone}`", instant, *hints)
