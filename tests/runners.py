"""All that runs programs. A new runner joins the list, and with it every test that takes `runner` and every page."""

from collections.abc import Iterable

import pytest

from cepheid.testing import DefinitionRunner, Runner
from tests.engine_runner import EngineRunner
from tests.kernels_runner import KernelsRunner

RUNNERS: tuple[Runner, ...] = (
    DefinitionRunner(),
    EngineRunner(),
    EngineRunner("engine, restarted", restarts=True),
    KernelsRunner(usually_plain=True),
)


def expected_failure(runner: Runner, marks: Iterable[pytest.Mark]) -> pytest.MarkDecorator | None:
    """The strict expectation that `not_yet` puts on a test for the runners it names."""
    for mark in marks:
        if runner.name in mark.args:
            return pytest.mark.xfail(strict=True, raises=mark.kwargs["raises"], reason=mark.kwargs["reason"])
    return None
