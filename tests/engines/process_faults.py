"""Faults of clocks, of analysis and of the process."""

import os
import subprocess
import sys
import time

from engines.faults import fails
from engines.honest import Honest, Refuse

# --- time


@fails("T1")
class RefusesNoLimit(Honest):
    def do_time__settings(self, main: str, period: str, stones: str) -> str:
        if stones == "0" and float(period):
            raise Refuse("syntax error")
        return super().do_time__settings(main, period, stones)


@fails("T2")
class TooLate(Honest):
    def do_time__settings(self, main: str, period: str, stones: str) -> str:
        super().do_time__settings(main, period, stones)
        self.budget = 1.4 if stones == "1" else self.budget
        return ""


@fails("T3")
class NoOwnClock(Honest):
    def do_time__settings(self, main: str, period: str, stones: str) -> str:
        super().do_time__settings(main, period, stones)
        self.budget = 1.2 if main == "2" else self.budget
        return ""


@fails("T4")
class FallingTime(Honest):
    def do_cputime(self) -> str:
        return f"{100 - time.monotonic() % 100:.6f}"


@fails("T5", "T6")
class NoByoyomi(Honest):
    def do_kata_time__settings(self, system: str, *numbers: str) -> str:
        if system == "byoyomi":
            raise Refuse("syntax error")
        return super().do_kata_time__settings(system, *numbers)


@fails("T6")
class ListsTooManyClocks(Honest):
    def do_kata_list__time__settings(self) -> str:
        return super().do_kata_list__time__settings() + " fischer"


# --- interrupt and analysis


@fails("S1")
class IgnoresInterrupt(Honest):
    def think(self, seconds: float) -> None:
        time.sleep(seconds)


@fails("S3")
class SilentAnalysis(Honest):
    hidden = ("lz-genmove_analyze",)

    def info(self) -> bytes:
        time.sleep(1.2)
        return super().info()


@fails("S3")
class BeginsLate(Honest):
    def begin(self) -> None:
        time.sleep(1.2)
        super().begin()

    hidden = ("lz-genmove_analyze",)


@fails("S4")
class WinrateAsShare(Honest):
    def info(self) -> bytes:
        return super().info().replace(b"5100", b"0.51")


@fails("S4")
class NoVariation(Honest):
    def info(self) -> bytes:
        return super().info().partition(b" pv ")[0] + b"\n"


@fails("S5", "S6")
class AnalysisDoesNotStop(Honest):
    def stops(self) -> bool:
        return False

    def do_lz_analyze(self, color: str, interval: str) -> None:
        self.begin()
        while True:
            self.say(self.info())
            time.sleep(0.05)


@fails("S5")
class IgnoresBlankLines(Honest):
    def stops(self) -> bool:
        super().stops()
        self.input.lines = [line for line in self.input.lines if line.strip()]
        return bool(self.input.lines)


@fails("S6", "S10")
class SwallowsCommand(Honest):
    def do_lz_analyze(self, color: str, interval: str) -> None:
        super().do_lz_analyze(color, interval)
        self.input.lines.clear()


@fails()
class LimitsAnalysis(Honest):
    """Ends an analysis unasked, like Leela Zero with a limit of visits."""

    def do_lz_analyze(self, color: str, interval: str) -> None:
        self.begin()
        self.say(self.info() + b"\n")


@fails()
class AnalyzesLikeKataGo(Honest):
    """Writes a winrate of exactly 1 without a decimal point, and may write an empty `pv`."""

    hidden = ("lz-analyze", "lz-genmove_analyze")

    def do_kata_analyze(self, color: str, interval: str) -> None:
        self.do_lz_analyze(color, interval)

    def info(self) -> bytes:
        best, other, *_ = self.game.legal()
        line = f"info move {best} visits 10 winrate 1 order 0 pv {best}"
        return f"{line} info move {other} visits 1 winrate 0 order 1 pv\n".encode()


@fails("S7")
class AnalysesTwice(Honest):
    count = 0

    def do_lz_analyze(self, color: str, interval: str) -> None:
        self.count = 0 if self.game is not self.seen else self.count + 1
        self.seen = self.game
        if self.count < 2:
            super().do_lz_analyze(color, interval)
        else:
            raise Refuse("busy")

    seen: object = None


@fails("S8")
class GenmoveAnalyzeSaysNoMove(Honest):
    def do_lz_genmove__analyze(self, color: str, interval: str) -> None:
        self.begin()
        self.do_genmove(color)
        self.say(self.info() + b"\n")


@fails("S9")
class BurnsOn(Honest):
    """Uses four threads in separate sessions: on a busy machine one thread may get little time,
    and Linux may share CPUs by session.
    """

    burning: tuple[subprocess.Popen[bytes], ...] = ()

    def do_lz_analyze(self, color: str, interval: str) -> None:
        super().do_lz_analyze(color, interval)
        if not self.burning:
            loop = ["sh", "-c", "while :; do :; done"]
            self.burning = tuple(subprocess.Popen(loop, start_new_session=True) for _ in range(4))

    def at_end(self) -> None:
        for each in self.burning:
            each.kill()
            each.wait()


@fails("S10")
class QuitEndsAnalysisOnly(Honest):
    analysed = False

    def do_lz_analyze(self, color: str, interval: str) -> None:
        super().do_lz_analyze(color, interval)
        self.analysed = True

    def do_quit(self) -> str:
        self.ending = not self.analysed
        return ""


# --- process


@fails("P1")
class QuitsWithoutAnswer(Honest):
    def do_quit(self) -> str:
        sys.exit()


@fails("P1")
class AnswersQuitAndStays(Honest):
    def at_end(self) -> None:
        if self.ending:
            time.sleep(1000)

    hidden = ("lz-analyze",)  # it would have to end at quit, too


@fails("P2")
class StaysAtEndOfInput(Honest):
    def at_end(self) -> None:
        if not self.ending:
            time.sleep(1000)


@fails("P3")
class DropsCommandsAtEndOfInput(Honest):
    def do_genmove(self, color: str) -> str:
        lines = self.input.lines
        self.input.lines = []
        while self.input.poll(0.5) and not self.input.ended:  # later input may be delayed
            lines = lines + self.input.lines
            self.input.lines = []
        if self.input.ended:
            sys.exit()
        self.input.lines = lines
        return super().do_genmove(color)


@fails("P4")
class LeavesChild(Honest):
    def __init__(self) -> None:
        super().__init__()
        subprocess.Popen(["sleep", "1000"])


@fails("P4")
class LeavesDaemon(Honest):
    def __init__(self) -> None:
        super().__init__()
        subprocess.Popen(["sleep", "1000"], start_new_session=True)


@fails("P5")
class WritesErrors(Honest):
    def think(self, seconds: float) -> None:
        os.write(2, b"info\n" * 10_000)
        super().think(seconds)
