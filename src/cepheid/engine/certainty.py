"""The least frontier at which something is certain; None where only the end of the input makes it so."""


def not_before(known: int | None, other: int | None) -> int | None:
    """Return when two things both are certain."""
    return None if known is None or other is None else max(known, other)
