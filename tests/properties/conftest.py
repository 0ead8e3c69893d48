"""How many examples are tried: few and always the same ones, or thousands by `make prove`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "quick", max_examples=40, deadline=None, derandomize=True, suppress_health_check=SLOW
)
settings.register_profile("full", max_examples=2000, deadline=None, suppress_health_check=SLOW)
settings.load_profile("full" if os.environ.get("JUDGE_PROVE") == "full" else "quick")
