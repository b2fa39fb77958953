"""The keys of slices, and how the last outputs of all slices are gathered."""

import math
from collections.abc import Iterable

from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.refusals import refusal


def slice_key(value: Thing) -> Thing:
    """Return the key of a slice: a list as a tuple, and all that are not a number as one."""
    if isinstance(value, float) and value != value:
        return math.nan
    key = tuple(value) if isinstance(value, list) else frozenset(value) if isinstance(value, set) else value
    try:
        hash(key)
    except TypeError:
        message = f"a `{type(value).__name__}` cannot be the key of a slice"
        raise refusal(message, "slice on a number, a text or a tuple") from None
    return key


def gathered(gather: str, outputs: Iterable[tuple[Thing, Thing]]) -> Thing:
    """Return the last outputs of all slices: by their keys, or as a set."""
    if gather == "map":
        return dict(outputs)
    try:
        return {output for _, output in outputs}
    except TypeError:
        raise refusal("the outputs of slices cannot be in a set", 'write `gather="map"`') from None
