"""More matches of a rule at one step than are allowed: nobody wants a million of them because of one event."""

from cepheid.events import Event

_ON_THE_WAY, _FEW = 100, 1000


class TooManyMatches(Exception):  # noqa: N818  # the door that knows the form of times makes an error of it
    """A rule has more than `most` matches that become certain by one event, or by the end of the input.

    Or it has so many `partial` ones, from which matches are made.
    """

    def __init__(self, most: int, rule: str = "", event: Event | None = None, partial: int | None = None) -> None:
        super().__init__(most, rule, event, partial)
        self.most, self.rule, self.event, self.partial = most, rule, event, partial

    def by(self, rule: str, event: Event | None) -> "TooManyMatches":
        """Return the same of a rule, and of the event that completes them."""
        return TooManyMatches(self.most, rule, event, self.partial)


def most_on_the_way(most: int) -> int:
    """Return how many partial matches a rule may make at one step where it may tell at most so many.

    >>> most_on_the_way(5), most_on_the_way(1_000_000)
    (100000, 100000000)
    """
    return _ON_THE_WAY * max(most, _FEW)
