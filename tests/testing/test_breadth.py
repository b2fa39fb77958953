"""What the profile `default` leaves out, and that the long profiles leave out nothing."""

from dataclasses import dataclass

import pytest
from hypothesis import settings

from tests.breadth import left_out, runs_everything


@dataclass(frozen=True)
class Collected:
    """A test as it is collected."""

    nodeid: str
    mark: pytest.Mark | None = None

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.mark if self.mark is not None and self.mark.name == name else None


def names_left_out(*items: Collected) -> list[str]:
    return [item.nodeid for item in left_out(items)]


def test_one_in_three_of_the_parameters_of_each_test_stays() -> None:
    mark = pytest.mark.one_in(3).mark
    items = [Collected(f"{test}[{number}]", mark) for number in range(5) for test in "ab"]
    assert names_left_out(*items) == ["a[1]", "b[1]", "a[2]", "b[2]", "a[4]", "b[4]"]


def test_what_is_not_marked_stays() -> None:
    assert names_left_out(Collected("a[1]"), Collected("a[2]"), Collected("b", pytest.mark.xfail.mark)) == []


def test_what_is_for_the_soak_goes() -> None:
    assert names_left_out(Collected("a[1]"), Collected("a[2]", pytest.mark.soak.mark)) == ["a[2]"]


@pytest.mark.parametrize(
    ("profile", "arguments", "everything"),
    [
        ("default", ["tests/engine"], False),
        ("ci", [], False),
        ("unshrunk", [], False),
        ("default", ["tests/engine/test_room.py::test_a"], True),
        ("whole", [], True),
        ("soak", [], True),
    ],
)
def test_a_long_profile_and_a_name_leave_nothing_out(profile: str, arguments: list[str], everything: bool) -> None:
    usual = settings.get_current_profile_name()
    settings.load_profile(profile)
    try:
        assert runs_everything(arguments) is everything
    finally:
        settings.load_profile(usual)
