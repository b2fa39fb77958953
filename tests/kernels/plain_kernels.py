"""Kernels as plain Python: the same source, run without being compiled, so that many shapes can be tried.

Room is made in the smallest steps, so that it is made all the time, and two matches are told in columns. What machine
code could not take is an error.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache, wraps

import numpy as np
import pytest

from cepheid.engine.kernels.automata import automaton_log
from cepheid.engine.kernels.columns import key_numbers, row_store, words_in_use
from cepheid.engine.kernels.compiling import compiled
from cepheid.engine.kernels.doors import event_door
from cepheid.engine.kernels.intake import event_log, suppression
from cepheid.engine.kernels.joins import combination_stage, pair_stage
from cepheid.engine.kernels.rules import kernel_run
from cepheid.engine.kernels.sequences import rule_kernel
from cepheid.engine.kernels.stages import span_log, stage_keys
from cepheid.engine.kernels.tables import chain_matches
from cepheid.events import MAX_TIME, MIN_TIME
from tests.breadth import all_is_run

_HEAD = """from __future__ import annotations

from numba import types
from numpy import uint64

NEVER = -(1 << 62)


def helper(function):
    return function


def machine_code(*signature):
    return helper


def read_only(kind):
    return types.Array(kind, 1, "C", readonly=True)


"""
_WRITTEN = compiled._function


@cache
def _checked(head: str, source: str, signature: str) -> compiled.Kernel:
    """Return a kernel that is as strict about its arguments as machine code."""
    kernel = _WRITTEN(head, source, signature)

    @wraps(kernel)
    def run(*arguments: object) -> object:
        for one in arguments:
            if isinstance(one, int) and not MIN_TIME <= one <= MAX_TIME:
                raise OverflowError(f"{one} does not fit into 64 bits")
        return kernel(*arguments)

    return run


@contextmanager
def plain_kernels() -> Iterator[None]:
    """Run kernels as they are written; an index beyond the end of an array, or a number beyond 64 bits, is an error.

    They may reckon with what is left in unused room, as machine code does, and then make no use of it.
    """
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore", invalid="ignore"):
        patch.setattr(compiled, "_HEAD", _HEAD)
        patch.setattr(compiled, "_function", _checked)
        for module, name in ((event_log, "LEAST_ROOM"), (rule_kernel, "LEAST_ROOM"), (rule_kernel, "MOST_MATCHES")):
            patch.setattr(module, name, 1)
        for stage in (
            automaton_log,
            row_store,
            combination_stage,
            pair_stage,
        ):
            patch.setattr(stage, "LEAST_ROOM", 1)
        patch.setattr(rule_kernel, "MANY_KEYS", 0)
        patch.setattr(rule_kernel, "MANY_AT_WORK", 0)
        patch.setattr(stage_keys, "MANY_KEYS", 0)
        patch.setattr(suppression, "MANY_KEYS", 0)
        patch.setattr(key_numbers, "LEAST_ROOM", 1)
        patch.setattr(words_in_use, "MANY", MIN_TIME)  # so that words always have other codes in a snapshot
        patch.setattr(kernel_run, "MANY_WORDS", 0)
        patch.setattr(span_log, "MOST_PAIRS", 2)
        for named in (chain_matches, event_door):
            patch.setattr(named, "FEW", 2)
        yield


def usually_plain() -> AbstractContextManager[None]:
    """Run kernels as they are written, and as machine code in the long profiles.

    It is for tests that are not about machine code, but would have much of it made: that takes seconds for each kernel.
    """
    return nullcontext() if all_is_run() else plain_kernels()
