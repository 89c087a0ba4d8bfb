"""Plays random, legitimate sessions with the program and compares them with the reference.

    python tests/long/soak.py --seconds 3600
    python tests/long/soak.py --games 20 --seed 5
    python tests/long/soak.py --seconds 3600 --memory 1 --analysis 10    with a full search tree

Each game has a random kind and size: engine moves and random moves, undone now and then, with
analysis, queries and interrupts in between. After each move the stones, the legal moves, the side
to move and the result are compared with the reference (tests/reference). One process plays all
games; its memory is printed at the end and must not grow.
"""

import argparse
import random
import re
import sys
from pathlib import Path
from time import monotonic, sleep

TESTS = Path(__file__).resolve().parents[1]
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
MOST_MOVES = 120  # per game, so that each ends soon
QUESTIONS = ["showboard", "pinchtp-svg", "gogui-rules_board_gfx", "printsgf", "pinchtp-history"]
GROWTH = 8  # MB that a process may gain after its first games, without its tree

COLORS = {"black": "b", "white": "w"}

ANALYSES = ["lz-analyze", "kata-analyze", "analyze", "kata-search_cancellable"]
GENMOVES = ["lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze"]
ENDINGS = ["", "# interrupt", "stop"]  # lines that end an analysis


class Wrong(AssertionError):
    """The program disagrees with the reference, or a response is malformed."""


class Soak:
    """A program, and the same game in the reference implementation.

    analysis: seconds per analysis.
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
        """Plays a game from a random start to its end or to MOST_MOVES."""
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
        """Returns the text of the response; raises Wrong for a failure."""
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
        """Restarts the reference game and replays its first moves."""
        name, width, height = self.kind
        options = {"pie": bool(GAMES[name].rules()["pie"])} if GAMES[name].swaps else {}
        self.game = followed(name, width, height, **options)
        self.moves = []
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
        ending = self.rng.choice(["", "\n# interrupt"])
        text = self.ask(f"{self.rng.choice(GENMOVES)} {self._color()} 1{ending}")
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
        """Runs an analysis that another line ends, or an interrupted search."""
        if self.rng.random() < 0.5:
            self.ask(f"reg_genmove {self._color()}\n# interrupt")
            return
        whole = "" if self.game.steps else " turns"  # incomplete turns continue by steps
        turns = self.program.ask(f"pinchtp-legal{whole}")
        line = f"{self.rng.choice(ANALYSES)} {self._color()}"
        ending = self.rng.choice(ENDINGS)
        interval = f" {1 + 20 * self.analysis:g}" if "analyze" in line else ""
        self.program.send(f"{line}{interval}\n".encode())
        sleep(self.analysis)
        answer = self.program.ask(ending)
        if ending == "stop":
            self.program.answer()
        found = set(re.findall(r"info move (\S+)", answer)) - {*turns.split(), "pass"}
        if found and turns != "? out of memory":
            raise Wrong(f"{found} are analyzed, and not legal, after {self.lines}")
        self.commands += 2
        if not answer.startswith("="):
            raise Wrong(f"an analysis is answered by {answer!r}, after {self.lines}")

    def _color(self) -> str:
        return COLORS[self.game.book.to_move]

    # --- comparisons

    def _compare(self) -> None:
        book = self.game.book
        winner = book.winner if not self.game.steps else None
        if (shown := self.ask("winner")) != (winner or "none"):
            raise Wrong(f"the winner is {winner}, not {shown}, after {self.lines}")
        legal = [] if winner else [format_move(move) for move in self.game.moves()]
        # Where no stones are placed, pinchtp-legal lists complete moves.
        by_parts = self.game.steps or GAMES[self.kind[0]].places_stones
        question = "pinchtp-legal" if by_parts else "gogui-rules_legal_moves"
        if (found := self.ask(question).split()) != legal:
            raise Wrong(f"legal are {legal}, not {found}, after {self.lines}")
        if not winner and self.ask("gogui-rules_side_to_move") != book.to_move:
            raise Wrong(f"{book.to_move} is to move, after {self.lines}")
        if not self.game.steps:
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
        if (shown := self.ask("final_score")) != expected:
            raise Wrong(f"the score is {expected}, not {shown}, after {self.lines}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--games", type=int, default=2**63)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB of the search tree")
    parser.add_argument("--analysis", type=float, default=0, help="seconds of each analysis")
    options = parser.parse_args()
    end = monotonic() + options.seconds
    rng = random.Random(options.seed)
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
