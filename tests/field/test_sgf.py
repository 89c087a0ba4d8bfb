"""Our records in other programs, compared with the guide's table."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FOLDER = os.environ.get("PINCHTP_FIELD", "")

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not FOLDER, reason="PINCHTP_FIELD names no folder of programs"),
]


def test_readers_do_what_the_guide_says() -> None:
    from field.sgf_table import measure, table, written  # noqa: PLC0415  (needs the programs)

    assert table(measure(Path(FOLDER))) == written()
