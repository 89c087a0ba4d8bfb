"""Proof files, written by the program."""

from pathlib import Path

from pinchtp.solving.command import main


def prove(options: str, file: Path) -> str:
    """Returns the proof of `pinchtp solve` with these options, in which `|` is a blank."""
    arguments = [each.replace("|", " ") for each in options.split()]
    assert main([*arguments, "--memory", "16", "--proof", str(file)]) == 0
    return file.read_text()
