"""What a run remembers beside Spark's own checkpoint: its id, the schemas that it inferred, and its settings.

Numbers of batches name directories of the output, so a checkpoint and the outputs that were written with it belong
together: both hold the id of their run. Only paths of this machine are looked after.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from os.path import exists, isfile
from pathlib import Path
from typing import Any
from uuid import uuid4

from cepheid.diagnostics import CepheidError, Diagnostic, readable

_FILE = "_cepheid.json"  # readers of Spark pass over names with an underscore
_RUN, _SCHEMAS, _SETTINGS, _DIGEST, _BEGINS = "run", "schemas", "settings", "digest", "begins"


def run_of(checkpoint: Path) -> str | None:
    """Return the id of the run that a checkpoint belongs to, None where it is new."""
    found = _read(checkpoint).get(_RUN)
    return found if isinstance(found, str) else None


def begin(checkpoint: Path, new: Callable[[], object] = uuid4) -> str:
    """Return the id of the run of a checkpoint, which gets one where it is new."""
    known = run_of(checkpoint)
    if known is not None:
        return known
    run = str(new())
    _write(checkpoint, {**_read(checkpoint), _RUN: run})
    return run


def schema_of(checkpoint: Path, source: str) -> str | None:
    """Return the schema that was inferred for a source when the run began, as JSON."""
    found = _read(checkpoint).get(_SCHEMAS, {}).get(source)
    return found if isinstance(found, str) else None


def remember_schema(checkpoint: Path, source: str, schema: str) -> None:
    """Keep the schema of a source, so that files which come later do not change it."""
    known = _read(checkpoint)
    _write(checkpoint, {**known, _SCHEMAS: {**known.get(_SCHEMAS, {}), source: schema}})


def beginning_of(checkpoint: Path, source: str) -> Mapping[str, Any] | None:
    """Return where a source began when the run did, None where it is new."""
    found: Mapping[str, Any] | None = _read(checkpoint).get(_BEGINS, {}).get(source)
    return found


def remember_beginning(checkpoint: Path, source: str, begins: Mapping[str, Any]) -> None:
    """Keep where a source begins, so that the first batch has the same events however often it is repeated."""
    known = _read(checkpoint)
    _write(checkpoint, {**known, _BEGINS: {**known.get(_BEGINS, {}), source: begins}})


def settings_in(checkpoint: Path) -> Mapping[str, Any] | None:
    """Return the settings that a checkpoint was made with, None where it is new."""
    found: Mapping[str, Any] | None = _read(checkpoint).get(_SETTINGS)
    return found


def remember_settings(checkpoint: Path, settings: Mapping[str, Any]) -> None:
    """Keep the settings of the run that goes on."""
    _write(checkpoint, {**_read(checkpoint), _SETTINGS: settings})


def noted(directory: Path) -> dict[str, Any]:  # JSON that we wrote
    """Return what was noted in a directory, nothing where it is new."""
    return _read(directory)


def note(directory: Path, content: dict[str, object]) -> None:
    """Note something in a directory: all of it, or nothing."""
    _write(directory, content)


def may_write(output: Path, run: str | None) -> bool:
    """Say whether a run may write into a directory: it is new or empty, or the run wrote it itself."""
    if not exists(output) or not any(output.iterdir()):
        return True
    return run is not None and run_of(output) == run


def claim(output: Path, run: str) -> None:
    """Make a directory that of a run, or refuse."""
    if not may_write(output, run):
        raise foreign_output(str(output))
    _write(output, {_RUN: run})


def foreign_output(name: str) -> CepheidError:
    """Return the error for a directory that something else was written to."""
    message = f"`{name}` belongs to another run"
    hint = "bring back the checkpoint of that run, or give `path` and `checkpoint` new names"
    return CepheidError(Diagnostic("foreign-output", message, hints=(hint,)))


def _read(directory: Path) -> dict[str, Any]:  # JSON that we wrote
    """Return what a directory holds of ours; what is not as it was written is refused."""
    file = directory / _FILE
    if not isfile(file):
        return {}
    with readable(str(file)):
        written = file.read_bytes()
    try:
        found = json.loads(written)
    except ValueError:
        raise _damaged(file) from None
    if not isinstance(found, dict) or found.pop(_DIGEST, None) != _digest(found):
        raise _damaged(file)
    return found


def _write(directory: Path, content: dict[str, object]) -> None:
    """Write all or nothing: a crash leaves the old file or the new one."""
    directory.mkdir(parents=True, exist_ok=True)
    new = directory / f"{_FILE}.new"
    new.write_text(json.dumps({**content, _DIGEST: _digest(content)}), encoding="utf-8")
    new.replace(directory / _FILE)


def _digest(content: Mapping[str, object]) -> str:
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=12).hexdigest()


def _damaged(file: Path) -> CepheidError:
    message = f"`{file}` is not as it was written"
    hint = "bring it back from a copy, or give `path` and `checkpoint` new names"
    return CepheidError(Diagnostic("damaged-checkpoint", message, hints=(hint,)))
