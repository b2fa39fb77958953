"""Names of files to read: a file, a directory of them, or a pattern such as `logs/*.parquet`."""

import os
from glob import glob, has_magic
from pathlib import Path

from cepheid.connectors.byte_streams import is_waited_for, readable
from cepheid.connectors.files import is_known
from cepheid.connectors.records import Reading
from cepheid.diagnostics import unreadable


def paths_of(name: str) -> list[str]:
    """Return the paths that a name or a pattern means, in the order of their names."""
    if not _is_pattern(name):
        return [name]
    found = sorted(path for path in glob(name, recursive=True) if not _is_aside(Path(path)))
    if not found:
        raise unreadable(name, "no file has a name like this")
    return found


def files_of(path: Path, reading: Reading) -> list[Path]:
    """Return a file, or the known files of a directory by their names; all of them, if it is said what they are."""
    with readable(str(path)):
        if not path.is_dir():
            _look_at(path)
            return [path]
        inside = sorted(found for found in path.rglob("*") if found.is_file() and not _is_hidden(found, path))
    known = [found for found in inside if reading.is_told or is_known(found)]
    reading.notes.note_ignored(found for found in inside if found not in known)
    if not known:
        endings = "`.jsonl`, `.csv`, `.parquet` or `.arrow`"
        raise unreadable(str(path), "there are no events in this directory", f"give its files the ending {endings}")
    return known


def is_there(name: str) -> bool:
    """Say whether a name or a pattern means files and directories, which can be read again."""
    paths = glob(name, recursive=True) if _is_pattern(name) else [name]
    return bool(paths) and all(os.path.exists(path) and not is_waited_for(path) for path in paths)


def is_among(path: str, name: str) -> bool:
    """Say whether a file that is there is one of those that a name or a pattern means."""
    if not os.path.isfile(path):
        return False
    target = os.path.realpath(path)
    paths = glob(name, recursive=True) if _is_pattern(name) else [name]
    return any(target == found or _is_inside(Path(target), Path(found)) for found in map(_real, paths))


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # a name that no file has
        return path


def _is_inside(path: Path, directory: Path) -> bool:
    """Say whether a file is read with the directory that it is in."""
    return is_known(path) and path.is_relative_to(directory) and not _is_hidden(path, directory)


def _is_pattern(name: str) -> bool:
    """Say whether a name is a pattern; a file may be called like one."""
    return has_magic(name) and "\0" not in name and not os.path.lexists(name)


def _look_at(path: Path) -> None:
    """Make sure that there is such a file."""
    try:
        path.stat()
    except ValueError:
        raise unreadable(str(path), "no file has such a name") from None


def _is_hidden(path: Path, root: Path) -> bool:
    return any(_is_aside(Path(part)) for part in path.relative_to(root).parts)


def _is_aside(path: Path) -> bool:
    return path.name.startswith((".", "_"))
