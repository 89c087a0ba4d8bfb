"""Completion scripts and the manual page."""

import shutil
import subprocess
from pathlib import Path

import pytest
from clients import run

from pinchtp.cli import SUBCOMMANDS, main
from pinchtp.games import GAMES
from pinchtp.shell.completion import SHELLS


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion") / "pinchtp.bash"
    path.write_text(run("completion", "bash").stdout)
    return path


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["re"], ["review", "report"]),
        (["--swap-as", "swap-"], ["swap-pieces", "swap-sides"]),
        (["play", "--game", ""], list(GAMES)),
        (["play", "--bl"], ["--black"]),
        (["play", "--black", ""], ["me", "engine"]),
        (["completion", ""], ["bash", "zsh", "fish", "-h", "--help"]),
        (["solve", "--seconds", ""], []),
        (["review", "game.s"], []),
        (["match", "s"], ["show", "sprt"]),
        (["match", "show", "--g"], ["--games", "--game"]),
        (["match", "match.toml", "--verb"], ["--verbose"]),
        (["man", "ma"], ["match", "man"]),
    ],
)
def test_bash_completes(script: Path, typed: list[str], offered: list[str]) -> None:
    words = " ".join(f"'{word}'" for word in ["pinchtp", *typed])
    done = subprocess.run(
        [
            "bash",
            "-c",
            f". {script}; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _pinchtp; "
            'echo "${COMPREPLY[@]}"',
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.split() == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_names_commands_and_options(shell: str) -> None:
    done = run("completion", shell)
    assert done.returncode == 0
    for name in SUBCOMMANDS:
        assert name in done.stdout
    for option in ("swap-as", "openings", "each", "black", "ptnml", "jsonl"):
        assert option in done.stdout
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n"], input=done.stdout, text=True, check=False)
        assert checked.returncode == 0


@pytest.mark.parametrize("command", ["", *SUBCOMMANDS, "match show"])
def test_manual_page_has_no_stray_requests(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["man", *command.split()]) == 0
    text = capfd.readouterr().out
    requests = {line.split()[0] for line in text.split("\n") if line.startswith(".")}
    assert requests <= {".TH", ".SH", ".TP", ".B", ".nf", ".fi"}
    assert ".SH EXIT STATUS" in text
    assert ".B \\-h, \\-\\-help" in text
