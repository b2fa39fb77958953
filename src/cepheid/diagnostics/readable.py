"""The error for a file that cannot be read."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from cepheid.diagnostics.close_match import close_match
from cepheid.diagnostics.credentials import shown_address
from cepheid.diagnostics.diagnostic import Diagnostic
from cepheid.diagnostics.error import CepheidError


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Say that the input `name` cannot be read where the system or the format says so."""
    try:
        yield
    except FileNotFoundError:
        raise unreadable(name, "there is no such file", *_near(name)) from None
    except IsADirectoryError:
        raise unreadable(name, "it is a directory") from None
    except PermissionError:
        raise unreadable(name, "it may not be read") from None
    except UnicodeDecodeError:
        raise unreadable(name, "some of its text is not UTF-8") from None
    except (OSError, EOFError, ValueError) as error:
        raise unreadable(name, str(error).partition("\n")[0].rstrip(".")) from None


def _near(name: str) -> tuple[str, ...]:
    """Return the hint that names a file beside it which is called almost so."""
    folder, file = os.path.split(name)
    try:
        closest = close_match(file, [one for one in os.listdir(folder or ".") if not one.startswith(".")])
    except (OSError, ValueError):
        return ()
    return () if closest is None else (f"did you mean `{os.path.join(folder, closest)}`?",)


def unreadable(name: str, reason: str, *hints: str) -> CepheidError:
    """Return the error that says why an input cannot be read."""
    return CepheidError(
        Diagnostic("unreadable-input", f"`{shown_address(name)}` cannot be read: {reason}", hints=hints)
    )
