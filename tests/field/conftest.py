import os
from pathlib import Path

import pytest
from field.guide import VARIABLE


@pytest.fixture
def folder() -> Path:
    """The folder of programs that programs.py has filled."""
    if not (name := os.environ.get(VARIABLE)):
        pytest.skip(f"{VARIABLE} names no folder of programs")
    return Path(name)
