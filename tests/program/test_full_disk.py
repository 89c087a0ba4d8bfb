"""Results on a full disk: failed writes are reported in one line and the exit status."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from match_plans import plan
from match_records import record

from pinchtp.cli import SUBCOMMANDS
from pinchtp.match.playing.cores import available_cores
from pinchtp.match.results.store import MatchStore

STORE = "shown.db"

ENGINE = f"{shlex.quote(sys.executable)} -P -m pinchtp --visits 2 --no-pie"
PLAYED = ["--engine", f"a={ENGINE}", "--engine", f"b={ENGINE}", "--size", "3", "--no-pie"]


COMMANDS: list[list[str]] = [
    ["match", "show", STORE],
    ["match", "show", STORE, "--games"],
    ["match", "show", STORE, "--game", "1"],
    ["match", "show", STORE, "--json"],
    ["match", "show", STORE, "--jsonl"],
    ["match", "openings", "2", "--size", "4", "--visits", "20"],
    ["match", *PLAYED, "--games", "2", "--jobs", f"{len(available_cores())}"],
    ["solve", "--size", "3"],
    ["check", "--list"],
    ["convert", "game.sgf", "--to", "sgf"],
    ["review", "game.sgf", "--visits", "1"],
    ["play", "--size", "4"],
    ["bench", "--help"],
    ["completion", "bash"],
    ["report", "--list"],
    ["bench", "--network", "--game", "capture-go", "--seconds", "0.001"],
    ["bench", "--network", "--game", "capture-go", "--seconds", "0.001", "--json"],
    ["doctor"],
    ["man"],
    ["--version"],
    ["match", "sprt", "--wdl", "1,2,3"],
    ["-e", "name"],
]


def test_every_subcommand_is_tried() -> None:
    elsewhere = {"analysis", "board"}  # test_analysis.py, tests/long/fuzz/visitors.py
    assert {words[0] for words in COMMANDS} >= set(SUBCOMMANDS) - elsewhere


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a disk that is always full")
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words)[:40])
def test_full_disk_is_reported(words: list[str], tmp_path: Path) -> None:
    with MatchStore.begin(tmp_path / STORE, plan("one", "two")) as store:
        store.add(record())
    Path(tmp_path / "game.sgf").write_text("(;GM[1]SZ[5]RU[pinch];B[aa])")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "pinchtp", *words],
            check=False,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert re.fullmatch(
        r"pinchtp( convert)?: standard output: No space left on device\n", done.stderr
    )
