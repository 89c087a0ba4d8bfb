"""Faults of framing, ids and input."""

import os
import sys

from engines.faults import fails
from engines.honest import Honest


@fails()
class Correct(Honest):
    pass


# --- framing


@fails("F1")
class NoBlankLine(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text)[:-1]


@fails("F2", "Q6")  # `=0 0` reads as an unknown id
class NoSpace(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text).replace(b" ", b"", 1)


@fails("F2")
class NoSpaceIfEmpty(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text).replace(b" \n", b"\n", 1)


@fails("F3")
class TwoBlankLines(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text) + b"\n"


@fails("F3")
class BlankLineInBoard(Honest):
    def do_showboard(self) -> str:
        return "the board:\n\n" + super().do_showboard()


@fails("F4")
class Banner(Honest):
    def __init__(self) -> None:
        super().__init__()
        self.say(b"Welcome!\n")


@fails("F4")
class Chatter(Honest):
    def say(self, data: bytes) -> None:
        super().say(b"debug: 1\n" + data)

    hidden = ("lz-analyze", "lz-genmove_analyze")


@fails("F4")
class ChatterInSearch(Honest):
    def think(self, seconds: float) -> None:
        self.say(b"depth 1\n")
        super().think(seconds)


@fails("F5")
class CarriageReturns(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number, text).replace(b"\n", b"\r\n")


@fails("F5")
class ColorfulBoard(Honest):
    def do_showboard(self) -> str:
        return super().do_showboard().replace("X", "\x1b[31mX\x1b[0m") + "\x1b[0m"


# --- ids


@fails("I1", "I2", "I3")
class WrongId(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number and str(int(number) + 1), text)


@fails("I2")
class RefusesWithoutId(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number if ok else "", text)


@fails("I3")
class ShortIds(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number and str(int(number) % 2**24), text)


@fails("I4")
class InventsIds(Honest):
    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return super().frame(ok, number or "1", text)

    def begin(self) -> None:
        self.say(b"= \n")


# --- input


@fails("L1")
class AnswersBlankLines(Honest):
    def line(self, raw: bytes) -> None:
        if raw.strip():
            super().line(raw)
        else:
            self.say(b"? syntax error\n\n")

    hidden = ("lz-analyze",)  # a blank line stops it


@fails("L2", "S2")
class AnswersComments(Honest):
    def line(self, raw: bytes) -> None:
        if raw.strip().startswith(b"#"):
            self.say(b"? unknown command\n\n")
        super().line(raw)


@fails("L3")
class TakesCommentsForArguments(Honest):
    def clean(self, raw: bytes) -> str:
        text = raw.decode("latin-1")
        return "" if text.strip().startswith("#") else super().clean(raw.replace(b"#", b"$"))


@fails("L4")
class KeepsControls(Honest):
    def clean(self, raw: bytes) -> str:
        return super().clean(raw.replace(b"\x01", b"?"))


@fails("L5")
class KeepsTabs(Honest):
    def clean(self, raw: bytes) -> str:
        return super().clean(raw.replace(b"\t", b"?") if raw.strip() else raw)


@fails("L6")
class OneSpaceOnly(Honest):
    def line(self, raw: bytes) -> None:
        if b"  " in raw.rstrip(b" ") and not raw.strip().startswith(b"#"):
            raw = b"syntax"
        super().line(raw)


@fails("L7")
class DiesOnCarriageReturn(Honest):
    def line(self, raw: bytes) -> None:
        if b"\r" in raw:
            sys.exit("carriage return")
        super().line(raw)


@fails("L8")
class TakesPiecesForLines(Honest):
    def run(self) -> None:
        while not self.ending and (data := os.read(0, 65536)):
            for raw in data.removesuffix(b"\n").split(b"\n"):
                if not self.ending:
                    self.line(raw)

    hidden = ("lz-analyze", "gogui-interrupt")


@fails("L9")
class ShortBuffer(Honest):
    def line(self, raw: bytes) -> None:
        super().line(raw[:1000])
        if raw[1000:]:
            super().line(raw[1000:])


@fails("L9")
class CutsLines(Honest):
    def line(self, raw: bytes) -> None:
        super().line(raw[:1000])


@fails("L10")
class DiesOnForeignBytes(Honest):
    def line(self, raw: bytes) -> None:
        if b"#" in raw:
            raw.decode("ascii")
        super().line(raw)


@fails("X1")
class ForgetsWhatIsInFlight(Honest):
    def line(self, raw: bytes) -> None:
        del self.input.lines[3:]
        super().line(raw)


@fails("X2", "P3")
class ForgetsWhatCameInASearch(Honest):
    def think(self, seconds: float) -> None:
        super().think(seconds)
        self.input.poll(0.0)
        self.input.lines.clear()
