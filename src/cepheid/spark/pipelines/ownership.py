"""What a run remembers beside Spark's own checkpoint: its id, and the schemas that it inferred.

Numbers of batches name directories of the output, so a checkpoint and the outputs that were written with it belong
together: both hold the id of their run. Only paths of this machine are looked after.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from cepheid.diagnostics import CepheidError, Diagnostic

_FILE = "_cepheid.json"  # readers of Spark pass over names with an underscore
_RUN, _SCHEMAS = "run", "schemas"


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


def may_write(output: Path, run: str | None) -> bool:
    """Say whether a run may write into a directory: it is new or empty, or the run wrote it itself."""
    if not output.exists() or not any(output.iterdir()):
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
    file = directory / _FILE
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _write(directory: Path, content: dict[str, object]) -> None:
    """Write all or nothing: a crash leaves the old file or the new one."""
    directory.mkdir(parents=True, exist_ok=True)
    new = directory / f"{_FILE}.new"
    new.write_text(json.dumps(content), encoding="utf-8")
    new.replace(directory / _FILE)
