"""What a checkpoint holds: for every bucket and query, the matches that are not complete."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession

from cepheid.analysis import plan_of
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import Progress, TieredDetector, progress
from cepheid.spark.stored_state import INDEX, PIECES, read_program


@dataclass(frozen=True, slots=True)
class BucketState:
    """The state of one query in one bucket: its size in bytes, how far its time has come, and what waits in it.

    What waits in kernels is counted in `entries`, and not told one by one.
    """

    bucket: int
    query: str
    rules: tuple[str, ...]
    size: int
    frontier: int
    entries: int
    waiting: tuple[Progress, ...]


def states(session: SparkSession, checkpoint: Path, rule: str | None = None, most: int = 100) -> Iterator[BucketState]:
    """Yield what a checkpoint holds, bucket by bucket."""
    if not (checkpoint / "state").is_dir():
        raise _no_checkpoint(checkpoint, "it has no folder `state`")
    indexes, pieces = _read(session, checkpoint, INDEX), _read_pieces(session, checkpoint)
    for bucket, index in sorted(indexes.items()):
        for name, told in json.loads(index)["lanes"].items():
            own = pieces[bucket]
            state = b"".join(own[piece] for piece in told["pieces"])
            yield _state(bucket, name.rpartition(":")[0], own[told["program"][0]], state, rule, most)


def _state(bucket: int, query: str, program: bytes, state: bytes, rule: str | None, most: int) -> BucketState:
    told, intervals = read_program(program)
    detector = TieredDetector(plan_of(told, intervals=intervals), state=state)
    entries = sum(one.used for one in detector.usage())
    rules = tuple(one.name for one in told.rules)
    waiting = () if detector.interpreted is None else progress(detector.interpreted, rule, most)
    return BucketState(bucket, query, rules, len(state), detector.frontier, entries, waiting)


def _read(session: SparkSession, checkpoint: Path, variable: str) -> Mapping[int, str]:
    reader = session.read.format("statestore").option("path", str(checkpoint)).option("stateVarName", variable)
    try:
        rows = reader.load().selectExpr("key.bucket", "value.index").collect()
    except (AnalysisException, PySparkException) as error:
        raise _no_checkpoint(checkpoint, str(error).splitlines()[0]) from None
    return {row[0]: row[1] for row in rows}


def _read_pieces(session: SparkSession, checkpoint: Path) -> Mapping[int, Mapping[str, bytes]]:
    reader = session.read.format("statestore").option("path", str(checkpoint)).option("stateVarName", PIECES)
    columns = ("key.bucket", "user_map_key.name", "user_map_value.bytes")
    found: dict[int, dict[str, bytes]] = {}
    for bucket, name, piece in reader.load().selectExpr(*columns).collect():
        found.setdefault(bucket, {})[name] = bytes(piece)
    return found


def _no_checkpoint(checkpoint: Path, reason: str) -> CepheidError:
    message = f"`{checkpoint}` holds no state of a stream: {reason}"
    hint = "name the folder that was given as `checkpointLocation`, or as `checkpoint` of a pipeline"
    return CepheidError(Diagnostic("no-checkpoint", message, hints=(hint,)))
