"""Files that a text names: whoever parses the text says how their names are resolved. Nothing here reads a file."""

from collections.abc import Callable
from typing import TypeAlias

from cepheid.diagnostics import Span
from cepheid.languages.shared.findings import refusal

Resolve: TypeAlias = Callable[[str], str]
"""Returns the text of a file; raises `OSError`, `LookupError` or `ValueError` where there is none."""


class NotAllowed(PermissionError):  # noqa: N818  # nothing is wrong with the file
    """A text may not read this file; `folder` is where it would be allowed."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self.folder = folder


def resolved(file: str, span: Span, resolve: Resolve | None) -> str:
    """Return the text of a file that is named at some place."""
    if resolve is None:
        message, label = f"`{file}` cannot be read: nothing says where files are", "a file is named here"
        raise refusal("unresolved-file", message, span, label, "call `parse(text, resolve=read_file)`")
    try:
        return resolve(file)
    except NotAllowed as error:
        message = f"`{file}` may not be read: it is not in the folder of the query"
        hint = f"allow it: `--allow-files {error.folder}`, or in Python `compile(text, allow_files=[{error.folder!r}])`"
        raise refusal("file-not-allowed", message, span, "named here", hint) from None
    except (OSError, LookupError, ValueError) as error:
        message, label = f"`{file}` cannot be read: {_reason(error)}", "named here"
        raise refusal("unresolved-file", message, span, label, "check the name of the file") from None


def _reason(error: OSError | LookupError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "its bytes are not UTF-8"
    if isinstance(error, ValueError):
        return "no file can be called so"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "there is no such file"
