"""Kernels as plain Python: the same source, run without being compiled, so that many shapes can be tried.

Room is made in the smallest steps, so that it is made all the time.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from cepheid.engine.kernels import (
    automaton_log,
    chain_state,
    combination_stage,
    compiled,
    event_log,
    key_numbers,
    made_tables,
    pair_log,
    pair_stage,
    rule_kernel,
    run_log,
    span_log,
    stage_keys,
)

_HEAD = "NEVER = -(1 << 62)\n\n\n"


@contextmanager
def plain_kernels() -> Iterator[None]:
    """Run kernels as they are written; an index beyond the end of an array is then an error.

    They may reckon with what is left in unused room, as machine code does, and then make no use of it.
    """
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore", invalid="ignore"):
        patch.setattr(compiled, "_HEAD", _HEAD)
        for module, name in ((event_log, "LEAST_ROOM"), (rule_kernel, "LEAST_ROOM"), (rule_kernel, "MOST_MATCHES")):
            patch.setattr(module, name, 1)
        for stage in (
            automaton_log,
            span_log,
            chain_state,
            combination_stage,
            made_tables,
            pair_log,
            pair_stage,
            run_log,
        ):
            patch.setattr(stage, "LEAST_ROOM", 1)
        patch.setattr(rule_kernel, "MANY_KEYS", 0)
        patch.setattr(rule_kernel, "MANY_AT_WORK", 0)
        patch.setattr(stage_keys, "MANY_KEYS", 0)
        patch.setattr(key_numbers, "LEAST_ROOM", 1)
        patch.setattr(span_log, "MOST_PAIRS", 2)
        yield
