"""The relations of two intervals as functions: `during(a, b)` is `a.during(b)`."""

from cepheid.algebra.builder.patterns import Part


def after(left: Part, right: Part) -> Part:
    """`left` starts strictly after `right` has ended."""
    return left.after(right)


def meets(left: Part, right: Part) -> Part:
    """`right` starts when `left` ends."""
    return left.meets(right)


def met_by(left: Part, right: Part) -> Part:
    """`left` starts when `right` ends."""
    return left.met_by(right)


def overlaps(left: Part, right: Part) -> Part:
    """`left` starts first and ends inside `right`."""
    return left.overlaps(right)


def overlapped_by(left: Part, right: Part) -> Part:
    """`right` starts first and ends inside `left`."""
    return left.overlapped_by(right)


def starts(left: Part, right: Part) -> Part:
    """Both start together, and `left` ends first."""
    return left.starts(right)


def started_by(left: Part, right: Part) -> Part:
    """Both start together, and `right` ends first."""
    return left.started_by(right)


def finishes(left: Part, right: Part) -> Part:
    """Both end together, and `left` starts last."""
    return left.finishes(right)


def finished_by(left: Part, right: Part) -> Part:
    """Both end together, and `right` starts last."""
    return left.finished_by(right)


def during(left: Part, right: Part) -> Part:
    """`left` lies strictly inside `right`."""
    return left.during(right)


def contains(left: Part, right: Part) -> Part:
    """`right` lies strictly inside `left`."""
    return left.contains(right)


def equals(left: Part, right: Part) -> Part:
    """Both start together and end together."""
    return left.equals(right)


def par(left: Part, right: Part) -> Part:
    """Both last, and some of their time is the same."""
    return left.par(right)
