"""What a table that is pushed to a detector says of time, before anything of it is taken."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cepheid.connectors import EventColumns
from cepheid.events import Event, Jumps

Times = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Arriving:
    """Events of a table that are about to be taken, where the input has come as far as `latest`, None at its start."""

    events: EventColumns
    latest: int | None
    disorder: int

    @property
    def before(self) -> Times:
        """How far the input has come before each of the events."""
        ends = self.events.ends
        reached = np.empty(len(ends), np.int64)
        reached[:1] = ends[:1] if self.latest is None else self.latest
        np.maximum.accumulate(ends[:-1], out=reached[1:])
        np.maximum(reached[1:], reached[:1], out=reached[1:])
        return reached

    def is_plain(self, jumps: Jumps[None], *, strict: bool) -> bool:
        """Say whether all can be taken at once: none is far ahead, and none that is late must be an error."""
        ends = self.events.ends
        if not len(ends):
            return True
        if jumps.is_far(int(ends[0]), self.latest):
            return False
        reached = int(ends[0]) if self.latest is None else self.latest
        if not strict and (jumps.most is None or int(ends.max()) - reached <= jumps.most):
            return True
        before = self.before
        far = jumps.most is not None and bool((ends - before > jumps.most).any())
        return not far and not (strict and bool((ends < before - self.disorder).any()))

    def late(self, accepted: npt.NDArray[np.bool_]) -> list[tuple[Event, int]]:
        """Return the events that were not accepted, each with how far the input had come."""
        rows = np.flatnonzero(~accepted)
        return list(zip(self.events.take(rows).objects(), self.before[rows].tolist(), strict=True))
