"""What waits for partners: occurrences of both sides of a join in one log, in the order in which they end.

A row is of the left side, of the right one or of both. `listed` says on which sides it waits; the lists that a kernel
goes through lead from row to row, and begin in `heads`. Rows from `done` on wait for their instant to be complete.
Where the latest start is chosen, `latest` has that of each row and all behind it in its list. Where places count,
`places` has the first and the last one of each row. Where sides have keys of their own, `rival` has the number of the
group among which a row competes, and `taken` those that it was taken with.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.row_store import ByRow, KeyedRows
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.compiled import Kernel, compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.facts.time_bounds import AT_ONCE
from cepheid.engine.kernels.pairs.pair_dominance import keep_best_ends, keep_best_starts
from cepheid.engine.kernels.pairs.pair_lists import (
    CHRONOLOGICAL,
    FIRST_GROUP,
    LATEST_START,
    NEXT_GROUP,
    PairLimits,
    PairLists,
    PairRows,
    link_pairs,
    merge_sides,
    note_latest_starts,
    note_live,
)
from cepheid.engine.kernels.pairs.pair_taken import Taken, TakenLog, link_taken
from cepheid.engine.kernels.tables.occurrences import Occurrences
from cepheid.engine.kernels.tables.standing import Standing, standing_at
from cepheid.events import MAX_TIME, MIN_TIME

LEFT, RIGHT, BOTH = 1, 2, 3

Tie = tuple[int, bool]
"""As `PairShape` has it, and whether rows have weights instead."""


class PairLog(KeyedRows):
    """The rows of a join of two, each made of at most `width` events; `tie` and `settles` are as `PairShape` says.

    `standing` says where occurrences are in the stream, where that counts. `by_arrival`: events of one time come one
    after the other, so that lists go by positions. `rivals` are the sides that have keys of their own.
    """

    times: Data
    member: Data
    refs: Data
    listed: Data
    places: Data
    weight: Data
    rival: Data
    link: Data
    latest: Data

    def __init__(
        self,
        width: int,
        choice: int,
        tie: Tie,
        settles: int | None,
        standing: Standing | None,
        rivals: int = 0,
        *,
        by_arrival: bool = False,
        follows: bool = False,
    ) -> None:
        self.tie, self.weighed = tie
        self.choice, self.settles, self.rivals, self.follows = choice, settles, rivals, follows
        self.counts, self.standing, self.by_arrival = standing is not None, standing, by_arrival
        super().__init__(
            # Lists of a key are linked where there may be several of a side.
            width=NEXT_GROUP + 2 if rivals else FIRST_GROUP,
            times=ByRow(np.int64, 3),
            member=ByRow(np.uint8),
            refs=ByRow(np.int64, width),
            listed=ByRow(np.uint8),
            places=ByRow(np.int64, 0 if standing is None else standing.height),
            weight=ByRow(np.int64, 2 if self.weighed else 0),
            rival=ByRow(np.int32, 2 if rivals else 0, written=bool(rivals)),
            link=ByRow(np.int32, 2, written=False),
            latest=ByRow(np.int64, 2 if choice == LATEST_START else 0, written=False),
        )
        self.done, self.taken = 0, TakenLog(self.room if rivals else 0)

    @property
    def start(self) -> Data:
        found: Data = self.times[0]
        return found

    @property
    def end(self) -> Data:
        found: Data = self.times[1]
        return found

    @property
    def rows(self) -> PairRows:
        """All rows, as kernels take them; by arrival, positions stand where times do, and the other way round."""
        times, positions = (self.start, self.end), (self.low, self.high)
        first, second = (positions, times) if self.by_arrival else (times, positions)
        return PairRows(*first, *second, self.member, self.key, self.rival)

    @property
    def lists(self) -> PairLists:
        """The lists of what waits, as kernels take them."""
        return PairLists(self.heads, self.link, self.listed)

    def marks(self) -> Taken:
        """Return the marks of what was taken, as kernels take them, with room for what any row can take."""
        if self.rivals:
            self.taken.make_room(4 * max(len(self.heads), self.top))
        return self.taken.marks

    @property
    def weights(self) -> tuple[int, Data]:
        """What breaks ties: of level rows the one with the greatest number is better, times the number before that."""
        if self.weighed:
            return 1, self.weight
        return (-self.tie, self.times[1:2]) if self.choice == CHRONOLOGICAL else (self.tie, self.times[:1])

    @property
    def low(self) -> Data:
        found: Data = self.places[0] if self.counts else self.times[0]
        return found

    @property
    def high(self) -> Data:
        found: Data = self.places[1] if self.counts else self.times[1]
        return found

    def append(self, found: Occurrences, member: int | Data, key: int | Data) -> None:
        """Add rows; there must be room for them."""
        rows = self.added(len(found))
        for line, times in enumerate((found.start, found.end, found.known)):
            self.times[line, rows] = times
        self.member[rows], self.key[rows] = member, key
        self.refs[: len(found.refs), rows] = found.refs
        self.refs[len(found.refs) :, rows] = -1
        self._note_new(rows)

    def merge(self, left: Occurrences, right: Occurrences, keys: Data) -> None:
        """Add rows of both sides, the keys of the right one behind those of the left one; there must be room."""
        rows = self.added(len(left) + len(right))
        columns = zip((left.start, left.end, left.known), (right.start, right.end, right.known), strict=True)
        times = np.stack([np.concatenate(both) for both in columns])
        refs = np.full((len(self.refs), times.shape[1]), -1, np.int64)
        refs[: len(left.refs), : len(left)] = left.refs
        refs[: len(right.refs), len(left) :] = right.refs
        compiled(merge_sides)(times, refs, keys, len(left), rows.start, self.times, self.refs, self.member, self.key)
        self._note_new(rows)

    def _note_new(self, rows: slice) -> None:
        """Note of new rows that they do not wait yet, and where they are."""
        self.listed[rows] = 0
        if self.standing is not None:
            self.places[:, rows] = standing_at(self.standing, self.refs[:, rows])

    def compete(self, first: int, groups: Sequence[int | Data]) -> None:
        """Let rows from one on have the numbers of their rivals, which are told for each side."""
        for side, numbers in enumerate(groups):
            rows = first + np.flatnonzero((self.member[first : self.top] >> side) & 1)
            self.rival[side, rows] = numbers if len(rows) else 0

    def pack(self, kept: Rows, room: int) -> None:
        """Keep some of the rows, in their order, and make room; they are to be linked."""
        rows, self.done = self.top, int(np.searchsorted(kept, self.done))
        self.keep(kept, room)
        if self.rivals:
            self.taken.pack(kept, rows, self.room)

    def relink(self) -> None:
        """Make the lists anew."""
        compiled(link_pairs, RIVALS=self.rivals)(self.done, self.rows, self.lists, self.choice)
        if self.rivals:
            compiled(link_taken)(self.taken.top, self.taken.marks)
        if self.choice == LATEST_START:
            compiled(note_latest_starts)(self.done, self.rows, self.lists, self.latest)

    def live(self, limits: PairLimits, coming: Data) -> Rows:
        """Return the rows that something can still come of, in order.

        That is, where partners of each side that are still to come end at a time or later, and not before its place.
        """
        kept = np.empty(self.top, np.int32)
        # What the kernel has not seen yet may end earlier than what is still to come.
        least = np.minimum(coming, self.end[self.done]) if self.done < self.top else coming
        times, places = np.repeat(least[:, None], self.top, axis=1), self._coming(least)
        first, second = (places, times) if self.by_arrival else (times, places)
        waiting = self.listed
        if self.settles is not None:
            waiting = self._not_outdone(self._settled(first))
        kernel = compiled(note_live, POSITIONS=self.counts)
        return kept[: kernel(self.done, self.top, self.rows, waiting, limits, first, second, kept)]

    def _coming(self, least: Data) -> Data:
        """Return for each side and row before which place no partner is to come; nothing where places do not count."""
        if self.standing is None:
            return np.zeros((2, 0), np.int64)
        places = self.places[:, : self.top]
        return np.stack([self.standing.coming(int(time), places) for time in least])

    def _settled(self, coming: Data) -> int:
        """Return before when only the best of what ended counts, where partners that come end at a time or later."""
        if self.settles is None or self.settles == AT_ONCE or not coming.size:
            return MAX_TIME
        return max(int(coming.min()) - self.settles, MIN_TIME)

    def _not_outdone(self, settled: int) -> Data:
        """Return on which sides rows wait, where of those that ended before a time only the best can be taken."""
        waiting, best = self.listed.copy(), np.empty((len(self.heads), 2), np.int32)
        if self.choice == LATEST_START:
            compiled(keep_best_starts, RIVALS=self.rivals)(self.done, self.rows, waiting, settled, best)
        else:
            kernel, lasting = self._best_ends(), np.full(len(self.heads), MIN_TIME, np.int64)
            kernel(self.done, self.rows, waiting, settled, *self.weights, best, lasting)
        return waiting

    def _best_ends(self) -> Kernel:
        return compiled(keep_best_ends, RIVALS=self.rivals, FOLLOWS=self.follows)

    def written(self) -> dict[str, Entry]:
        """Return the rows by name; the lists are made anew from them."""
        return {"done": self.done, **super().written(), **(self.taken.written() if self.rivals else {})}

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        """Go on from a state."""
        super().take_up(entries, keys)
        self.done = entries["done"]
        if self.rivals:
            self.taken.take_up(entries, self.room)
        self.relink()
