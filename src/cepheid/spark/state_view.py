"""What a checkpoint holds: for every bucket and query, the matches that are not complete."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import isdir
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrameReader, Row, SparkSession

from cepheid.analysis import plan_of
from cepheid.analysis.keys.stages import stage_with
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import Progress, TieredDetector, progress
from cepheid.spark.causes import cause_of
from cepheid.spark.sending import INDEX, PIECES
from cepheid.spark.stored_state import damaged, index_from_text, joined, read_program


@dataclass(frozen=True, slots=True)
class BucketState:
    """The state of one query in one bucket: its size in bytes, how far its time has come, and what waits in it.

    What waits in kernels is counted in `entries`, and not told one by one. `program` and `state` are what was stored:
    the rules, as JSON, and the bytes of the engine.
    """

    bucket: int
    query: str
    rules: tuple[str, ...]
    size: int
    frontier: int
    entries: int
    waiting: tuple[Progress, ...]
    program: bytes
    state: bytes


def states(session: SparkSession, checkpoint: Path, rule: str | None = None, most: int = 100) -> Iterator[BucketState]:
    """Yield what a checkpoint holds, bucket by bucket."""
    if not isdir(checkpoint / "state"):
        raise _no_checkpoint(checkpoint, "it has no folder `state`")
    # A stream has an operator for every stage, with buckets of its own.
    operators = sorted(int(one.name) for one in (checkpoint / "state").iterdir() if one.name.isdigit())
    indexes = {bucket: told for one in operators for bucket, told in _read(session, checkpoint, one).items()}
    pieces = {bucket: told for one in operators for bucket, told in _read_pieces(session, checkpoint, one).items()}
    for bucket, index in sorted(indexes.items()):
        for name, told in index_from_text(index).lanes.items():
            own = pieces.get(bucket, {})
            program, state = joined(own, told["program"]), joined(own, told["pieces"])
            detector = _detector(told["rules"], program, state)
            entries = sum(one.used for one in detector.usage())
            waiting = () if detector.interpreted is None else progress(detector.interpreted, rule, most)
            query, rules = name.rpartition(":")[0], tuple(told["rules"])
            frontier = detector.frontier
            yield BucketState(bucket, query, rules, len(state), frontier, entries, waiting, program, state)


def _detector(rules: Sequence[str], program: bytes, state: bytes) -> TieredDetector:
    """Return the detector of some rules of a program in its state: all of them, or those of a stage."""
    told, intervals = read_program(program)
    plan = plan_of(told, intervals=intervals)
    stage = None if len(rules) == len(told.rules) else stage_with(plan, rules)
    return TieredDetector(plan if stage is None else stage.plan, state=state, stage=stage)


def _read(session: SparkSession, checkpoint: Path, operator: int) -> Mapping[int, str]:
    rows = _rows(_reader(session, checkpoint, operator, INDEX), checkpoint, "key.bucket", "value.index")
    return {row[0]: row[1] for row in rows}


def _read_pieces(session: SparkSession, checkpoint: Path, operator: int) -> Mapping[int, Mapping[str, bytes]]:
    columns = ("key.bucket", "user_map_key.name", "user_map_value.bytes")
    found: dict[int, dict[str, bytes]] = {}
    for bucket, name, piece in _rows(_reader(session, checkpoint, operator, PIECES), checkpoint, *columns):
        found.setdefault(bucket, {})[name] = bytes(piece)
    return found


def _rows(reader: DataFrameReader, checkpoint: Path, *columns: str) -> Sequence[Row]:
    """Return what Spark reads of a checkpoint, or say why it cannot."""
    try:
        return reader.load().selectExpr(*columns).collect()
    except AnalysisException as error:
        raise _no_checkpoint(checkpoint, str(error).splitlines()[0]) from None
    except (PySparkException, Py4JError) as error:
        raise damaged(f"Spark cannot read it: {cause_of(str(error))}") from None


def _reader(session: SparkSession, checkpoint: Path, operator: int, variable: str) -> DataFrameReader:
    reader = session.read.format("statestore").option("path", str(checkpoint)).option("operatorId", operator)
    return reader.option("stateVarName", variable)


def _no_checkpoint(checkpoint: Path, reason: str) -> CepheidError:
    message = f"`{checkpoint}` holds no state of a stream: {reason}"
    hint = "name the folder that was given as `checkpointLocation`, or as `checkpoint` of a pipeline"
    return CepheidError(Diagnostic("no-checkpoint", message, hints=(hint,)))
