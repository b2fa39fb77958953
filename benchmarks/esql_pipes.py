"""What eSQL costs beside the same pipe in Python: S1 to S4 of the paper, both in one run, with equal answers checked.

    python -m benchmarks.esql_pipes

Processor time of one core, the least of several runs over the same tuples.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time
from typing import Any

import cepheid
from cepheid import pipes as p

TUPLES, TIMES = 200_000, 4
DEFINITIONS = """
WHEN @P IS A PROCESSOR: THE COUNT OF @P IS THE PROCESSOR COMBINE (APPLY CONSTANT 1 WITH @P) WITH ADDITION.
WHEN @P IS A PROCESSOR: THE AVERAGE OF @P IS THE PROCESSOR APPLY $0 / $1 WITH COMBINE @P WITH ADDITION, THE COUNT OF @P.
"""
TEXTS = {
    "S1": "SELECT * FROM @t",
    "S2": "SELECT * FROM @t WHERE stockSymbol = 1",
    "S3": "GET (THE AVERAGE OF *) FROM (APPLY closingPrice WITH (@t) WHERE stockSymbol = 1) ON A WINDOW OF 5",
    "S4": "(WITH (TRIM 49 OF @t) AS $e, (GET (THE AVERAGE OF *) FROM (APPLY price WITH @t) ON A WINDOW OF 50) AS $m)"
    " WHERE e.price > m",
}


def pipes() -> dict[str, p.Processor]:
    """The same in Python."""
    average = p.cumulate(p.add) / (p.turn_into(1) | p.cumulate(p.add))
    first = p.where(p.field("stockSymbol") == 1)
    means = p.apply(p.field("price")) | p.window(average, 50)
    above = p.where(p.x["e"]["price"] > p.x["m"])
    return {
        "S1": p.passthrough(),
        "S2": first,
        "S3": first | p.apply(p.field("closingPrice")) | p.window(average, 5),
        "S4": p.fan(p.trim(49), means) | p.collate("e", "m") | above,
    }


def least(*runs: Callable[[], Any]) -> list[float]:
    """The least processor time of each of some runs, which take turns."""
    found = [float("inf")] * len(runs)
    for _ in range(TIMES):
        for place, run in enumerate(runs):
            begun = process_time()
            run()
            found[place] = min(found[place], process_time() - begun)
    return found


def main() -> None:
    """Print the seconds of both and their ratio, which is to be below 1.1."""
    random = Random(1)
    rows = [
        {"stockSymbol": random.randrange(1, 6), "closingPrice": random.random() * 100, "price": random.random() * 100}
        for _ in range(TUPLES)
    ]
    for name, pipe in pipes().items():
        query = cepheid.compile(DEFINITIONS + TEXTS[name], language="esql")
        assert query.run(t=rows) == pipe.run(rows), name
        in_python, in_esql = least(partial(pipe.run, rows), partial(query.run, t=rows))
        print(f"{name}  Python {in_python:.4f} s  eSQL {in_esql:.4f} s  ratio {in_esql / in_python:.2f}")


if __name__ == "__main__":
    main()
