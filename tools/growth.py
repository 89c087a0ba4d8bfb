"""Measures the growth of costs with the size of the work, for pinchtp/bench/README.md.

    python -m tools.growth

Prints CPU times at three sizes, each the best of three runs, and the exponent of the growth from
the smallest to the largest: 0 for a constant cost, 1 for a linear one.
"""

from __future__ import annotations

import argparse
import io
import math
import random
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import process_time
from timeit import Timer

from pinchtp._core import PASS
from pinchtp.analysis.queries import QueryGame, read_query
from pinchtp.board.pages import to_json
from pinchtp.board.rating import Ratings
from pinchtp.board.storage.files import TableFile, VisitorStore
from pinchtp.board.table import Table
from pinchtp.board.view import describe_tree_change, list_line
from pinchtp.engine.engine import EngineProtocol
from pinchtp.engine.evaluator import Evaluator
from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.match import show
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.record import GameRecord, MoveRecord, ScheduledGame, Termination
from pinchtp.match.results.export import match_page
from pinchtp.match.results.store import MatchStore, insert
from pinchtp.match.runner import Runner
from pinchtp.records.reader import read_first
from pinchtp.records.reader import read_sgf as read_sgf_games
from pinchtp.records.sgf.write import to_sgf
from pinchtp.render.text import board_text

SIZES = (500, 2_000, 8_000)
RUNS = 3
LENGTH = 40  # moves of a match's game
ENGINES = (EngineConfig("one", "./one"), EngineConfig("two", "./two"))
PLAN = MatchPlan(ENGINES, games=SIZES[-1], size=(9, 9))

Action = Callable[[], object]


@dataclass(frozen=True)
class Growth:
    """An action whose cost may grow with a size.

    unit: of the size. most: the largest exponent that a test allows. prepare: returns the action
    for a size; its second argument is a directory for files.
    """

    name: str
    unit: str
    most: float
    prepare: Callable[[int, Path], Action]

    def seconds(self, folder: Path) -> list[float]:
        """Returns the CPU time of the action at each of SIZES, in seconds."""
        return [_seconds(self.prepare(size, folder)) for size in SIZES]


def exponent(seconds: list[float]) -> float:
    """Returns the exponent of a growth from the first to the last of SIZES."""
    return math.log(seconds[-1] / seconds[0]) / math.log(SIZES[-1] / SIZES[0])


def _seconds(action: Action) -> float:
    timer = Timer(action, timer=process_time)
    number, _ = timer.autorange()
    return min(timer.repeat(RUNS, number)) / number


# --- long games


@cache
def long_game(moves: int) -> Session:
    """Returns a random game, continued with passes after its end."""
    session = Session(GAMES["pinch"], 9, 9, pie=False)
    rng = random.Random(1)
    while len(session.history) < moves:
        move = PASS if session.is_over else rng.choice(session.position.legal_moves())
        session.play(session.to_move, move)
    return session


def read_sgf(size: int, folder: Path) -> Action:
    data = to_sgf(long_game(size)).encode()
    return lambda: read_first(data)


def read_variations(size: int, folder: Path) -> Action:
    """Returns a long game with a variation of two moves after each move; half are illegal."""
    root, *moves = to_sgf(long_game(size)).removesuffix(")").split(";")[1:]
    begin = "".join(f"(;{move}" for move in moves)
    end = "".join(")(;B[])(;W[aa];B[ee];W[])" for _ in moves)
    (game,) = read_sgf_games(f"(;{root}{begin}{end})")
    return game.read_tree


def undo_move(size: int, folder: Path) -> Action:
    session = long_game(size).copy()

    def undo() -> None:
        session.undo()
        session.play(session.to_move, PASS)

    return undo


def show_board(size: int, folder: Path) -> Action:
    session = long_game(size)
    return lambda: board_text(session)


def _finished_query(moves: int) -> QueryGame:
    passes = [(str(entry.color), "pass") for entry in long_game(moves).history]
    stones = [("B", f"A{row}") for row in range(1, 10)]  # a finished game, where players pass
    raw = {"id": "a", "initialStones": stones, "boardXSize": 9, "boardYSize": 9, "moves": passes}
    return QueryGame(read_query(raw, "pinch"))


