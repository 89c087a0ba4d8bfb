"""The report that tests of its files and of its page read."""

from pathlib import Path

import pytest
from reports import report


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report, which no test changes."""
    made = tmp_path_factory.mktemp("report")
    assert report(made) == 0
    return made
