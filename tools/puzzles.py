"""Finds puzzles in games of the packaged networks, and chooses those packaged with the board.

    nice python tools/puzzles.py find FOUND --games 200    # per board; adds the missing games
    python tools/puzzles.py choose FOUND                   # writes pinchtp/board/puzzles.jsonl

A puzzle is a position after a good move in a game. The side to move has exactly one winning move,
and no immediate win; each step of a multi-step move is the only winning one. The solver has proven
the win. A search of all other moves has proven that they lose, or gives them a hopeless winrate
after 100,000 visits. The level is the lowest level of the engine that finds the move in most tries.
The same seed gives the same game.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from pinchtp._core import Proof, Solution, Solver
from pinchtp.base.files import replace_file
from pinchtp.board.puzzles import FILE, Puzzle
from pinchtp.games import GAMES, PIE, Position
from pinchtp.games.session import Session
from pinchtp.player.levels import LEVELS
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings
from pinchtp.records.position_line import position_line
from pinchtp.solving.job_tree import move_wins

PACKAGED = Path(__file__).parent.parent / "pinchtp" / "board" / FILE


class Board(NamedTuple):
    """A board with puzzles. nodes: limit of a proof. wanted: number of packaged puzzles."""

    game: str
    size: int
    nodes: int
    wanted: int


BOARDS = (
    Board("pinch", 7, 100_000, 35),
    Board("pinch", 9, 25_000, 8),
    Board("pinch-relocate", 6, 200_000, 7),
)
RANDOM_MOVES = 3  # at the start of a game
VISITS = 400  # per move of a game
HOPELESS = 0.3  # winrate in a short search below which a move may lose
GLANCE = 300  # nodes of the solver
SEARCHES = ((4000, 0.3), (100_000, 0.05))  # of all moves but one: visits, and maximum winrate
MEMORY = 256  # MB of the solver
MOST_STEPS = 4  # of a puzzle's move: more are too hard for people
LEAST_TURNS = 3  # of a line: an immediate win is not a puzzle
DEFENSES = 3  # moves tried in each position of a game
MOST_PUZZLES = 3  # per game, of which one is packaged
MOST_FAILURES = 3  # proofs that take too long before a game is abandoned
TRIES = 5  # per level


class Done(msgspec.Struct):
    """A game whose positions have been tried, with the puzzles found, if any."""

    game: str
    size: int
    seed: int
    puzzles: list[Puzzle]


class TooLong(Exception):
    """A proof exceeded its nodes."""


@dataclass
class Prover:
    """Proves a puzzle. nodes: searched. is_by_visits: whether some losing move is not proven."""

    player: Player
    solver: Solver
    most_nodes: int
    nodes: int = 0
    is_by_visits: bool = False

    def solve(self, position: Position) -> Solution:
        """Solves a position that is not over. Raises TooLong."""
        solution = self.solver.solve(position, nodes=max(self.most_nodes - self.nodes, 0))
        self.nodes += solution.nodes
        if solution.value == Proof.UNKNOWN:
            raise TooLong
        return solution

    def only_win(self, session: Session) -> list[str]:
        """Returns best play if a single move wins, otherwise an empty list. Raises TooLong."""
        solution = self.solve(session.position)
        line = [text for _, text in session.line_texts(solution.line)]
        if solution.value != Proof.WIN or len(line) < LEAST_TURNS:
            return []
        turn = session.parse(line[0])
        return line if len(turn) <= MOST_STEPS and self.is_only(session.position, turn) else []

    def is_only(self, position: Position, turn: Sequence[int]) -> bool:
        """Returns whether each step of a winning turn is the only winning one.

        Moves that the solver does not evaluate quickly are searched together.
        """
        for step in turn:
            doubtful = []
            for move in position.legal_moves():
                wins = False if move == step else self.wins_quickly(position, move)
                if wins is None:
                    doubtful.append(move)
                if wins:
                    return False
            if doubtful and not self.are_lost(position, doubtful):
                return False
            position = position.play(step)
        return True

    def wins_quickly(self, position: Position, move: int) -> bool | None:
        """Returns whether a move, or a step of one, wins for its player; None if unknown."""
        return move_wins(self.solver, position, move, nodes=GLANCE)

    def are_lost(self, position: Position, moves: list[int]) -> bool:
        """Returns whether a search of only these moves proves them lost, or finds them hopeless."""
        self.player.forget(seed=1)
        session = Session.at(GAMES[position.game], position)
        for visits, hope in SEARCHES:
            limits = Limits(visits=visits, allowed=moves)
            best = self.player.search(session, limits).choices[0]
            if (best.winrate or 0) > hope:
                return False
        self.is_by_visits |= best.proof != Proof.LOSS
        return True

    @property
    def proof(self) -> str:
        return f"{SEARCHES[-1][0]} visits" if self.is_by_visits else f"{self.nodes} nodes"


def has_one_good_move(player: Player, session: Session) -> bool:
    """Returns whether a short search finds a single winning move that is not an immediate win."""
    best = player.search(session, Limits(visits=VISITS)).choices[0]
    others = [move for move in session.position.legal_moves() if move != best.move]
    is_immediate = 0 < best.distance < LEAST_TURNS
    if (best.winrate or 0) < 1 - HOPELESS or is_immediate or not others:
        return False
    player.forget(seed=1)
    second = player.search(session, Limits(visits=VISITS, allowed=others)).choices[0]
    return (second.winrate or 0) < HOPELESS


def self_play(game: str, size: int, seed: int) -> Session:
    """Plays a self-play game of the network, after random moves."""
    player = Player(Settings(game=game, seed=seed, memory=64))
    rng = random.Random(seed)
    session = Session(GAMES[game], size, size, **{PIE.name: False})
    while not session.is_over:
        color = session.to_move
        position = session.position
        if len(session.turns()) < RANDOM_MOVES:
            while session.to_move == color and not session.is_over:
                session.play(color, rng.choice(session.position.legal_moves()))
            continue
        report = player.search_at_level(session, Limits(visits=VISITS))
        session.play(color, *player.choose_turn(session, report))
        assert session.position != position
    return session


def puzzles_of(board: Board, seed: int) -> Iterator[Puzzle]:
    """Yields the puzzles of a game, after good moves in its positions; last ones first."""
    session = self_play(board.game, board.size, seed)
    player = Player(Settings(game=board.game, memory=MEMORY))
    solver = player.solver(session.start)
    found = 0
    failed = 0
    for number in reversed(range(len(session.turns()))):
        position = session.turns()[number].before
        here = Session.at(session.game, position)
        player.forget(seed)
        report = player.search(here, Limits(visits=VISITS))
        for choice in report.choices[:DEFENSES]:
            ahead = here.copy()
            ahead.play(here.to_move, *player.complete_turn(here, choice, VISITS))
            if ahead.is_over or not has_one_good_move(player, ahead):
                continue
            prover = Prover(player, solver, board.nodes)
            try:
                line = prover.only_win(ahead)
            except TooLong:
                failed += 1
                line = []
            if line:
                level = lowest_level(ahead, list(ahead.parse(line[0])))
                yield Puzzle(
                    board.game,
                    position_line(ahead),
                    tuple(line),
                    level,
                    prover.proof,
                    seed,
                    number + 1,
                )
                found += 1
                break  # another defense would give a similar one
        if found == MOST_PUZZLES or failed >= MOST_FAILURES:
            return


def lowest_level(session: Session, turn: list[int]) -> int:
    """Returns the lowest level that finds a turn in most tries, or else the last one."""
    levels = range(1, len(LEVELS))
    return next((level for level in levels if finds(session, turn, level)), len(LEVELS))


def finds(session: Session, turn: list[int], level: int) -> bool:
    """Returns whether a level finds a turn in most tries."""
    found = 0
    for seed in range(TRIES):
        settings = Settings(game=session.game.name, seed=seed, level=level, memory=64)
        player = Player(settings)
        report = player.search_at_level(session, Limits())
        found += list(player.choose_turn(session, report)) == turn
    return 2 * found > TRIES


def find(path: Path, games: int) -> None:
    """Plays the games missing from a file, alternating between boards, and adds each."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    known = [msgspec.json.decode(line, type=Done) for line in lines]
    done = {(each.game, each.size, each.seed) for each in known}
    for seed in range(games):
        for board in BOARDS:
            if (board.game, board.size, seed) in done:
                continue
            result = Done(board.game, board.size, seed, list(puzzles_of(board, seed)))
            lines.append(msgspec.json.encode(result))
            replace_file(path, b"\n".join([*lines, b""]))
            levels = [puzzle.level for puzzle in result.puzzles]
            print(board.game, board.size, seed, *levels, flush=True)


