"""Learners of other people train on our environment, by the examples for users."""

from __future__ import annotations

import subprocess
import sys

import pytest
from clients import FOLDER

from pinchtp.report.figures import wilson

EXAMPLES = FOLDER.parent / "tools" / "examples"

pytestmark = pytest.mark.nightly


def test_maskable_ppo_learns_to_beat_random_play() -> None:
    pytest.importorskip("sb3_contrib")
    command = [sys.executable, EXAMPLES / "maskable_ppo.py", "20000"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=3000)
    _, wins, _, games, *_ = done.stdout.split()
    assert wilson(int(wins), int(games), 1.96)[0] > 0.5
