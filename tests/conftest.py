"""Profiles, chosen by HYPOTHESIS_PROFILE: some examples, always the same; more of them (`whole`); many new (`soak`).

`unshrunk` are the usual examples, and a failure is told as it was found, which takes less long. `breadth.py` says which
tests are left out. A test that takes `runner` runs on every runner; `not_yet` says for which of them it is known to
fail, and how.
"""

import gc
import os

import pytest
from hypothesis import HealthCheck, Phase, settings

from cepheid.testing import Runner
from tests.breadth import MARKERS, left_out, runs_everything
from tests.runners import RUNNERS, expected_failure

# `too_slow` looks at the wall clock, so it would fail on a busy machine only.
_ANY_SPEED = [HealthCheck.too_slow]

_UNTIMED = settings(deadline=None, suppress_health_check=_ANY_SPEED)

settings.register_profile("default", parent=_UNTIMED, derandomize=True, max_examples=30)
settings.register_profile("ci", parent=settings.get_profile("default"))
settings.register_profile("unshrunk", parent=settings.get_profile("default"), phases=(Phase.explicit, Phase.generate))
settings.register_profile("whole", parent=settings.get_profile("default"), max_examples=100)
settings.register_profile("soak", parent=_UNTIMED, derandomize=False, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "not_yet(*runners, raises, reason): known to fail on these runners")
    for line in MARKERS:
        config.addinivalue_line("markers", line)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    out = [] if runs_everything(config.args) else list(left_out(items))
    config.hook.pytest_deselected(items=out)
    without = set(out)
    items[:] = [item for item in items if item not in without]


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make only, and less often: what was loaded so far stays to the end."""
    gc.freeze()
    gc.set_threshold(5000, 20, 50)


@pytest.fixture(params=RUNNERS, ids=lambda runner: runner.name)
def runner(request: pytest.FixtureRequest) -> Runner:
    running: Runner = request.param
    failure = expected_failure(running, request.node.iter_markers("not_yet"))
    if failure is not None:
        request.applymarker(failure)
    return running
