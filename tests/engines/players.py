"""Engines that play Pinch in matches: a correct one that moves immediately, and many faulty ones.

They know which points are occupied, which suffices for legal moves in Pinch, but not who has won.
Most fail at their third move of a game.
"""

import os
import subprocess
import sys
import time

from engines.honest import Game, Honest, Refuse

FAILS_AT = 3  # own moves
LONG = 1000.0  # seconds


class Board(Game):
    """A board without an end of the game, which others must detect."""

    def is_over(self) -> bool:
        return False


class Player(Honest):
    """The base class: plays the free points in an order given by a number."""

    name = "FixedOrder"
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
        """Acts at the third move; returns None for a normal move."""
        return None

    def choose(self) -> str:
        if self.swaps and self.game.can_swap():
            return "pass"
        legal = self.game.legal()
        return legal[self.number * 7919 % len(legal)]

    def think(self, seconds: float) -> None:
        """Moves immediately on any clock."""


class FixedOrder(Player):
    pass


class Twin(Player):
    """The same engine without swaps."""

    swaps = False


# --- at the start


class HangsAtStart(Player):
    def run(self) -> None:
        time.sleep(LONG)


class RefusesSize(Player):
    def do_boardsize(self, size: str, height: str = "") -> str:
        raise Refuse("unacceptable size")


class TakesFirstSize(Player):
    """Takes `boardsize 9 7` for 9x9, like GNU Go."""

    def do_boardsize(self, size: str, height: str = "") -> str:
        return super().do_boardsize(size)


class PlaysAnotherGame(Player):
    """Rejects stones at the edge."""

    hidden = (*Player.hidden, "gogui-rules_game_id")

    def do_play(self, color: str, move: str) -> str:
        if move.upper().startswith("A"):
            raise Refuse("illegal move")
        return super().do_play(color, move)


# --- in the game


class Hangs(Player):
    """Makes a file when it hangs, if one is named."""

    def __init__(self, number: str = "1", flag: str = "") -> None:
        super().__init__(number)
        self.flag = flag

    def fail(self, color: str) -> str | None:
        os.write(2, b"thinking very hard\n")
        if self.flag:
            open(self.flag, "w").close()
        time.sleep(LONG)
        return None


class Crashes(Player):
    def fail(self, color: str) -> str | None:
        os.write(2, b"loading\nout of luck\n")
        os._exit(7)


class PlaysOccupied(Player):
    def fail(self, color: str) -> str | None:
        return min(self.game.stones)


class PlaysNonsense(Player):
    def fail(self, color: str) -> str | None:
        return "to be or not to be"


class SwapsLate(Player):
    def fail(self, color: str) -> str | None:
        return "swap"


class Passes(Player):
    def fail(self, color: str) -> str | None:
        return "pass"


class Resigns(Player):
    def fail(self, color: str) -> str | None:
        return "resign"


class Floods(Player):
    def fail(self, color: str) -> str | None:
        while True:
            self.say(b"thinking " * 8000)


class Babbles(Player):
    """Sends an extra response."""

    def fail(self, color: str) -> str | None:
        answer = Honest.do_genmove(self, color)
        self.say(f"= {answer}\n\n= {answer}\n\n".encode())
        raise Refuse("and this")


class AnswersBlank(Player):
    def fail(self, color: str) -> str | None:
        return ""


class SaysTooMuch(Player):
    def fail(self, color: str) -> str | None:
        return f"{Honest.do_genmove(self, color)}\nbecause I like it"


class SaysBytes(Player):
    """Sends invalid UTF-8 everywhere."""

    name = "\xff\xfe"

    def fail(self, color: str) -> str | None:
        os.write(2, b"\xff\xfe\n")
        raise Refuse("\xff\xfe")


class SaysEscapes(Player):
    """Sends escape sequences for the terminal's title and colors."""

    name = "\x1b]0;title\x07\x1b[31mred"

    def fail(self, color: str) -> str | None:
        os.write(2, b"\x1b[2J\x9b2J\xc2\x9b2J dead\n")
        os._exit(1)


class SaysBlankLines(Player):
    def fail(self, color: str) -> str | None:
        self.say(b"\n\n\n\n")
        time.sleep(LONG)
        return None


class ForgetsStatus(Player):
    """Sends responses without `=`."""

    def fail(self, color: str) -> str | None:
        self.say(f"{Honest.do_genmove(self, color)}\n\n".encode())
        time.sleep(LONG)
        return None


class Late(Player):
    """Takes a little too long for every move."""

    def think(self, seconds: float) -> None:
        time.sleep(0.15)


class ClosesOutput(Player):
    def fail(self, color: str) -> str | None:
        os.close(1)
        time.sleep(LONG)
        return None


