"""A disk on which there is room for little, so that what is written there fails half way."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def room_for(most: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes; to who writes, that is a failure of the system like any other."""
    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))
