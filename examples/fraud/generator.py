"""Traces for the experiment with diffusion: groups of four transfers among others that have nothing to do with them.

In a group one account gets an amount and sends a third of it to three others within the window. A quarter of the groups
deals with accounts it always deals with, a quarter stays below the threshold, and the rest is fraud. Time is in whole
milliseconds, and no millisecond holds more events than the rate allows: whatever would not fit is drawn anew. Spaced,
time is in tenths of milliseconds, one event at most in each, which is the same rate.
"""

from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from random import Random
from typing import Final

from cepheid.events import Event, Value, point

MILLISECOND: Final = 1000
THRESHOLD: Final = 100
Route = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a trace is made of; `last_start` is the last millisecond in which a group may begin.

    Without it there is twice the room that all events need at the full rate. `spaced`: no two events are closer than
    the rate says.
    """

    groups: int
    unrelated: int
    seed: int = 0
    rate: int = 10
    window: int = 14
    sources: int = 2
    last_start: int | None = None
    spaced: bool = False

    @property
    def steps(self) -> int:
        """How many steps of time are in a millisecond."""
        return self.rate if self.spaced else 1

    @property
    def most(self) -> int:
        """How many events a step of time may hold."""
        return self.rate // self.steps

    @property
    def latest(self) -> int:
        """The last step of time in which a group may begin."""
        if self.last_start is not None:
            return self.last_start * self.steps
        return (2 * (4 * self.groups + self.unrelated) // self.rate + self.window) * self.steps

    @property
    def width(self) -> int:
        """The window in steps of time."""
        return self.window * self.steps

    @property
    def common(self) -> int:
        """How many groups deal with accounts they always deal with."""
        return self.groups // 4

    @property
    def small(self) -> int:
        """How many groups stay below the threshold."""
        return self.groups // 4


@dataclass(frozen=True, slots=True)
class Trace:
    """The arrivals in the order of their times, each with its source; what is known, and what is to be found."""

    arrivals: tuple[tuple[str, Event], ...]
    routes: tuple[Route, ...]
    frauds: frozenset[tuple[int, int, int, int]]

    @property
    def events(self) -> list[Event]:
        return [event for _, event in self.arrivals]

    @property
    def suspicious(self) -> list[Event]:
        """The transfers of frauds, and unrelated ones of enough money on routes that are not known."""
        members, known = {number for fraud in self.frauds for number in fraud}, set(self.routes)
        return [event for event in self.events if event.id in members or _is_large(event, known)]


@dataclass(frozen=True, slots=True)
class _Transfer:
    time: int
    originator: str
    destination: str
    amount: int


@dataclass(slots=True)
class _Drawing:
    """A trace as it grows."""

    setting: Setting
    random: Random
    slots: Counter[int] = field(default_factory=Counter)
    transfers: list[tuple[_Transfer, int | None]] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)

    def group(self, number: int, *, common: bool, small: bool) -> None:
        """Add an incoming transfer and three outgoing ones."""
        each = self.random.randrange(1, 33) if small else self.random.randrange(34, 999)
        routes = [(f"g{number}-from", f"g{number}")] + [(f"g{number}", f"g{number}-to{which}") for which in range(3)]
        self.routes += routes if common else []
        amounts = [3 * each, each, each, each]
        fraud = None if common or small else number
        times = self._times()
        for time, route, amount in zip(times, routes, amounts, strict=True):
            self.transfers.append((_Transfer(time, *route, amount), fraud))

    def unrelated(self, number: int) -> None:
        """Add a transfer between two accounts that do nothing else."""
        large, common = self.random.random() < 0.5, self.random.random() < 0.9
        amount = self.random.randrange(THRESHOLD, 999) if large else self.random.randrange(1, 99)
        route = (f"u{number}-from", f"u{number}-to")
        self.routes += [route] if common else []
        [time] = self._fitting(lambda: [self.random.randrange(self.setting.latest + self.setting.width + 1)])
        self.transfers.append((_Transfer(time, *route, amount), None))

    def _times(self) -> list[int]:
        def drawn() -> list[int]:
            start = self.random.randrange(self.setting.latest + 1)
            return [start, *(start + self.random.randrange(self.setting.width + 1) for _ in range(3))]

        return self._fitting(drawn)

    def _fitting(self, drawn: Callable[[], list[int]]) -> list[int]:
        """Return times that fit into their steps."""
        while True:
            times = drawn()
            more = Counter(times)
            if all(self.slots[time] + count <= self.setting.most for time, count in more.items()):
                self.slots.update(more)
                return times


def _is_large(event: Event, known: Set[Route]) -> bool:
    originator, amount = str(event.fields["originator"]), event.fields["amount"]
    is_unrelated = originator.startswith("u") and (originator, str(event.fields["destination"])) not in known
    return is_unrelated and isinstance(amount, int) and amount >= THRESHOLD


def generated(setting: Setting) -> Trace:
    """Return the trace of a setting; the same setting gives the same trace."""
    _check_room(setting)
    drawing = _Drawing(setting, Random(setting.seed))
    for number in range(setting.groups):
        common, small = number < setting.common, setting.common <= number < setting.common + setting.small
        drawing.group(number, common=common, small=small)
    for number in range(setting.unrelated):
        drawing.unrelated(number)
    return _trace(drawing)


def _check_room(setting: Setting) -> None:
    room, needed = (setting.latest + 1) * setting.most, 4 * setting.groups + setting.unrelated
    if room < needed:
        span = setting.latest // setting.steps + 1
        raise ValueError(f"{needed} events do not fit into {span} ms at {setting.rate} per ms")


def _trace(drawing: _Drawing) -> Trace:
    """Number the transfers in the order of their times, and hand them to the sources in turn."""
    setting = drawing.setting
    ordered = sorted(range(len(drawing.transfers)), key=lambda place: drawing.transfers[place][0].time)
    numbers = {place: number for number, place in enumerate(ordered, start=1)}
    arrivals = tuple(
        (
            f"MoneyTransferred_{numbers[place] % setting.sources + 1}",
            _event(numbers[place], drawing.transfers[place][0], MILLISECOND // setting.steps),
        )
        for place in ordered
    )
    members: dict[int, list[int]] = {}
    for place, (_, fraud) in enumerate(drawing.transfers):
        if fraud is not None:
            members.setdefault(fraud, []).append(numbers[place])
    frauds = frozenset((one, *sorted(others)) for one, *others in members.values())
    return Trace(arrivals, tuple(drawing.routes), frozenset((a, b, c, d) for a, b, c, d in frauds))


def _event(number: int, transfer: _Transfer, step: int) -> Event:
    fields: dict[str, Value] = {
        "id": number,
        "originator": transfer.originator,
        "destination": transfer.destination,
        "amount": transfer.amount,
    }
    return point("MoneyTransferred", transfer.time * step, number, fields)
