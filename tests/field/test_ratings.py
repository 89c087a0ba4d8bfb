"""Ratings of ten results, compared with the guide's table."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FOLDER = os.environ.get("PINCHTP_FIELD", "")

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not FOLDER, reason="PINCHTP_FIELD names no folder of programs"),
]


def test_libraries_rate_as_the_guide_says() -> None:
    from field.rating_table import table, written  # noqa: PLC0415  (needs the programs)

    assert table(Path(FOLDER)) == written()
