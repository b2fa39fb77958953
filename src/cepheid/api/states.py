"""What the checkpoint of a stream holds."""

from pathlib import Path
from typing import TYPE_CHECKING

from cepheid.api.on_spark import require_spark

if TYPE_CHECKING:
    from cepheid.spark.state_view import BucketState


def checkpoint_states(checkpoint: str, rule: str | None = None, most: int = 20) -> "list[BucketState]":
    """Return what a checkpoint holds, bucket by bucket, with at most so many partial matches of each rule."""
    require_spark()
    from cepheid.spark.sessions import local_session
    from cepheid.spark.state_view import states

    return list(states(local_session("cepheid state"), Path(checkpoint), rule, most))
