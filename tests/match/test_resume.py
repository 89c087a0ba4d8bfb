"""Whatever is killed in the middle of a match: no game is lost or played twice, no engine stays."""

import os
import random
import subprocess
from pathlib import Path
from time import sleep

import pytest
from clients import PATIENCE
from duels import MATCH, player
from match_records import assert_complete, finished_games
from processes import wait_for, wait_until_gone

GAMES = 200

# Marks the engines' command lines, to find them again.
TOKEN = 7_000_000 + os.getpid()
ENGINES = (player("FixedOrder", TOKEN, name="a"), player("Twin", TOKEN + 1, name="b"))


@pytest.mark.slow
@pytest.mark.parametrize("kills", [6, pytest.param(20, marks=pytest.mark.nightly)])
def test_killed_runner_loses_no_finished_game(
    kills: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = tmp_path / "match.db"
    options = [f"--engine={each.name}={each.command}" for each in ENGINES]
    options += ["--size=7", f"--games={GAMES}", "--jobs=2", f"--db={db}", "--quiet"]
    command = [*MATCH, *options]
    source = random.Random(20)
    for done in [None] * 4 + sorted(source.sample(range(GAMES - 20), kills - 4)):
        process = subprocess.Popen(command, start_new_session=True)
        if done is None:
            sleep(source.uniform(0, 0.4))  # at the start or later
        else:
            wait_for(lambda done=done: len(finished_games(db)) > done)  # type: ignore[misc]
            sleep(source.uniform(0, 0.02))
        assert process.poll() is None
        process.kill()
        process.wait()
        wait_until_gone(str(TOKEN))
        wait_until_gone(str(TOKEN + 1))
    assert len(finished_games(db)) < GAMES
    assert subprocess.run(command, check=False, timeout=3 * PATIENCE).returncode == 0
    assert_complete(db, GAMES, capsys)
    wait_until_gone(str(TOKEN))
