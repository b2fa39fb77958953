"""A clock that stands still until a test moves it."""

from dataclasses import dataclass

from cepheid.events import Duration


@dataclass(slots=True)
class MovableClock:
    """A clock that shows what it was set to.

    >>> clock = MovableClock(at=100)
    >>> clock.move(Duration.milliseconds(1))
    >>> clock.now()
    1100
    """

    at: int = 0

    def now(self) -> int:
        """Return the tick the clock was last moved to."""
        return self.at

    def move(self, by: Duration) -> None:
        """Let time pass, or turn the clock back by a negative duration, as machines at times do."""
        self.at += by.ticks
