"""More matches of a rule at one step than are allowed: nobody wants a million of them because of one event."""

from cepheid.events import Event


class TooManyMatches(Exception):  # noqa: N818  # the door that knows the form of times makes an error of it
    """A rule has more than `most` matches that become certain by one event, or by the end of the input."""

    def __init__(self, most: int, rule: str = "", event: Event | None = None) -> None:
        super().__init__(most, rule, event)
        self.most, self.rule, self.event = most, rule, event
