"""Learners of other people train on our environment, by the examples for users."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from clients import FOLDER
from field.programs import LEARNERS

from pinchtp.base.intervals import wilson_bounds

EXAMPLES = FOLDER.parent / "tools" / "examples"
AMOUNTS = {  # of actions, of RLlib of iterations
    "agilerl_ppo": "20480",
    "maskable_ppo": "20000",
    "rllib_ppo": "5",
    "tianshou_dqn": "20000",
}

pytestmark = pytest.mark.nightly


@pytest.mark.parametrize("example", LEARNERS)
def test_example_learns_to_beat_random_play(folder: Path, example: str) -> None:
    library = folder / "python" / example
    if not library.exists():
        pytest.skip(f"{library} is not installed")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", EXAMPLES / f"{example}.py", AMOUNTS[example]],
        env={**os.environ, "PYTHONPATH": str(library)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=3000,
        check=True,
    )
    _, wins, _, games, *_ = done.stdout.splitlines()[-1].split()
    assert wilson_bounds(int(wins), int(games), 1.96)[0] > 0.5
