"""A short form of tests/long/soak.py: games with the program itself, judged by the rulebook."""

import random

import pytest
from clients import Program
from soak import OPTIONS, Soak, Wrong


class WrongProgram(Program):
    """The program with one wrong word in the responses to a command; its games never vary."""

    def __init__(self, command: str, word: str, lie: str) -> None:
        super().__init__(*OPTIONS, "--seed", "1")
        self._command = command
        self._word = word
        self._lie = lie

    def ask(self, line: str, end: str = "\n") -> str:
        answer = super().ask(line, end)
        return answer.replace(self._word, self._lie) if line == self._command else answer


def test_soak_plays_games() -> None:
    with Program(*OPTIONS) as program:
        soak = Soak(program, random.Random(4))
        play_games(soak, 2)
        assert soak.commands > 20


@pytest.mark.parametrize(
    ("command", "word", "lie"),
    [
        ("winner", "none", "black"),
        ("pinchtp-legal", "A1", "A2"),
        ("pinchtp-legal turns", "A", "B"),
        ("gogui-rules_side_to_move", "black", "white"),
        ("gogui-rules_board", ".", "X"),
        ("boardsize 4 3", "=", "?"),
    ],
)
def test_soak_notices_wrong_answers(command: str, word: str, lie: str) -> None:
    with WrongProgram(command, word, lie) as program:
        soak = Soak(program, random.Random(2), analysis=0.1)  # so that some moves are reported
        with pytest.raises(Wrong):
            play_games(soak, 60)


def play_games(soak: Soak, count: int) -> None:
    for _ in range(count):
        soak.play_game()
