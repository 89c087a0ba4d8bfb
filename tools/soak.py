"""Plays random, legitimate sessions with the program itself, and judges them by the rulebook.

    python tools/soak.py --seconds 3600
    python tools/soak.py --games 20 --seed 5
    python tools/soak.py --seconds 3600 --memory 1 --analysis 10    with a tree that is always full

Each game is of a random kind and size: moves of the engine and of chance, taken back now and then,
with analysis, questions and interrupts in between. After each move the stones, the legal moves, who
is to move and how the game stands are compared with the rulebook (tests/reference). One process
plays them all, and the memory that it holds is told at the end: it has to stay as it was.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from pathlib import Path
from time import monotonic, sleep

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "support")]

import psutil  # noqa: E402
from clients import Program  # noqa: E402  (found through the path above)
from rulebooks import Follower, followed  # noqa: E402

from pinchtp._core import PASS, SWAP  # noqa: E402
from pinchtp.games import GAMES  # noqa: E402
from pinchtp.games.notation import format_move  # noqa: E402

SIZES = [(2, 2), (3, 3), (2, 5), (13, 2), (2, 25), (25, 3), (4, 3), (5, 5), (7, 7), (9, 9)]
MEMORY = 16  # MB of a search tree
OPTIONS = ["--visits", "30", "--memory", str(MEMORY), "--no-files", "--move-parts"]
MOST_MOVES = 120  # of a game, so that none goes on for long
QUESTIONS = ["showboard", "pinchtp-svg", "gogui-rules_board_gfx", "printsgf", "pinchtp-history"]
GROWTH = 8  # MB of memory that a process may gain after its first games, besides that of its tree

COLORS = {"black": "b", "white": "w"}

ANALYSES = ["lz-analyze", "kata-analyze", "analyze", "kata-search_cancellable"]
GENMOVES = ["lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze"]
BEHIND = ["", "# interrupt", "stop"]  # lines that end an analysis


class Wrong(AssertionError):
    """The program and the rulebook do not agree, or an answer is no answer."""


class Soak:
    """A program, and the rulebook's game beside it.

    analysis: how many seconds an analysis goes on.
    """

    def __init__(self, program: Program, rng: random.Random, analysis: float = 0) -> None:
        self.program = program
        self.rng = rng
        self.analysis = analysis
        self.commands = 0
        self.lines: list[str] = []
        self.game: Follower
        self.moves: list[int] = []
        self.kind: tuple[str, int, int]

    def play_game(self) -> None:
        """One game, from a random start to its end or to MOST_MOVES."""
        self.lines.clear()
        self._begin()
        while self.game.moves() and len(self.moves) < MOST_MOVES:
            self._step()
            self._compare()
        if not self.game.moves():
            self._ask_score()
            for color in "bw":
                if self.ask(f"genmove {color}") != "pass":
                    raise Wrong(f"a move after the end: {self.lines}")
                self.ask("undo")

    def ask(self, line: str) -> str:
        """The text of the answer, which must not be a refusal."""
        self.lines.append(line)
        self.commands += 1
        answer = self.program.ask(line)
        if not answer.startswith("= "):
            raise Wrong(f"{line!r} is answered by {answer!r}, after {self.lines}")
        return answer.removeprefix("= ")

    def _begin(self) -> None:
        name = self.rng.choice(list(GAMES))
        game = GAMES[name]
        fixed = game.smallest == game.largest
        self.kind = (name, *(game.size if fixed else self.rng.choice(SIZES)))
        self.ask(f"pinchtp-game {name}")
        self.ask(f"boardsize {self.kind[1]} {self.kind[2]}")
        self._restart([])
        self._compare()

    def _restart(self, moves: list[int]) -> None:
        """The rulebook's game after its first moves, by their number."""
        name, width, height = self.kind
        options = {"pie": bool(GAMES[name].rules()["pie"])} if GAMES[name].swaps else {}
        self.game, self.moves = followed(name, width, height, **options), []
        for move in moves:
            self.game.play(move)
            self.moves.append(move)

    def _step(self) -> None:
        what = self.rng.random()
        if what < 0.3:
            self._genmove()
        elif what < 0.85:
            self._play()
        elif what < 0.9 and self.moves:
            self.ask("undo")
            self._restart(self.moves[:-1])
        elif what < 0.95:
            self.ask(self.rng.choice(QUESTIONS))
        else:
            self._analyze()

    def _genmove(self) -> None:
        if self.rng.random() < 0.5:
            self._follow_text(self.ask(f"genmove {self._color()}"))
            return
        behind = self.rng.choice(["", "\n# interrupt"])
        text = self.ask(f"{self.rng.choice(GENMOVES)} {self._color()} 1{behind}")
        self._follow_text(text.rpartition("play ")[2])

    def _follow_text(self, text: str) -> None:
        legal = self.game.moves()
        if text == "pass":
            move = SWAP if SWAP in legal else PASS
        else:
            move = next((each for each in legal if format_move(each) == text), -1)
        if move not in legal:
            raise Wrong(f"genmove says {text}, which is not legal, after {self.lines}")
        self._follow(move)

    def _play(self) -> None:
        move = self.rng.choice(self.game.moves())
        self.ask(f"play {self._color()} {format_move(move)}")
        self._follow(move)

    def _follow(self, move: int) -> None:
        self.game.play(move)
        self.moves.append(move)

    def _analyze(self) -> None:
        """An analysis, ended by another line; or a search that is interrupted."""
        if self.rng.random() < 0.5:
            self.ask(f"reg_genmove {self._color()}\n# interrupt")
            return
        whole = "" if self.game.begun else " turns"  # what is left of a turn is told by parts
        turns = self.program.ask(f"pinchtp-legal{whole}")
        line, behind = f"{self.rng.choice(ANALYSES)} {self._color()}", self.rng.choice(BEHIND)
        interval = f" {1 + 20 * self.analysis:g}" if "analyze" in line else ""
        self.program.send(f"{line}{interval}\n".encode())
        sleep(self.analysis)
        answer = self.program.ask(behind)
        if behind == "stop":
            self.program.answer()
        found = set(re.findall(r"info move (\S+)", answer)) - {*turns.split(), "pass"}
        if found and turns != "? out of memory":
            raise Wrong(f"{found} are analyzed, and not legal, after {self.lines}")
        self.commands += 2
        if not answer.startswith("="):
            raise Wrong(f"an analysis is answered by {answer!r}, after {self.lines}")

    def _color(self) -> str:
        return COLORS[self.game.book.to_move]

    # --- compared

    def _compare(self) -> None:
        book = self.game.book
        winner = book.winner if not self.game.begun else None
        if (told := self.ask("winner")) != (winner or "none"):
            raise Wrong(f"the winner is {winner}, not {told}, after {self.lines}")
        legal = [] if winner else [format_move(move) for move in self.game.moves()]
        # Where no stones are placed, pinchtp-legal tells whole turns.
        by_parts = self.game.begun or GAMES[self.kind[0]].places
        question = "pinchtp-legal" if by_parts else "gogui-rules_legal_moves"
        if (found := self.ask(question).split()) != legal:
            raise Wrong(f"legal are {legal}, not {found}, after {self.lines}")
        if not winner and self.ask("gogui-rules_side_to_move") != book.to_move:
            raise Wrong(f"{book.to_move} is to move, after {self.lines}")
        if not self.game.begun:
            self._compare_stones()

    def _compare_stones(self) -> None:
        stones = self.game.book.stones()
        rows = [row.split() for row in self.ask("gogui-rules_board").split("\n")]
        for x, y in self.game.points:
            sign = {"black": "X", "white": "O"}.get(stones.get((x, y), ""), ".")
            if rows[len(rows) - 1 - y][x] != sign:
                raise Wrong(f"{format_move(32 * y + x)} is not {sign}, after {self.lines}")

    def _ask_score(self) -> None:
        winner = self.game.book.winner
        expected = "0" if winner == "draw" else f"{winner[0].upper()}+R"
        if (told := self.ask("final_score")) != expected:
            raise Wrong(f"the score is {expected}, not {told}, after {self.lines}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--games", type=int, default=2**63)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB of the search tree")
    parser.add_argument("--analysis", type=float, default=0, help="seconds of each analysis")
    options = parser.parse_args()
    end, rng = monotonic() + options.seconds, random.Random(options.seed)
    games, warm, before = 0, 20, 0
    with Program(*OPTIONS, "--memory", str(options.memory)) as program:
        process = psutil.Process(program.pid)
        soak = Soak(program, rng, options.analysis)
        while games < options.games and monotonic() < end:
            soak.play_game()
            games += 1
            if games == warm:
                before = process.memory_info().rss
        after = process.memory_info().rss
    print(f"{games} games, {soak.commands} commands, no fault; seed {options.seed}")
    if games < warm:
        return 0
    print(f"memory: {before >> 20} MB after {warm} games, {after >> 20} MB at the end")
    return int(after - before > (GROWTH + options.memory) << 20)


if __name__ == "__main__":
    sys.exit(main())
