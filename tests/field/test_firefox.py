"""The board's page in Firefox, driven by puppeteer."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from board.visits import Board
from clients import PATIENCE

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(FIREFOX is None, reason="Firefox is not installed"),
]


def test_page_plays_and_analyzes_in_firefox(folder: Path, tmp_path: Path) -> None:
    assert FIREFOX
    script = Path(__file__).with_name("firefox.cjs")
    with Board(tmp_path) as server:
        done = subprocess.run(
            ["node", script, FIREFOX, f"{server.url}/?key={server.key}"],
            env={**os.environ, "NODE_PATH": str(folder / "node_modules")},
            capture_output=True,
            text=True,
            timeout=10 * PATIENCE,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []
