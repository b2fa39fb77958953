"""Where occurrences stand in what a rule sees, and where what is still to come will stand."""

from typing import Protocol

import numpy as np

from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.facts.time_bounds import MOST
from cepheid.engine.kernels.tables.event_tables import Tables
from cepheid.events import MAX_TIME, MIN_TIME


class Standing(Protocol):
    """Places have so many lines: the first and the last place, and whatever else tells what is still to come."""

    @property
    def height(self) -> int:
        """How many lines places have."""

    def places(self, refs: Data) -> Data:
        """Return the places of occurrences; the last one is -1 where nothing of an occurrence has a place."""

    def coming(self, time: int, places: Data) -> Data:
        """Return for occurrences before which place nothing is that ends at a time or later, and is still to come."""

    def settled(self, place: Data, places: Data, /) -> Data:
        """Return when it was certain what stands at a place of the stream of each occurrence.

        What is no more remembered was certain long ago.
        """

    def one_of(self, places: Data) -> Data:
        """Return one of the records of each occurrence; -1 where all stand in one stream."""


def standing_at(standing: Standing, refs: Data) -> Data:
    """Return the places of occurrences that wait; one without any lies after all others, so that none passes it by."""
    places = standing.places(refs)
    places[:2, places[1] < 0] = MOST
    return places


class Serials:
    """The serial number of a given event is its place."""

    height = 2

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def places(self, refs: Data) -> Data:
        return self.tables.places(refs)

    def coming(self, time: int, places: Data) -> Data:
        return np.full(places.shape[1], self.tables.given.place_at(time))

    def settled(self, place: Data, _: Data, /) -> Data:
        given = self.tables.given
        rows, found = place - given.base, np.full(len(place), MIN_TIME)
        there = np.flatnonzero((rows >= 0) & (rows < given.log.done))
        found[there] = given.known(rows[there])
        found[rows >= given.log.done] = MAX_TIME
        return found

    def one_of(self, places: Data) -> Data:
        return np.full(places.shape[1], -1)
