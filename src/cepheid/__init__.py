"""Cepheid: complex event processing for Python and Spark that says what a query will cost before it runs.

    import cepheid as c

    a, b = c.event("A"), c.event("B")
    rise = c.query((a >> b).within("1 s").where(b.value > a.value), name="Rise")

What most queries need is here, the rest in `c.agg`, `c.allen`, `c.ltl`, `c.parts`, `c.pipes` and `c.terms`.
Each name is loaded when it is first asked for: who needs one package alone, as a worker of Spark does, loads no more.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from cepheid import names

if TYPE_CHECKING:
    from cepheid import agg as agg
    from cepheid import allen as allen
    from cepheid import dbapi as dbapi
    from cepheid import esql as esql
    from cepheid import ltl as ltl
    from cepheid import parts as parts
    from cepheid import pipes as pipes
    from cepheid import terms as terms

    # What is in a namespace was here once, and who wrote `c.avg` need not change it.
    from cepheid.agg import *  # noqa: F403
    from cepheid.algebra.builder.pipes import choose as choose
    from cepheid.algebra.builder.pipes import collate as collate
    from cepheid.algebra.builder.pipes import transition as transition
    from cepheid.algebra.builder.pipes import yield_ as yield_
    from cepheid.allen import *  # noqa: F403
    from cepheid.ltl import *  # noqa: F403
    from cepheid.names import *  # noqa: F403
    from cepheid.parts import *  # noqa: F403
    from cepheid.pipes import Item as Item
    from cepheid.pipes import Trace as Trace
    from cepheid.pipes import detections as detections
    from cepheid.pipes import here as here
    from cepheid.pipes import stream as stream
    from cepheid.pipes import total as total
    from cepheid.terms import *  # noqa: F403

_PLACES = {name: f"cepheid.{space}" for space, inside in names.NAMESPACES.items() for name in inside}
_PLACES |= dict.fromkeys(names.__all__, "cepheid.names")
_PLACES |= {name: place for place, inside in names.ONCE_AT_THE_TOP.items() for name in inside}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return [*names.__all__, *names.NAMESPACES]
    if name in names.NAMESPACES:
        return import_module(f"cepheid.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module `cepheid` has no attribute `{name}`")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted([*names.__all__, *names.NAMESPACES, *(name for name in globals() if name.startswith("__"))])
