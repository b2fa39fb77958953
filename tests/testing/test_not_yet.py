"""What `not_yet` puts on a test."""

import pytest

from cepheid.testing import DefinitionRunner
from tests.runners import RUNNERS, expected_failure

MARK = pytest.mark.not_yet("definition", raises=ZeroDivisionError, reason="it divides").mark


def test_a_runner_that_is_named_must_fail_as_said() -> None:
    failure = expected_failure(DefinitionRunner(), [MARK])
    assert failure is not None
    assert failure.name == "xfail"
    assert failure.kwargs == {"strict": True, "raises": ZeroDivisionError, "reason": "it divides"}


def test_any_other_runner_must_pass() -> None:
    assert expected_failure(DefinitionRunner(name="other"), [MARK]) is None


def test_no_two_runners_have_one_name() -> None:
    assert len({runner.name for runner in RUNNERS}) == len(RUNNERS)


@pytest.mark.not_yet("definition", raises=ZeroDivisionError, reason="shows that the mark works")
def test_the_mark_works(runner: DefinitionRunner) -> None:
    if runner.name == "definition":
        raise ZeroDivisionError
