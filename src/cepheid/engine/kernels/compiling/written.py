"""The text of a kernel that is a function of Python: the constants and helpers that it names come along with it.

So a kernel is linted, typed and can be run as it is, and its text says all that its machine code depends on: where a
helper in another file changes, the text does, and the code is made anew. Where kernels differ in what never changes
while they run, that is a constant of the module, in capitals, which a flag replaces: machine code is then made without
the branches that are never taken. What a query says itself is a helper whose text is made of its expressions.
"""

import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from functools import cache

Function = Callable[..., object]
Flag = bool | int | str
"""What stands in place of a constant; or the text of a helper, which stands in place of that."""
ENTRY = "@machine_code({signature})\n"


def text_of(function: Function, flags: Mapping[str, Flag]) -> str:
    """Return the text of a function, called `run`, behind all that it names, with flags in place of constants."""
    return _text_of(function, tuple(sorted(flags.items())))


@cache
def _text_of(function: Function, flags: tuple[tuple[str, Flag], ...]) -> str:
    """Return a text; a flag that nothing reads would be a mistake of ours."""
    constants: dict[str, object] = {}
    helpers: dict[str, str] = {}
    _gather(function, dict(flags), constants, helpers)
    assert all(name in constants or name in helpers for name, _ in flags), flags
    lines = [f"{name} = {value!r}\n" for name, value in sorted(constants.items())]
    parts = ["".join(lines), *(f"@helper\n{text}" for text in helpers.values())]
    return "\n\n".join([*parts, ENTRY + _renamed(inspect.getsource(function))])


def _gather(
    function: Function, flags: Mapping[str, Flag], constants: dict[str, object], helpers: dict[str, str]
) -> None:
    """Note what a function names in its module: constants, and functions behind what they name themselves."""
    known = inspect.unwrap(function).__globals__
    for name in _names_in(function.__code__):
        value = flags.get(name, known.get(name))
        if isinstance(value, str) and name in flags:
            helpers[name] = value
        elif isinstance(value, types.FunctionType) and name not in helpers:
            _gather(value, flags, constants, helpers)
            helpers[name] = inspect.getsource(value)
        elif isinstance(value, int | float):
            assert constants.setdefault(name, value) == value, f"two constants are called {name}"


def _names_in(code: types.CodeType) -> Iterator[str]:
    """Yield the names that code reads from its module, those of functions inside of it too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)


def _renamed(source: str) -> str:
    head, name, rest = source.partition("def ")
    assert not head, source
    return f"{name}run{rest[rest.index('(') :]}"
