"""Cepheid: complex event processing for Python and Spark that says what a query will cost before it runs.

    import cepheid as c

    a, b = c.event("A"), c.event("B")
    rise = c.query((a >> b).within("1 s").where(b.value > a.value), name="Rise")

What users of the Python builder need is here; the rooms below have the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cepheid.names import *  # noqa: F403  # every name of that module, and it lists them


def __getattr__(name: str) -> object:
    """Return a name when it is first asked for: who needs one room alone, as a worker of Spark does, loads no more."""
    names = import_module("cepheid.names")
    if name != "__all__" and name not in names.__all__:
        raise AttributeError(f"module `cepheid` has no attribute `{name}`")
    return getattr(names, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *import_module("cepheid.names").__all__])
