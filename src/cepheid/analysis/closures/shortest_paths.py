"""Shortest paths between all places of a graph, of which the lengths of all edges are given.

Most queries have few places, for which lists are quick enough; who has no more need not wait for NumPy.
"""

INFINITE = 2**61  # twice this still fits into 64 bits, and no bound of a query comes near it
LEAST = -INFINITE // 4
FEW = 24  # places, for which lists take a millisecond at most; loading NumPy takes a hundred and more


def closed(lengths: list[list[int]]) -> list[list[int]]:
    """Return the lengths of the shortest paths; a place that is less than zero from itself has no shortest one.

    >>> closed([[0, 2, INFINITE], [INFINITE, 0, 3], [INFINITE, INFINITE, 0]])[0]
    [0, 2, 5]
    """
    return closed_lists(lengths) if len(lengths) <= FEW else closed_arrays(lengths)


def closed_lists(lengths: list[list[int]]) -> list[list[int]]:
    """Return the lengths of the shortest paths, found in lists."""
    upper = [list(row) for row in lengths]
    for middle in range(len(upper)):
        through = tuple(upper[middle])
        for row in upper:
            if (first := row[middle]) < INFINITE:
                row[:] = [one if one <= first + rest else first + rest for one, rest in zip(row, through, strict=True)]
        if upper[middle][middle] < 0:
            # A contradiction doubles in every round: it has been seen, so it need not grow.
            upper = [[max(one, LEAST) for one in row] for row in upper]
    return [[one if one < INFINITE // 2 else INFINITE for one in row] for row in upper]


def closed_arrays(lengths: list[list[int]]) -> list[list[int]]:
    """Return the lengths of the shortest paths, found in arrays."""
    import numpy as np  # which few queries need

    upper = np.array(lengths, dtype=np.int64)
    through = np.empty_like(upper)
    for middle in range(len(upper)):
        # What is infinite becomes a little less or twice as much, and stays far beyond all that is not.
        np.add(upper[:, middle, None], upper[None, middle, :], out=through)
        np.minimum(upper, through, out=upper)
        if upper[middle, middle] < 0:
            np.maximum(upper, LEAST, out=upper)
    upper[upper >= INFINITE // 2] = INFINITE
    found: list[list[int]] = upper.tolist()
    return found