def answer_turn(size: int, folder: Path) -> Action:
    game = _finished_query(size)
    return lambda: game.at(size // 2)


def answer_all_turns(size: int, folder: Path) -> Action:
    game = _finished_query(size)

    def answer() -> None:
        for turn in range(size + 1):
            game.at(turn)

    return answer


def drop_waiting(size: int, folder: Path) -> Action:
    """Drops one of `size` queued tasks, and queues it again."""
    evaluator = Evaluator[EngineProtocol, int]((), lambda engine, task: None)
    for task in range(size):
        evaluator.add(task)

    def drop() -> None:
        evaluator.drop(lambda task: task == size // 2)
        evaluator.add(size // 2)

    return drop


# --- the board


def show_evaluation(size: int, folder: Path) -> Action:
    """Shows and saves an evaluation in a game with `size` moves, including variations."""
    table = Table()
    rng = random.Random(1)
    while len(table.tree) < size:
        table.show(table.tree.root)
        for _ in range(LENGTH):
            if table.is_over:
                break
            table.play_text(
                table.session.format([rng.choice(table.session.position.legal_moves())])
            )
    file = TableFile(VisitorStore(folder), f"{size}")
    file.save(table, Ratings())

    def show() -> None:
        revision = table.tree.revision
        line = list_line(table)
        table.tree.set_winrate(table.node, rng.random(), visits=1)
        to_json(describe_tree_change(table, revision, line))
        file.save(table, Ratings())

    return show


# --- matches


def create_match(size: int, folder: Path) -> Path:
    """Creates a match database with `size` games, unless present; returns its path."""
    path = folder / f"{size}.db"
    if path.exists():
        return path
    history = long_game(LENGTH).history
    texts = [long_game(LENGTH).format([entry.move or 0]) for entry in history]
    moves = tuple(
        MoveRecord(entry.color, text, 0.1, 0.5) for entry, text in zip(history, texts, strict=True)
    )
    MatchStore.begin(path, PLAN).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        for number in range(size):
            game = ScheduledGame(("one", "two"), number, display_number=number + 1)
            winner = history[number % 2].color
            insert(connection, GameRecord(game, winner, Termination.RESIGNATION, moves=moves))
    return path


def _show_quietly(*arguments: object) -> None:
    with redirect_stdout(io.StringIO()):
        show.main([str(argument) for argument in arguments])


def show_match(size: int, folder: Path) -> Action:
    path = create_match(size, folder)
    return lambda: _show_quietly(path)


def list_games(size: int, folder: Path) -> Action:
    path = create_match(size, folder)
    return lambda: _show_quietly(path, "--games")


def show_game(size: int, folder: Path) -> Action:
    path = create_match(size, folder)
    return lambda: _show_quietly(path, "--game", size // 2)


def resume_match(size: int, folder: Path) -> Action:
    path = create_match(size, folder)

    def resume() -> None:
        with MatchStore.begin(path, PLAN) as store:
            Runner(PLAN, store, print)

    return resume


def make_page(size: int, folder: Path) -> Action:
    path = create_match(size, folder)

    def make() -> None:
        with MatchStore.open(path) as store:
            match_page(PLAN, store.records()).document("growth")

    return make


GROWTHS = (
    Growth("read an SGF file", "moves", 1.2, read_sgf),
    Growth("read an SGF file with variations", "variations", 1.2, read_variations),
    Growth("undo a move and play it again", "moves", 0.2, undo_move),
    Growth("showboard", "moves", 1.2, show_board),
    Growth("position of a turn of a JSON query", "moves", 1.2, answer_turn),
    Growth("positions of all its turns", "moves", 1.6, answer_all_turns),
    Growth("drop a queued query", "queries", 1.4, drop_waiting),
    Growth("show and save an evaluation on the board", "moves", 0.2, show_evaluation),
    Growth("match show", "games", 1.2, show_match),
    Growth("match show --games", "games", 1.2, list_games),
    Growth("match show --game N", "games", 0.2, show_game),
    Growth("resume a match", "games", 1.2, resume_match),
    Growth("page of a match", "games", 1.2, make_page),
)


def main() -> None:
    """Prints the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(f"| action | {' | '.join(f'{size:,} (ms)' for size in SIZES)} | of | exponent |")
    print("|---|--:|--:|--:|---|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for growth in GROWTHS:
            seconds = growth.seconds(Path(folder))
            times = " | ".join(f"{float(f'{1000 * each:.3g}'):,g}" for each in seconds)
            print(f"| {growth.name} | {times} | {growth.unit} | {exponent(seconds):.2f} |")


if __name__ == "__main__":
    main()
