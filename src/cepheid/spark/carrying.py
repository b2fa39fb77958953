"""Work on its way to the workers of a cluster, which may lack what it needs: they say so in one line.

What is carried is packed once more, in a function that needs the standard library alone. So a worker that lacks the
package can still run that, and say what is missing, where Spark would show how it failed to unpack.
"""

import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from platform import node
from typing import Any

from pyspark import cloudpickle

Work = Callable[[Iterator[Any]], Iterator[Any]]  # batches of Arrow, which has no types


def carried(work: Work) -> Work:
    """Return work that tells a worker what it lacks: without the package it fails, without Numba it is slower."""
    packed = cloudpickle.dumps(work)  # type: ignore[no-untyped-call]  # it has no types
    compiles_here = find_spec("numba") is not None

    # Nothing of this module may be named in here: it goes along as it is, and the worker need not have the module.
    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pickle
        import platform
        from importlib.util import find_spec as found

        if found("cepheid") is None:
            where = platform.node()
            way_out = "pip install 'cepheid[spark]' there, or send an environment along (spark.archives)"
            raise RuntimeError(f"the worker on `{where}` lacks the package `cepheid`: {way_out}")
        if compiles_here:
            from cepheid.spark.carrying import note_missing_numba

            note_missing_numba()
        received: Iterator[Any] = pickle.loads(packed)(batches)
        return received

    return run


@cache
def note_missing_numba() -> None:
    """Say once in the log of a worker that it lacks Numba, where it does."""
    if find_spec("numba") is None:
        lacks = f"the worker on `{node()}` lacks Numba, so queries run slower there: pip install numba"
        print(f"cepheid: {lacks}", file=sys.stderr)
