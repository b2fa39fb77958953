"""Numbers of keys: every different key has its own, and however keys are spread, one is found near where it belongs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.engine.kernels.columns.key_numbers import WHOLE, WORD, KeyNumbers

MANY = 60_000
COUNTED = np.arange(MANY, dtype=np.int64)
KEYS = {
    "one after the other": COUNTED + 1_000_000,
    "up and down from zero": np.where(COUNTED % 10 == 0, COUNTED // 10, -1 - COUNTED),
    "two ranges": np.where(COUNTED % 2 == 0, COUNTED, COUNTED + (1 << 40)),
    "far apart": COUNTED << 20,
    "at random": np.random.default_rng(1).integers(-(1 << 62), 1 << 62, MANY),
}
LONGEST = 100


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_keys_do_not_pile_up(keys: np.ndarray) -> None:
    numbers = KeyNumbers()
    assert numbers.of(keys, WHOLE).tolist() == list(range(MANY))
    assert numbers.of(keys, WHOLE).tolist() == list(range(MANY))
    free = np.flatnonzero(numbers.table < 0)
    assert np.diff(free, prepend=-1, append=len(numbers.table)).max() < LONGEST


@given(st.lists(st.tuples(st.sampled_from([WHOLE, WORD]), st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-9, 9))))
def test_each_key_has_a_number_of_its_own(keys: list[tuple[int, int]]) -> None:
    numbers, known = KeyNumbers(), dict[tuple[int, int], int]()
    for space, key in keys:
        (found,) = numbers.of(np.array([key], np.int64), space).tolist()
        assert found == known.setdefault((space, key), len(known))
