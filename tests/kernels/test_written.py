"""A kernel is a function: its text says all that its machine code depends on, helpers and flags included."""

import pytest

from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.written import text_of

LIMIT = 5
TRIPLED = "def doubled(value):\n    return 3 * value\n"


def doubled(value: int) -> int:
    """Return twice a value."""
    return 2 * value


def capped(value: int) -> int:
    """Return twice a value, but not more than the limit."""
    return min(doubled(value), LIMIT)


def test_helpers_and_constants_come_along() -> None:
    assert text_of(capped, {}) == (
        "LIMIT = 5\n\n\n@helper\n"
        'def doubled(value: int) -> int:\n    """Return twice a value."""\n    return 2 * value\n\n\n'
        "@machine_code({signature})\n"
        'def run(value: int) -> int:\n    """Return twice a value, but not more than the limit."""\n'
        "    return min(doubled(value), LIMIT)\n"
    )


@pytest.mark.parametrize(("flags", "found"), [({}, 4), ({"LIMIT": 3}, 3), ({"doubled": TRIPLED, "LIMIT": 9}, 6)])
def test_flags_stand_in_place_of_constants_and_of_helpers(flags: dict[str, int | str], found: int) -> None:
    assert compiled(capped, **flags)(2) == found
    assert capped(2) == 4


def test_another_helper_makes_another_kernel() -> None:
    assert compiled(capped).__module__ != compiled(capped, doubled=TRIPLED).__module__
    assert compiled(capped).__module__ == compiled(capped).__module__


def test_a_flag_that_nothing_reads_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="WIDTH"):
        text_of(capped, {"WIDTH": 3})
