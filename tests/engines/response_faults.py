"""Faults of responses, and of failures that change state."""

import sys
import time

from engines.faults import fails
from engines.honest import Honest, Refuse

# --- errors


@fails("E1")
class OtherUnknown(Honest):
    unknown = "unknown_command"


@fails("E2")
class TakesAnyKomi(Honest):
    def do_komi(self, komi: str = "") -> str:
        return ""


@fails("E3")
class OtherSyntax(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text.replace("syntax error", "what?"))


@fails("E4", "Q7")
class OtherIllegal(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text.replace("illegal move", "Illegal move."))


@fails("E5")
class OtherSize(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text.replace("unacceptable", "bad"))


@fails("E6")
class OtherUndo(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text.replace("cannot undo", "no move to undo"))


@fails("E7")
class OtherLoad(Honest):
    def do_loadsgf(self, name: str) -> str:
        raise Refuse("no such file")


@fails("E8")
class OtherScore(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text.replace("cannot score", "not over"))


@fails("E9")
class DiesOnNonsense(Honest):
    def line(self, raw: bytes) -> None:
        if b"%" in raw:
            sys.exit("%")
        super().line(raw)


@fails("E9")
class InternalError(Honest):
    def do_time__left(self, color: str, seconds: str, stones: str) -> str:
        if not seconds.isdigit():
            raise Refuse("internal error: ValueError")
        return super().do_time__left(color, seconds, stones)


# --- state


class Forgetful(Honest):
    """Loses the last move when a command fails."""

    def loses(self, text: str) -> bool:
        raise NotImplementedError

    def line(self, raw: bytes) -> None:
        self.now = raw.decode("latin-1")
        super().line(raw)

    def frame(self, ok: bool, number: str, text: str) -> bytes:
        if not ok and self.game.past and self.loses(text):
            self.game.undo()
        return super().frame(ok, number, text)


@fails("A1", "G11", "Q7")
class RefusedPlayChanges(Forgetful):
    def loses(self, text: str) -> bool:
        return text == "illegal move"


@fails("A2")
class RefusedSizeChanges(Forgetful):
    def loses(self, text: str) -> bool:
        return text == "unacceptable size"


@fails("A3")
class NonsenseChanges(Forgetful):
    def loses(self, text: str) -> bool:
        return text == "syntax error" and self.now.startswith("genmove")


@fails("A4")
class SequenceStopsHalfWay(Honest):
    def do_gogui_play__sequence(self, *words: str) -> str:
        for color, move in zip(words[::2], words[1::2], strict=True):
            self.game.play(self.color(color), self.move(move))
        return ""


@fails("A5")
class RefusedLoadClears(Forgetful):
    def loses(self, text: str) -> bool:
        return text == "cannot load file"


@fails("A6")
class RegGenmovePlays(Honest):
    def do_reg__genmove(self, color: str) -> str:
        return self.do_genmove(color)


@fails("A7")
class UndoesWhatThereIs(Forgetful):
    def loses(self, text: str) -> bool:
        return text == "cannot undo"


@fails("A8")
class ClearsStonesOnly(Honest):
    last = ""

    def do_play(self, color: str, move: str) -> str:
        answer = super().do_play(color, move)
        self.last = move
        return answer

    def do_boardsize(self, size: str, height: str = "") -> str:
        self.last = ""
        return super().do_boardsize(size, height)

    def do_undo(self) -> str:
        answer = super().do_undo()
        self.last = "" if not self.game.past else self.last
        return answer

    def do_showboard(self) -> str:
        shown = self.last if not self.game.past else ""
        return super().do_showboard() + f"\nlast move {shown}"


# --- lists


@fails("C1")
class NoKomi(Honest):
    hidden = ("komi",)


@fails("C2")
class ListsTwice(Honest):
    def listed(self) -> list[str]:
        return [*super().listed(), "play"]


@fails("C4")
class ListsWhatIsNot(Honest):
    def listed(self) -> list[str]:
        return [*super().listed(), "frobnicate"]


@fails("C3", "C4")
class ListsWhatItDoesNotKnow(ListsWhatIsNot):
    def do_known__command(self, name: str) -> str:
        return "true" if name in self.commands() else "false"


@fails("C5")
class OddMenu(Honest):
    def do_gogui_analyze__commands(self) -> str:
        return super().do_gogui_analyze__commands() + "\npicture/Board/showboard"


@fails("R1")
class OtherProtocol(Honest):
    def do_protocol__version(self) -> str:
        return "1"


@fails("R2")
class LongName(Honest):
    name = "The\nEngine"


@fails("R3")
class LongVersion(Honest):
    version = "1.0 of a long and glorious day in November"


@fails("R4")
class SlowStart(Honest):
    def run(self) -> None:
        time.sleep(1.1)
        super().run()


@fails("R5")
class SlowAnswers(Honest):
    def do_protocol__version(self) -> str:
        time.sleep(0.03)
        return "2"
