"""The elements of a value that is a collection, or may be one."""

from collections.abc import Iterable, Mapping

from cepheid.algebra.graphs.objects import Thing


def elements(value: Thing) -> Iterable[Thing]:
    """Return what a collection holds: nothing for None, a mapping its values, and what is no collection is one element.

    >>> list(elements([1, 2])), list(elements(None)), list(elements("text")), list(elements({"a": 3}))
    ([1, 2], [], ['text'], [3])
    """
    if value is None:
        return ()
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return (value,)
    return value