def choose(path: Path) -> None:
    """Writes puzzles chosen from the results in a file, as evenly by grade as possible."""
    results = [msgspec.json.decode(line, type=Done) for line in path.read_bytes().splitlines()]
    lines = []
    for board in BOARDS:
        found = [
            puzzle
            for result in results
            if (result.game, result.size) == (board.game, board.size)
            for puzzle in result.puzzles
        ]
        chosen = choose_puzzles(found, board.wanted)
        print(board.game, board.size, f"{len(chosen)} of {len(found)}:", *map(grade, chosen))
        lines += [msgspec.json.encode(puzzle) + b"\n" for puzzle in chosen]
    PACKAGED.write_bytes(b"".join(lines))


def choose_puzzles(found: list[Puzzle], count: int) -> list[Puzzle]:
    """Returns puzzles evenly by grade, easy ones first; of the found ones proven and long ones.

    One per game, because others of it often differ in a few points and have the same answer.
    """
    waiting = sorted(found, key=lambda each: ("visits" in each.proof, -len(each.line)))
    chosen: list[Puzzle] = []
    while waiting and len(chosen) < count:
        counts = Counter(map(grade, chosen))
        chosen.append(min(waiting, key=lambda each: counts[grade(each)]))
        waiting = [each for each in waiting if each.seed != chosen[-1].seed]
    return sorted(chosen, key=lambda each: each.level)


def grade(puzzle: Puzzle) -> int:
    """Returns a puzzle's grade from 0 to 4: the fifth of the range that contains its level."""
    return 5 * (puzzle.level - 1) // len(LEVELS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=("find", "choose"))
    parser.add_argument("file", type=Path, help="results of games")
    parser.add_argument("--games", type=int, default=100, help="per board (default: 100)")
    options = parser.parse_args()
    if options.action == "find":
        find(options.file, options.games)
    else:
        choose(options.file)


if __name__ == "__main__":
    main()
