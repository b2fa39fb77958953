"""Hypothesis profiles, chosen by HYPOTHESIS_PROFILE: the same examples every time, or many new ones (`soak`)."""

import os

from hypothesis import HealthCheck, settings

# `too_slow` looks at the wall clock, so it would fail on a busy machine only.
_ANY_SPEED = [HealthCheck.too_slow]

settings.register_profile(
    "default", derandomize=True, max_examples=100, deadline=None, suppress_health_check=_ANY_SPEED
)
settings.register_profile("ci", parent=settings.get_profile("default"))
settings.register_profile("soak", derandomize=False, max_examples=5000, deadline=None, suppress_health_check=_ANY_SPEED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
