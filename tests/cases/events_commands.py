"""Commands about time.

`duration` reads a duration per line and shows it again with its ticks; `time <form>` does the same with
points in time.
"""

from typing import cast

from cepheid.events import Duration, TimeForm, format_time, parse_time


def durations(arguments: str, text: str) -> str:
    read = [Duration.parse(line) for line in text.split("\n")]
    return "\n".join(f"{duration} = {duration.ticks}" for duration in read)


def times(arguments: str, text: str) -> str:
    form = cast(TimeForm, arguments)
    read = [parse_time(line, form) for line in text.split("\n")]
    return "\n".join(f"{format_time(time, form)} = {time}" for time in read)
