"""Names that a package lists, and whose modules are loaded when one of them is first asked for.

    if TYPE_CHECKING:
        from cepheid.api.compiling import compile, load

    __getattr__, __dir__ = names_on_demand(__name__, {"cepheid.api.compiling": ("compile", "load")})

What is listed twice is compared by `tests/test_on_demand.py`.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def names_on_demand(
    package: str, places: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package whose names are in these modules."""
    module_of = {name: module for module, names in places.items() for name in names}

    def found(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module `{package}` has no attribute `{name}`", name=name, obj=sys.modules[package])
        value = getattr(import_module(module_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of})

    return found, listed
