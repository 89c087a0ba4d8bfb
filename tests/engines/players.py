"""Engines that play Pinch in matches: a right one that moves at once, and many that fail.

They know which points are taken, which is all that Pinch asks of a legal move; who has won they do
not know. Most fail at their third move of a game.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from engines.honest import Game, Honest, Refuse

FAILS_AT = 3  # own moves
LONG = 1000.0  # seconds


class Board(Game):
    """Played on until somebody else says that the game is over."""

    def is_over(self) -> bool:
        return False


class Filler(Honest):
    """Takes the free points in an order that a number decides."""

    name = "Filler"
    hidden: tuple[str, ...] = (
        "final_score",
        "lz-analyze",
        "lz-genmove_analyze",
        "kata-time_settings",
        "kata-list_time_settings",
    )
    swaps = True

    def __init__(self, number: str = "1") -> None:
        super().__init__()
        self.number = int(number)
        self.made = 0
        self.game = Board(9)

    def do_boardsize(self, size: str, height: str = "") -> str:
        super().do_boardsize(size, height)
        self.game = Board(int(size))
        return ""

    def do_clear__board(self) -> str:
        self.game = Board(self.game.size)
        self.made = 0
        return ""

    def do_gogui_rules__game__id(self) -> str:
        return "Pinch"

    def do_genmove(self, color: str) -> str:
        self.made += 1
        if self.made == FAILS_AT and (answer := self.fail(color)) is not None:
            return answer
        return super().do_genmove(color)

    def fail(self, color: str) -> str | None:
        """What heirs do at their third move; None to move as usual."""
        return None

    def choose(self) -> str:
        if self.swaps and self.game.can_swap():
            return "pass"
        legal = self.game.legal()
        return legal[self.number * 7919 % len(legal)]

    def think(self, seconds: float) -> None:
        """Moves at once whatever the clock."""


class Twin(Filler):
    """The same, but never swaps."""

    swaps = False


# --- at the start


class HangsAtStart(Filler):
    def run(self) -> None:
        time.sleep(LONG)


class RefusesSize(Filler):
    def do_boardsize(self, size: str, height: str = "") -> str:
        raise Refuse("unacceptable size")


class PlaysAnotherGame(Filler):
    """Takes no stones at the edge."""

    hidden = (*Filler.hidden, "gogui-rules_game_id")

    def do_play(self, color: str, move: str) -> str:
        if move.upper().startswith("A"):
            raise Refuse("illegal move")
        return super().do_play(color, move)


# --- in the game


class Hangs(Filler):
    def fail(self, color: str) -> str | None:
        os.write(2, b"thinking very hard\n")
        time.sleep(LONG)
        return None


class Crashes(Filler):
    def fail(self, color: str) -> str | None:
        os.write(2, b"loading\nout of luck\n")
        os._exit(7)


class PlaysOccupied(Filler):
    def fail(self, color: str) -> str | None:
        return min(self.game.stones)


class PlaysNonsense(Filler):
    def fail(self, color: str) -> str | None:
        return "to be or not to be"


class SwapsLate(Filler):
    def fail(self, color: str) -> str | None:
        return "swap"


class Passes(Filler):
    def fail(self, color: str) -> str | None:
        return "pass"


class Resigns(Filler):
    def fail(self, color: str) -> str | None:
        return "resign"


class Floods(Filler):
    def fail(self, color: str) -> str | None:
        while True:
            self.say(b"thinking " * 8000)


class Babbles(Filler):
    """Answers once more than it was asked."""

    def fail(self, color: str) -> str | None:
        answer = Honest.do_genmove(self, color)
        self.say(f"= {answer}\n\n= {answer}\n\n".encode())
        raise Refuse("and this")


class AnswersBlank(Filler):
    def fail(self, color: str) -> str | None:
        return ""


class SaysTooMuch(Filler):
    def fail(self, color: str) -> str | None:
        return f"{Honest.do_genmove(self, color)}\nbecause I like it"


class SaysBytes(Filler):
    """Says on all occasions what is no UTF-8."""

    name = "\xff\xfe"

    def fail(self, color: str) -> str | None:
        os.write(2, b"\xff\xfe\n")
        raise Refuse("\xff\xfe")


class SaysEscapes(Filler):
    """Sets the terminal's title and colors, if anybody lets it."""

    name = "\x1b]0;title\x07\x1b[31mred"

    def fail(self, color: str) -> str | None:
        os.write(2, b"\x1b[2J\x9b2J\xc2\x9b2J dead\n")
        os._exit(1)


class SaysBlankLines(Filler):
    def fail(self, color: str) -> str | None:
        self.say(b"\n\n\n\n")
        time.sleep(LONG)
        return None


class ForgetsStatus(Filler):
    """Answers without `=`."""

    def fail(self, color: str) -> str | None:
        self.say(f"{Honest.do_genmove(self, color)}\n\n".encode())
        time.sleep(LONG)
        return None


class Late(Filler):
    """Slow by a little, every time."""

    def think(self, seconds: float) -> None:
        time.sleep(0.15)


class ClosesOutput(Filler):
    def fail(self, color: str) -> str | None:
        os.close(1)
        time.sleep(LONG)
        return None


