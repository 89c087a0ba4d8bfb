"""Clients and engines of GTP, compared with the guide's tables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FOLDER = os.environ.get("PINCHTP_FIELD", "")

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not FOLDER, reason="PINCHTP_FIELD names no folder of programs"),
]


def test_clients_and_engines_do_what_the_guide_says() -> None:
    from field.gtp_table import tables, written  # noqa: PLC0415  (needs the programs)

    assert tables(Path(FOLDER)) == written()