class LeavesChildren(Player):
    """Exits and leaves children: one in its process group, one outside."""

    def fail(self, color: str) -> str | None:
        command = [sys.executable, "-S", "-c", f"import time; time.sleep({LONG})", *sys.argv[2:]]
        subprocess.Popen(command)
        subprocess.Popen(command, start_new_session=True)
        os._exit(1)


class PlaysWrongColor(Player):
    """Plays for the wrong color."""

    def fail(self, color: str) -> str | None:
        self.game.turn = {"b": "w", "w": "b"}[self.color(color)]
        move = super().choose()
        self.game.play(self.game.turn, move)
        return move


class RefusesMove(Player):
    def do_play(self, color: str, move: str) -> str:
        if self.made == FAILS_AT:
            raise Refuse("I do not like it")
        return super().do_play(color, move)


class RefusesToMove(Player):
    def fail(self, color: str) -> str | None:
        raise Refuse("not in the mood")


class EatsMemory(Player):
    def fail(self, color: str) -> str | None:
        self.food = b"x" * (300 << 20)
        time.sleep(LONG)
        return None


class ChildEatsMemory(Player):
    def __init__(self, number: str = "1") -> None:
        super().__init__(number)
        code = f"import time; food = b'x' * (300 << 20); time.sleep({LONG})"
        self.child = subprocess.Popen([sys.executable, "-S", "-c", code])

    def fail(self, color: str) -> str | None:
        time.sleep(LONG)
        return None


# --- at the end


class Lies(Player):
    """Scores every game as a win of White."""

    hidden = tuple(name for name in Player.hidden if name != "final_score")

    def do_final__score(self) -> str:
        return "W+R"


class DiesOfDefeat(Lies):
    """Exits at the move A5."""

    def do_play(self, color: str, move: str) -> str:
        if move == "A5":
            os._exit(1)
        return super().do_play(color, move)


class HangsAtEnd(Lies):
    def do_final__score(self) -> str:
        time.sleep(LONG)
        return ""


class SavesAtEnd(Player):
    """Works after quit."""

    def at_end(self) -> None:
        time.sleep(0.05)
        os.write(2, b"saved\n" if self.ending else b"lost\n")


# --- protocol variants


class WholeSeconds(Player):
    """Parses integer seconds only."""

    def do_time__settings(self, main: str, period: str, stones: str) -> str:
        return self.note("time_settings", int(main), int(period), int(stones))

    def do_time__left(self, color: str, seconds: str, stones: str) -> str:
        return self.note("time_left", int(seconds), int(stones))

    def note(self, *words: object) -> str:
        os.write(2, " ".join(map(str, words)).encode() + b"\n")
        return ""


class Explains(Player):
    """Explains moves with a winrate in percent: the number it was given."""

    def do_gomill_explain__last__move(self) -> str:
        return f"E5: win rate {self.number} %, 10 visits"


class Searches(Player):
    """Explains moves without a winrate."""

    def do_gomill_explain__last__move(self) -> str:
        return "E5: no visits"


class Analyses(Player):
    """Reports a winrate like Leela Zero: the number it was given, in percent."""

    hidden = tuple(name for name in Player.hidden if name != "lz-genmove_analyze")

    def do_lz_genmove__analyze(self, color: str, interval: str) -> None:
        move = self.do_genmove(color)
        self.begin()
        for share in (50, 1, self.number):
            other = f"info move K1 visits 9 winrate 77 order 1 pv K1 {move}"
            about = f"info move {move} visits 10 winrate {share * 100} prior 90 order 0 pv {move}"
            self.say(f"{about} {other}\n".encode())
        self.say(f"play {move}\n\n".encode())


class ListsNothing(Player):
    """Supports known_command, but not list_commands."""

    hidden = (*Player.hidden, "list_commands")


class RefusesTime(Player):
    def do_time__settings(self, main: str, period: str, stones: str) -> str:
        raise Refuse("I have all the time in the world")


class Timeless(Player):
    """A player without commands for time."""

    hidden = (*Player.hidden, "time_settings", "time_left")


class SpellsSwapPieces(Player):
    """Supports only `swap-pieces` for swaps."""

    def do_play(self, color: str, move: str) -> str:
        if move.lower() in ("pass", "swap"):
            raise Refuse("illegal move")
        return super().do_play(color, "pass" if move == "swap-pieces" else move)

    def do_genmove(self, color: str) -> str:
        answer = super().do_genmove(color)
        return "swap-pieces" if answer == "pass" else answer


# --- a separate game, for matches without a referee: see `engines.honest`


class Own(Honest):
    """Scores with a fixed result."""

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
    """Ends the game by failing to move."""

    def do_genmove(self, color: str) -> str:
        if self.game.is_over():
            raise Refuse("the game is over")
        return super().do_genmove(color)


PLAYERS: dict[str, type[Honest]] = {
    each.__name__: each
    for each in list(globals().values())
    if isinstance(each, type) and issubclass(each, Player | Own)
}
