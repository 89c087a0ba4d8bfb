"""The programs of tools/examples do what they say."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from clients import FOLDER, PROGRAM, put_on_path

EXAMPLES = FOLDER.parent / "tools" / "examples"


def test_notebook_cells_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((EXAMPLES / "game.ipynb").read_text("utf-8"))
    cells = ["".join(each["source"]) for each in notebook["cells"] if each["cell_type"] == "code"]
    assert len(cells) >= 5
    names: dict[str, object] = {}
    for cell in cells:
        exec(compile(cell, "game.ipynb", "exec"), names)
    assert (tmp_path / "game.sgf").exists()


def test_policy_learns_to_win() -> None:
    done = subprocess.run(
        [sys.executable, "-P", EXAMPLES / "learn.py", "40"],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    before, after = (int(line.split()[1]) for line in done.stdout.splitlines())
    assert after > before + 30


def test_learner_needs_its_number_before_it_plays() -> None:
    done = subprocess.run(
        [sys.executable, "-P", EXAMPLES / "learn.py"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("the following arguments are required: batches\n")


def test_overnight_match_runs_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_on_path(monkeypatch, tmp_path)
    copy = Path(shutil.copy(EXAMPLES / "overnight.toml", tmp_path))
    make = [*PROGRAM, "match", "openings", "2", "--size", "3", "--plies", "1"]
    with (tmp_path / "openings.txt").open("w") as openings:
        subprocess.run([*make, "--window", "0.5"], check=True, stdout=openings, timeout=120)
    command = [*PROGRAM, "match", copy, "--db", "overnight.db"]
    for games in ("2", "4"):
        subprocess.run(
            [*command, "--size", "3", "--time", "100ms", "--games", games],
            check=True,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            timeout=120,
        )
    shown = subprocess.run(
        [*PROGRAM, "match", "show", "overnight.db", "--games"],
        check=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert shown.stdout.count("two-threads") >= 4


def test_bridges_play_a_game(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    engine = [*PROGRAM, "--size", "4", "--no-files", "--visits", "50"]
    bridges = [
        subprocess.Popen(
            [sys.executable, EXAMPLES / "bridge.py", game, color, *engine],
            stdout=subprocess.PIPE,
            text=True,
        )
        for color in "bw"
    ]
    results = [bridge.communicate(timeout=120)[0] for bridge in bridges]
    assert [bridge.returncode for bridge in bridges] == [0, 0]
    assert results[0] == results[1] != ""
    assert len(game.read_text().split()) > 4
