"""What a kernel for joins takes beside its own state: arrays it has no use for would only take the compiler longer."""

from cepheid.engine.kernels.facts.prefilters import prefilters
from cepheid.engine.kernels.facts.shapes import Shape


def join_arguments(shape: Shape, distances: str) -> str:
    """Return the names of the arguments: lists of what must be absent, distances, and numbers that are compared."""
    names = [distances]
    if shape.absences:
        names = ["absent_heads", "absent_prev", "absent_link", distances, "absent_low", "absent_high"]
    return ", ".join([*names, "numbers", "constant"] if prefilters(shape).conditions else names)
