"""Settings of the trainings in tests."""

import pytest


@pytest.fixture(autouse=True)
def quick_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes JAX compile quickly, in subprocesses too: it takes longer than a short training."""
    monkeypatch.setenv("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
