"""A mutant in force: the functions of its module run the changed code until it is put back.

Functions stay the objects they are, so every module that has imported one runs the mutant too.
"""

import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType, ModuleType

from cepheid.algebra.remembering import ByIdentity
from tests.mutants.catalogue import Mutant


@contextmanager
def in_force(mutant: Mutant) -> Iterator[None]:
    """Let the mutant's code run inside the `with`."""
    module = importlib.import_module(mutant.module)
    functions = _functions(module)
    kept = {name: function.__code__ for name, function in functions.items()}
    _forget(module)
    try:
        for name, code in _changed_codes(mutant, frozenset(kept)).items():
            functions[name].__code__ = code
        yield
    finally:
        for name, code in kept.items():
            functions[name].__code__ = code
        _forget(module)


def _forget(module: ModuleType) -> None:
    """Drop what the functions of a module remember: the right answers before a mutant, and the wrong ones after it."""
    for value in vars(module).values():
        if isinstance(value, ByIdentity):
            value.kept.clear()


@cache
def _changed_codes(mutant: Mutant, functions: frozenset[str]) -> dict[str, CodeType]:
    """Return those of the functions that the mutant changes, by their qualified names; there is always one."""
    module = importlib.import_module(mutant.module)
    source = _source(mutant.module)
    found = source.count(mutant.old)
    assert found == 1, f"`{mutant.name}`: its old text stands {found} times in {mutant.module}"
    old, new = (dict(_codes(compile(text, module.__file__ or "", "exec"))) for text in (source, _mutated(mutant)))
    changed = {name: code for name, code in new.items() if name in functions and _does(code) != _does(old[name])}
    assert changed, f"`{mutant.name}` changes no function of {mutant.module}"
    return changed


def _mutated(mutant: Mutant) -> str:
    return _source(mutant.module).replace(mutant.old, mutant.new)


@cache
def _source(module: str) -> str:
    return inspect.getsource(importlib.import_module(module))


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    """Yield the functions of a module and the methods of its classes."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and "<" not in constant.co_qualname:
            yield constant.co_qualname, constant
            yield from _codes(constant)


def _does(code: CodeType) -> tuple[object, ...]:
    """Return what a function does, wherever it stands in its file."""
    inner = tuple(_does(one) if isinstance(one, CodeType) else (type(one), one) for one in code.co_consts)
    return (code.co_code, inner, code.co_names, code.co_varnames)


def _functions(module: ModuleType) -> dict[str, FunctionType]:
    found: dict[str, FunctionType] = {}
    for value in vars(module).values():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        members = vars(value).values() if isinstance(value, type) else [value]
        for member in members:
            function = (
                member.fget if isinstance(member, property) else inspect.unwrap(member) if callable(member) else None
            )
            if isinstance(function, FunctionType):
                found[function.__qualname__] = function
    return found
