"""Recorded client sessions (tests/data/sessions) as replays for any engine.

In a file `> ` marks a line from the client and `< ` a line of a response, without the closing blank
line and without line ends: clients send LF or CRLF. Pipelining clients send several lines before
the first response, so the n-th response belongs to the n-th command.
"""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path

FILES = Path(__file__).parents[1] / "data" / "sessions"
NAMES = sorted(path.stem for path in FILES.glob("*.txt"))

# The recording engines were started with this size. A GoGui ruler never receives another one.
SIZE = 5

# Responses that depend on the program, not on the game.
DEPENDENT = {
    "name",
    "version",
    "list_commands",
    "known_command",
    "cputime",
    "gogui-analyze_commands",
}

_COMMAND = re.compile(r"\s*(?P<id>[0-9]+\s+)?(?P<name>[^\s#]+)(?P<arguments>[^#]*)")


@dataclass(frozen=True)
class Step:
    """A line to send, and the expected response.

    name: the command, empty for a line without one, which has no response.
    expected: the response without its closing blank line; None if it depends on the program.
    """

    line: str
    name: str
    expected: str | None


@dataclass(frozen=True)
class Replay:
    """A session's lines, with recorded moves instead of genmove, and the omitted commands."""

    steps: list[Step]
    left_out: list[str]

    @property
    def expected(self) -> list[str | None]:
        return [step.expected for step in self.steps if step.name]

    def text(self, end: str) -> bytes:
        """Returns all lines of the client, each closed by `end`."""
        return "".join(step.line + end for step in self.steps).encode()


def replay(name: str, known: Container[str]) -> Replay:
    """Returns a session without the commands that are not in `known`.

    A client sends only commands of list_commands, so an engine with fewer commands gets fewer
    lines. Commands that the recording engine did not know stay.
    """
    steps, left_out = [], []
    for line, answer in _exchanges(FILES / f"{name}.txt"):
        step = _step(line, answer)
        if step.name in known or not step.name or answer.endswith("unknown command"):
            steps.append(step)
        else:
            left_out.append(step.name)
    return Replay(steps, left_out)


def _step(line: str, answer: str) -> Step:
    command = _COMMAND.match(line)
    if not command:
        return Step(line, "", None)
    number = command["id"] or ""
    name = command["name"]
    arguments = command["arguments"]
    if name == "genmove" and answer.startswith("="):
        status, move = answer.split(" ", 1)
        return Step(f"{number}play{arguments.rstrip()} {move}", name, f"{status} ")
    return Step(line, name, None if name in DEPENDENT else answer)


def _exchanges(path: Path) -> Iterator[tuple[str, str]]:
    """Yields each line with its response; empty if it is not a command."""
    lines = path.read_text().splitlines()
    answers = iter(_answers(lines))
    for line in lines:
        if line.startswith("> "):
            sent = line.removeprefix("> ")
            yield sent, next(answers) if _COMMAND.match(sent) else ""
    if surplus := list(answers):
        raise ValueError(f"{path}: {len(surplus)} answers too many")


def _answers(lines: list[str]) -> list[str]:
    answers: list[str] = []
    for line in lines:
        if re.match(r"< [=?]", line):
            answers.append(line.removeprefix("< "))
        elif line.startswith("< "):
            answers[-1] += "\n" + line.removeprefix("< ")
        elif not line.startswith("> "):
            raise ValueError(f"neither sent nor answered: {line!r}")
    return answers
