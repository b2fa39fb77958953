"""Hypothesis profiles, chosen by HYPOTHESIS_PROFILE: always the same examples, or many new ones (`soak`)."""

import os

from hypothesis import HealthCheck, settings

# `too_slow` looks at the wall clock, so it would fail on a busy machine only.
_ANY_SPEED = [HealthCheck.too_slow]

_UNTIMED = settings(deadline=None, suppress_health_check=_ANY_SPEED)

settings.register_profile("default", parent=_UNTIMED, derandomize=True, max_examples=100)
settings.register_profile("ci", parent=settings.get_profile("default"))
settings.register_profile("soak", parent=_UNTIMED, derandomize=False, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
