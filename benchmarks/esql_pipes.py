"""What eSQL costs beside the same pipe in Python: S1 to S4 of `make bench-pipes`, in one run, with equal answers.

    python -m benchmarks.esql_pipes

Processor time of one core, the least of several runs over the same tuples.
"""

from collections.abc import Callable
from functools import partial
from time import thread_time
from typing import Any

import cepheid
from benchmarks.pipes.measure import tuples
from benchmarks.pipes.queries import QUERIES

TUPLES, TIMES = 200_000, 5
DEFINITIONS = """
WHEN @P IS A PROCESSOR: THE COUNT OF @P IS THE PROCESSOR COMBINE (APPLY CONSTANT 1 WITH @P) WITH ADDITION.
WHEN @P IS A PROCESSOR: THE AVERAGE OF @P IS THE PROCESSOR APPLY $0 / $1 WITH COMBINE @P WITH ADDITION, THE COUNT OF @P.
"""
TEXTS = {
    "S1": "SELECT * FROM @t",
    "S2": "SELECT * FROM @t WHERE symbol = 1",
    "S3": "GET (THE AVERAGE OF *) FROM (APPLY close WITH (@t) WHERE symbol = 1) ON A WINDOW OF 5",
    "S4": "APPLY e WITH (WITH (TRIM 49 OF @t) AS $e, (GET (THE AVERAGE OF *) FROM (APPLY close WITH @t)"
    " ON A WINDOW OF 50) AS $m) WHERE e.close > m",
}


def least(*runs: Callable[[], Any]) -> list[float]:
    """The least processor time of each of some runs, which take turns."""
    found = [float("inf")] * len(runs)
    for _ in range(TIMES):
        for place, run in enumerate(runs):
            begun = thread_time()
            run()
            found[place] = min(found[place], thread_time() - begun)
    return found


def main() -> None:
    """Print the seconds of both and their ratio, which is to be below 1.1."""
    rows = tuples(TUPLES)
    for name, text in TEXTS.items():
        pipe, query = QUERIES[name], cepheid.compile(DEFINITIONS + text, language="esql")
        assert query.run(t=rows) == pipe.run(rows), name
        in_python, in_esql = least(partial(pipe.run, rows), partial(query.run, t=rows))
        print(f"{name}  Python {in_python:.4f} s  eSQL {in_esql:.4f} s  ratio {in_esql / in_python:.2f}")


if __name__ == "__main__":
    main()
