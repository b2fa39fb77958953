"""The same questions in NumPy and in polars, where they can be asked: the most recent A before each B."""

import os

os.environ["POLARS_MAX_THREADS"] = "1"

import numpy as np
import polars as pl

from benchmarks.engine_workload import Workload

SECOND = 1_000_000
A, B = 0, 1


def recent_in_numpy(events: Workload) -> int:
    """Count the B within a second of the last A of its key whose value is greater."""
    order = np.lexsort((events.times, events.keys))
    codes, keys, times, values = (column[order] for column in (events.codes, events.keys, events.times, events.values))
    last = np.maximum.accumulate(np.where(codes == A, np.arange(len(order)), -1))
    rows = np.flatnonzero((codes == B) & (last >= 0))
    before = last[rows]
    near = (keys[before] == keys[rows]) & (times[rows] - times[before] <= SECOND)
    return int((near & (values[rows] > values[before])).sum())


def recent_in_polars(events: Workload) -> int:
    """The same by a join on the time before, with one thread."""
    frame = pl.DataFrame({"code": events.codes, "time": events.times, "key": events.keys, "value": events.values})
    first = frame.filter(pl.col("code") == A).select("time", "key", before=pl.col("value"), since=pl.col("time"))
    second = frame.filter(pl.col("code") == B).select("time", "key", "value")
    joined = second.join_asof(first, on="time", by="key", strategy="backward", check_sortedness=False)
    near = (pl.col("time") - pl.col("since") <= SECOND) & (pl.col("value") > pl.col("before"))
    return joined.filter(near).height
