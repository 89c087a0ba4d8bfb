"""The puzzles that come with the board: a file by tools/puzzles.py, with one puzzle per line."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from zlib import crc32

import msgspec

from pinchtp.board.engines.findings import read_variation
from pinchtp.board.protocol.puzzles import OpenedPuzzle, PuzzleInfo, Puzzles
from pinchtp.board.tree import RequestError
from pinchtp.board.view import COLOR_NAMES
from pinchtp.games import GAMES, PIE
from pinchtp.games.session import Session
from pinchtp.records.reader import read_position

FILE = "puzzles.jsonl"


class Puzzle(msgspec.Struct, frozen=True):
    """A position whose side to move has exactly one winning move.

    position: a position string. line: best play, beginning with that move. level: the lowest level
    of our engine that finds it. proof: the solver's nodes, or the visits. seed, turn: the seed of
    the game from which it comes, and the turn in it.
    """

    game: str
    position: str
    line: tuple[str, ...]
    level: int
    proof: str
    seed: int
    turn: int

    @property
    def id(self) -> str:
        """A name that depends only on the game and the position."""
        return f"{crc32(f'{self.game} {self.position}'.encode()):08x}"

    def session(self) -> Session:
        """Returns a game that begins with the position."""
        game = GAMES[self.game]
        return read_position(
            self.position, Session(game, *game.size, **{PIE.name: False})
        ).session()


@cache
def load_puzzles() -> dict[str, Puzzle]:
    """Returns the puzzles of the package by id."""
    lines = (files("pinchtp.board") / FILE).read_bytes().splitlines()
    puzzles = (msgspec.json.decode(line, type=Puzzle) for line in lines)
    return {puzzle.id: puzzle for puzzle in puzzles}


def find_puzzle(id: str) -> Puzzle:
    """Returns a puzzle of the package. Raises RequestError."""
    try:
        return load_puzzles()[id]
    except KeyError:
        raise RequestError(f"unknown puzzle {id!r}") from None


def list_puzzles(solved: set[str], request: int) -> Puzzles:
    """Returns the list of puzzles for a visitor. solved: the ids of solved puzzles."""
    infos = []
    for puzzle in load_puzzles().values():
        rows = puzzle.position.split()[0].split("/")
        size = len(rows[0]), len(rows)
        infos.append(PuzzleInfo(puzzle.id, puzzle.game, *size, puzzle.level, puzzle.id in solved))
    return Puzzles(request, infos)


def open_puzzle(puzzle: Puzzle, session: Session, request: int) -> OpenedPuzzle:
    """Returns a puzzle with its answer. session: at its start."""
    line = read_variation(session, puzzle.line)
    return OpenedPuzzle(request, puzzle.id, puzzle.level, COLOR_NAMES[session.to_move], line)