class LeavesChildren(Filler):
    """Dies, and children live on: one in its group, one that left it."""

    def fail(self, color: str) -> str | None:
        command = [sys.executable, "-S", "-c", f"import time; time.sleep({LONG})", *sys.argv[2:]]
        subprocess.Popen(command)
        subprocess.Popen(command, start_new_session=True)
        os._exit(1)


class PlaysWrongColor(Filler):
    """Believes that it plays the other color."""

    def fail(self, color: str) -> str | None:
        self.game.turn = {"b": "w", "w": "b"}[self.color(color)]
        move = super().choose()
        self.game.play(self.game.turn, move)
        return move


class RefusesMove(Filler):
    def do_play(self, color: str, move: str) -> str:
        if self.made == FAILS_AT:
            raise Refuse("I do not like it")
        return super().do_play(color, move)


class RefusesToMove(Filler):
    def fail(self, color: str) -> str | None:
        raise Refuse("not in the mood")


class EatsMemory(Filler):
    def fail(self, color: str) -> str | None:
        self.food = b"x" * (300 << 20)
        time.sleep(LONG)
        return None


class ChildEatsMemory(Filler):
    def __init__(self, number: str = "1") -> None:
        super().__init__(number)
        code = f"import time; food = b'x' * (300 << 20); time.sleep({LONG})"
        self.child = subprocess.Popen([sys.executable, "-S", "-c", code])

    def fail(self, color: str) -> str | None:
        time.sleep(LONG)
        return None


# --- at the end


class Lies(Filler):
    """Believes that White always wins."""

    hidden = tuple(name for name in Filler.hidden if name != "final_score")

    def do_final__score(self) -> str:
        return "W+R"


class DiesOfDefeat(Lies):
    """Dies when it is told of the move A5."""

    def do_play(self, color: str, move: str) -> str:
        if move == "A5":
            os._exit(1)
        return super().do_play(color, move)


class HangsAtEnd(Lies):
    def do_final__score(self) -> str:
        time.sleep(LONG)
        return ""


class SavesAtEnd(Filler):
    """Has something to do when it is asked to quit."""

    def at_end(self) -> None:
        time.sleep(0.05)
        os.write(2, b"saved\n" if self.ending else b"lost\n")


# --- what they understand


class WholeSeconds(Filler):
    """Reads no fractions of a second."""

    def do_time__settings(self, main: str, period: str, stones: str) -> str:
        return self.note("time_settings", int(main), int(period), int(stones))

    def do_time__left(self, color: str, seconds: str, stones: str) -> str:
        return self.note("time_left", int(seconds), int(stones))

    def note(self, *words: object) -> str:
        os.write(2, " ".join(map(str, words)).encode() + b"\n")
        return ""


class Explains(Filler):
    """Tells a chance to win, in percent: the number it was given."""

    def do_gomill_explain__last__move(self) -> str:
        return f"E5: win rate {self.number} %, 10 visits"


class Searches(Filler):
    """Explains its moves without a chance to win."""

    def do_gomill_explain__last__move(self) -> str:
        return "E5: no visits"


class Analyses(Filler):
    """Tells a chance to win as Leela Zero does: the number it was given, in percent."""

    hidden = tuple(name for name in Filler.hidden if name != "lz-genmove_analyze")

    def do_lz_genmove__analyze(self, color: str, interval: str) -> None:
        move = self.do_genmove(color)
        self.begin()
        for share in (50, 1, self.number):
            other = f"info move K1 visits 9 winrate 77 order 1 pv K1 {move}"
            about = f"info move {move} visits 10 winrate {share * 100} prior 90 order 0 pv {move}"
            self.say(f"{about} {other}\n".encode())
        self.say(f"play {move}\n\n".encode())


class ListsNothing(Filler):
    """Has known_command, but no list_commands."""

    hidden = (*Filler.hidden, "list_commands")


class RefusesTime(Filler):
    def do_time__settings(self, main: str, period: str, stones: str) -> str:
        raise Refuse("I have all the time in the world")


class SpellsSwapPieces(Filler):
    """Swaps by the word `swap-pieces`, and knows no other."""

    def do_play(self, color: str, move: str) -> str:
        if move.lower() in ("pass", "swap"):
            raise Refuse("illegal move")
        return super().do_play(color, "pass" if move == "swap-pieces" else move)

    def do_genmove(self, color: str) -> str:
        answer = super().do_genmove(color)
        return "swap-pieces" if answer == "pass" else answer


# --- a game of their own, for those without a referee: see `engines.honest`


class Own(Honest):
    """Scores as it is told."""

    def __init__(self, score: str = "B+1") -> None:
        super().__init__()
        self.score = score

    def do_final__score(self) -> str:
        if not self.score:
            raise Refuse("cannot score")
        return self.score


class NeverPasses(Own):
    def do_genmove(self, color: str) -> str:
        return "A1"

    def do_play(self, color: str, move: str) -> str:
        return ""


class RefusesAtEnd(Own):
    """Says that the game is over by refusing to move."""

    def do_genmove(self, color: str) -> str:
        if self.game.is_over():
            raise Refuse("the game is over")
        return super().do_genmove(color)


PLAYERS: dict[str, type[Honest]] = {
    each.__name__: each
    for each in list(globals().values())
    if isinstance(each, type) and issubclass(each, Filler | Own)
}
