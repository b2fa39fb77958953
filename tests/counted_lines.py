"""How much is done, in lines of ours that run: it is the same on every machine, however busy."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any


@dataclass
class Count:
    """How many lines ran."""

    lines: int = 0


@contextmanager
def lines_of_ours() -> Iterator[Count]:
    """Count the lines of ours that run; a loop over many of something counts each time."""
    count, before = Count(), sys.gettrace()

    def trace(frame: FrameType, what: str, argument: object) -> Any:  # itself
        if "cepheid" not in frame.f_code.co_filename:
            return None
        count.lines += what == "line"
        return trace

    sys.settrace(trace)
    try:
        yield count
    finally:
        sys.settrace(before)
