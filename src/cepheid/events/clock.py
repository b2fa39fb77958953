"""The only way to know what time it is: ask the clock you were handed."""

import time
from dataclasses import dataclass
from typing import Protocol

_NANOSECONDS_PER_TICK = 1000


class Clock(Protocol):
    """Something that knows the present, in ticks since 1970 in UTC."""

    def now(self) -> int:
        """Return the present tick."""


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The clock of the machine; a door makes one and hands it in, and nothing else looks at the wall."""

    def now(self) -> int:
        """Return the machine's idea of the present tick."""
        return time.time_ns() // _NANOSECONDS_PER_TICK
