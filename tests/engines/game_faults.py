"""Faults in play."""

import sys
import time

from engines.faults import fails
from engines.honest import COLUMNS, OTHER, Honest, Refuse

# --- game


@fails("G1")
class NoSizes(Honest):
    def do_boardsize(self, size: str, height: str = "") -> str:
        int(size)
        raise Refuse("unacceptable size")


@fails("G2")
class OneKomi(Honest):
    def do_komi(self, komi: str) -> str:
        if float(komi) < 0:
            raise Refuse("unacceptable komi")
        return super().do_komi(komi)


@fails("G3")
class RefusesLegalMoves(Honest):
    def do_play(self, color: str, move: str) -> str:
        if move == "C3" and self.game.size == 5 and len(self.game.past) < 3:
            raise Refuse("illegal move")
        return super().do_play(color, move)


@fails("G4")
class UpperCaseOnly(Honest):
    def move(self, text: str) -> str:
        if text != text.upper() and text != "pass":
            raise Refuse("syntax error")
        return super().move(text)


@fails("G5", "G13")
class UndoForgetsTurn(Honest):
    def do_undo(self) -> str:
        turn = self.game.turn
        super().do_undo()
        self.game.turn = turn if len(self.game.past) == 1 else self.game.turn
        return ""


@fails("G6")
class HangsAtGenmove(Honest):
    hidden = ("lz-genmove_analyze",)

    def do_genmove(self, color: str) -> str:
        self.color(color)
        time.sleep(1000)
        return ""


@fails("G6")
class DiesAtGenmove(Honest):
    hidden = ("lz-genmove_analyze",)

    def do_genmove(self, color: str) -> str:
        self.color(color)
        sys.exit("out of memory")


@fails("G6")
class MovesOffTheBoard(Honest):
    def do_genmove(self, color: str) -> str:
        answer = super().do_genmove(color)
        return "Z25" if self.game.size == 5 and len(self.game.past) == 4 else answer


@fails("G7")
class PlaysAnotherMove(Honest):
    def do_genmove(self, color: str) -> str:
        answer = super().do_genmove(color)
        if len(self.game.stones) == 1:
            self.game.undo()
            self.game.play(self.game.turn, self.game.legal()[0])
        return answer


@fails("G8")
class SequenceDropsLastMove(Honest):
    def do_gogui_play__sequence(self, *words: str) -> str:
        super().do_gogui_play__sequence(*words)
        self.game.undo()
        return ""


@fails("G9")
class SecondNumberIsTheSize(Honest):
    def do_boardsize(self, size: str, height: str = "") -> str:
        return super().do_boardsize(str(int(size) + 1) if height else size)


@fails("G10")
class SilentAfterTheEnd(Honest):
    def do_genmove(self, color: str) -> str:
        if self.game.is_over():
            raise Refuse("the game is over")
        return super().do_genmove(color)


@fails("G10")
class NoPassAfterTheEnd(Honest):
    def do_play(self, color: str, move: str) -> str:
        if self.game.is_over():
            raise Refuse("illegal move")
        return super().do_play(color, move)


@fails("G11")
class PlaysAfterTheEnd(Honest):
    def do_play(self, color: str, move: str) -> str:
        if self.game.is_over() and move != "pass" and self.move(move) not in self.game.stones:
            return ""
        return super().do_play(color, move)


@fails("G12")
class OddScore(Honest):
    def do_final__score(self) -> str:
        return super().do_final__score() + "esign"


@fails()
class ScoresUnfinished(Honest):
    """Scores any position, as GNU Go does: the more stones, the longer it takes."""

    hidden = tuple(name for name in Honest.commands() if "rules" in name or name == "winner")

    def do_final__score(self) -> str:
        time.sleep(0.4 * len(self.game.stones))
        return "B+1"


@fails("G13")
class SwapMovesStone(Honest):
    def do_play(self, color: str, move: str) -> str:
        swaps = move.lower() == "pass" and self.game.can_swap()
        answer = super().do_play(color, move)
        if swaps:
            ((point, stone),) = self.game.stones.items()
            mirrored = COLUMNS[int(point[1:]) - 1] + str(COLUMNS.index(point[0]) + 1)
            self.game.stones = {mirrored: stone}
        return answer


@fails("G14")
class SaysSwap(Honest):
    def do_genmove(self, color: str) -> str:
        answer = super().do_genmove(color)
        # Not after its own choice of opening, so that only the intended check detects it.
        return "swap" if answer == "pass" and "C3" in self.game.stones else answer

    def choose(self) -> str:
        return "B2" if not self.game.stones else super().choose()


# --- ruler


@fails("Q1")
class LowercaseGame(Honest):
    def do_gogui_rules__game__id(self) -> str:
        return "halves"


@fails("Q2")
class TwoSizes(Honest):
    def do_gogui_rules__board__size(self) -> str:
        return f"{self.game.size} {self.game.size}"


@fails("Q3")
class BoardWithLegend(Honest):
    def do_gogui_rules__board(self) -> str:
        return super().do_gogui_rules__board() + "\nX black, O white"


@fails("Q3")
class BoardFromBelow(Honest):
    def do_gogui_rules__board(self) -> str:
        return "\n" + "\n".join(reversed(self.game.rows()))


@fails("E4", "Q4")
class AcceptsMoreThanListed(Honest):
    def do_play(self, color: str, move: str) -> str:
        if len(self.game.stones) == 2 and len(self.game.past) == 2 and move in self.game.stones:
            return ""
        return super().do_play(color, move)


@fails("Q5")
class ShortSide(Honest):
    def do_gogui_rules__side__to__move(self) -> str:
        return self.game.turn


@fails("Q6")
class OneCount(Honest):
    def do_gogui_rules__captured__count(self) -> str:
        return "0"


@fails("Q7")
class PlaysOutOfTurn(Honest):
    def do_play(self, color: str, move: str) -> str:
        point = self.move(move)
        if self.color(color) != self.game.turn and point in self.game.legal():
            self.game.turn = OTHER[self.game.turn]
        return super().do_play(color, move)


@fails("Q9")
class CallsItPinch(Honest):
    """No stone flips, and the game ends otherwise."""

    def do_gogui_rules__game__id(self) -> str:
        return "Pinch"


@fails("Q8")
class NoResult(Honest):
    def do_gogui_rules__final__result(self) -> str:
        return ""
