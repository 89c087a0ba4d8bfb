"""Proofs of Pinch by zones, and their checker."""

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, product
from pathlib import Path

import check_proof
import pytest
from check_zones import Claims
from proofs import prove

from pinchtp._core import Solver
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import format_move
from pinchtp.solving.command import main

PINCH = GAMES["pinch"]
CELLS = {".": 0, "X": 1, "O": 2}
CROSSINGS = ("XO/OX", "OX/XO")
SEED = 11


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> str:
    """All first stones of 3x3."""
    return prove("--size 3 --no-pie --each", tmp_path_factory.mktemp("proofs") / "proof.txt")


def positions(board: str) -> Iterator[str]:
    """Yields the boards that a line is about, without those that play cannot lead to."""
    unknown = [at for at, sign in enumerate(board) if sign == "?"]
    for signs in product(".XO", repeat=len(unknown)):
        filled = list(board)
        for at, sign in zip(unknown, signs, strict=True):
            filled[at] = sign
        text = "".join(filled)
        if not has_crossing(text.split("/")):
            yield text


def has_crossing(rows: list[str]) -> bool:
    """Returns whether there are two pairs of stones that cross: the last had flipped the other."""
    return any(
        f"{above[x : x + 2]}/{below[x : x + 2]}" in CROSSINGS
        for above, below in pairwise(rows)
        for x in range(len(above) - 1)
    )


class Values:
    """The winners of positions, found by the solver."""

    def __init__(self, width: int, height: int) -> None:
        self._size = (width, height)
        self._solver = Solver(PINCH.start(width, height, pie=False), memory_mb=4)

    def winner(self, board: str, to_move: Color) -> Color | None:
        """Returns the winner, or None if the game is over."""
        cells = bytes(CELLS[sign] for row in board.split("/")[::-1] for sign in row)
        position = PINCH.set_up(*self._size, cells, to_move)
        if position.result is not None:
            return None
        value = self._solver.solve(position).value
        return to_move if value.name == "WIN" else to_move.opponent


def assert_holds(line: str, values: Values) -> int:
    """Compares a line with all positions that it is about; returns their number."""
    board, letter, answer = line.split(maxsplit=2)
    to_move = Color.BLACK if letter == "b:" else Color.WHITE
    claimed = to_move if answer[0].isalpha() else to_move.opponent
    winners = [values.winner(each, to_move) for each in positions(board)]
    assert {*winners} <= {claimed, None}, line
    return len(winners) - winners.count(None)


def test_claims_hold_for_every_position_they_are_about(proof: str) -> None:
    _, *lines = proof.splitlines()
    values = Values(3, 3)
    assert sum(assert_holds(line, values) for line in lines) > 1_000


@pytest.mark.slow
def test_accepted_changes_are_true(proof: str) -> None:
    """A checker that takes too much takes some lines that are wrong."""
    _, *lines = proof.splitlines()
    proven = Claims(3, 3)
    for line in lines:
        proven.add(line)
    values = Values(3, 3)
    draw = random.Random(SEED)
    accepted = 0
    for _ in range(1_500):
        at = draw.randrange(len(lines))
        place = draw.randrange(len(lines[at]))
        changed = lines[at][:place] + draw.choice(".XO?bw123") + lines[at][place + 1 :]
        claims = Claims(3, 3)
        claims.proven = proven.proven[:at]
        with suppress(LookupError, ValueError):
            claims.add(changed)
            accepted += changed != lines[at]
            assert_holds(changed, values)
    assert 20 < accepted < 300, accepted


@pytest.mark.parametrize(("width", "height", "turns"), [(7, 8, 30), (7, 7, 24), (5, 8, 18)])
def test_late_positions_of_large_boards_are_proven(
    width: int, height: int, turns: int, tmp_path: Path
) -> None:
    draw = random.Random(1)
    position = PINCH.start(width, height, pie=False)
    moves = []
    for _ in range(turns):
        move = draw.choice(position.legal_moves())
        if position.play(move).result is not None:
            break
        position = position.play(move)
        moves.append(format_move(move))
    file = tmp_path / "proof.txt"
    size = f"{width}x{height}"
    options = ["--size", size, "--no-pie", "--memory", "64", "--proof", str(file)]
    assert main([*options, "--moves", " ".join(moves)]) == 0
    proof = file.read_text()
    assert '"lines": "zones"' in proof
    assert check_proof.check(proof)[1] > 10


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("../... b: C3", "wrong board size"),
        ("?X?/?X?/?X? b: C3", "the game is over"),
        ("?O?/?X?/?X? b: C3", "white may be connected"),
        ("..?/OXO/..? b: A1", r"a stone next to .* may flip"),
        ("?.?/?X?/?X? b: A3", "move outside the zone"),
        ("?.?/?X?/?X? b: B2", "is not legal here"),
        ("?.?/?X?/?X? b: B3 1", "expected 0 numbers, got 1"),
        ("..?/.X./?X? w: 2 1 2", "expected 5 numbers, got 3"),
        ("..?/.X./?X? b: A2 1", "the claim 1 lines before does not apply"),
        ("..?/.X./?X? b: A2 2", "there is no claim 2 lines before"),
        ("..?/.X./?X? b: A2 0", "there is no claim 0 lines before"),
        ("..?/.X./?X? b: A2 -1", "there is no claim -1 lines before"),
        ("?.?/?X?/?X?", "not enough values"),
    ],
    ids=str,
)
def test_line_that_does_not_follow_is_refused(line: str, told: str) -> None:
    head = '{"game": "pinch", "size": [3, 3], "rules": {"pie": false}, "lines": "zones", '
    lines = [head + '"winners": {"B2": "black"}}', "?.?/?X?/?X? b: B3", line]
    with pytest.raises(check_proof.InvalidProof, match=f"^line 3: not a proof: .*{told}"):
        check_proof.check("\n".join(lines))


def test_proof_of_something_else_is_refused(proof: str) -> None:
    text = proof.replace('"B2": "black"', '"B2": "white"')
    with pytest.raises(
        check_proof.InvalidProof, match=r"^no line proves that white wins \.\.\./\.X\./"
    ):
        check_proof.check(text)
