"""`pinchtp analysis` for tests: driven as its clients drive it, or without a process."""

import json
import subprocess
from typing import Any

from clients import PROGRAM

from pinchtp.analysis.output import AnswerWriter

MOVES = [["B", "E5"], ["W", "C3"], ["B", "D6"], ["W", "F4"]]
SMALL = {"boardXSize": 5, "boardYSize": 5, "maxVisits": 20}
LONG = {"boardXSize": 19, "boardYSize": 19, "maxTime": 600}


def run(*requests: dict[str, Any] | str, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Returns the answers to lines of input, until the program ends by itself."""
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in requests)
    done = subprocess.run(
        [*PROGRAM, "analysis", *options],
        input=text + "\n",
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


class Live:
    """A running program."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*PROGRAM, "analysis", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def send(self, **request_: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request_) + "\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


class KeptAnswers(AnswerWriter):
    """Keeps the answers instead of writing them."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, Any]] = []

    def send(self, answer: dict[str, Any]) -> None:
        self.sent.append(answer)
