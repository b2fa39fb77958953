"""Ways out in Python, for queries that the builder made, where an analysis names them in the native language."""

from typing import Final

from cepheid.algebra.programs import Stream
from cepheid.analysis.bounds.advice import KEYS, MORE_TIME, RUN, UNTIL, WINDOW, Wordings
from cepheid.events import Duration


def _declared(stream: Stream) -> str:
    """Return what declares the keys of a stream, and all that was declared about it before."""
    said = [f'"{stream.name}"']
    arrival = stream.arrival
    if arrival is not None and arrival.spaced and arrival.count == 1:
        said.append(f'every="{Duration(arrival.per)}"')
    elif arrival is not None:
        said.append(f'rate="{arrival.count} per {Duration(arrival.per)}"')
    said += [f'disorder="{Duration(stream.disorder)}"'] if stream.disorder else []
    said += [f"sources={list(stream.sources)}"] if stream.sources else []
    return f"say how many there are, in the `streams` of the program: `declare({', '.join([*said, 'keys=1000'])})`"


ADVICE: Final[Wordings] = {
    WINDOW: 'add a window, for example `.within("1 h")`',
    MORE_TIME: 'allow more time, for example `.within("1 h")`',
    RUN: 'limit the run, for example `repeat(a, within="1 h")`',
    UNTIL: 'say until when, for example `.unless(c, after="1 h")`',
    KEYS: _declared,
}
