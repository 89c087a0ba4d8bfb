"""`# interrupt`, and analysis that runs until it is stopped."""

from __future__ import annotations

import re
from contextlib import suppress
from time import monotonic, sleep
from typing import NoReturn

from pinchtp.base.text import ENCODING, shorten
from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import TrialGame, listed_moves
from pinchtp.check.probe import EngineProbe, Reply, check_that
from pinchtp.client import ANSWER_END, LINE_END, EngineDied, EngineError, EngineTimeout
from pinchtp.client.analysis_lines import ANALYZE, GENMOVE_ANALYZE

INTERVAL = 5  # centiseconds

FIRST_LINE_SECONDS = 1.0  # maximum
STOP_SECONDS = 1.0  # maximum
SHORT_ANALYSIS_SECONDS = 0.1  # after which an analysis with a small limit has ended
SEARCH_SECONDS = 0.2  # before a search is interrupted
LONG_CLOCK = "time_settings 3600 0 0"
RESTARTS = 20
IDLE_SECONDS = 0.3  # for which the CPU time of an idle engine is measured
IDLE_SHARE = 0.15  # maximum share of a core; on a busy machine a search may get little more
IDLE_MEASUREMENTS = 3  # measurements, each of which must pass

_FRACTION = re.compile(r"-?[0-9]*\.[0-9]+([eE][-+]?[0-9]+)?|-?[0-9]\.?[eE][-+]?[0-9]+|[01]")


class AnalysisEnded(CheckSkipped):
    """The analysis ended before it was stopped, as with a limit of visits."""


class RunningAnalysis:
    """A running analysis. first: its first info line."""

    def __init__(self, probe: EngineProbe, command: str) -> None:
        """Starts it after two moves. Raises CheckFailed if that fails, or CheckSkipped."""
        game = TrialGame(probe, probe.facts.large)
        game.advance(2)
        self.probe = probe
        self.command = command
        self.line = f"{command} {game.color.letter} {INTERVAL}"
        self.restart()
        self.first = self._next_info()
        check_that(self.first, f"{self.line!r} ends without an info line")

    def restart(self) -> None:
        """Starts it again."""
        self.probe.silence(0.0)  # another check detects extra blank lines
        self.probe.write(self.line + "\n")
        first = self._next(
            FIRST_LINE_SECONDS, f"no response starts within {FIRST_LINE_SECONDS:g} s"
        )
        check_that(
            re.fullmatch(rb"= ?\r?\n", first),
            f"{self.line!r}: the response starts with {shorten(first)}",
        )

    def info(self) -> str:
        """Returns the next info line. Raises AnalysisEnded."""
        line = self._next_info()
        if not line:
            self._raise_ended()
        return line

    def _next_info(self) -> str:
        """Returns the next line; empty at the end of the analysis."""
        trouble = f"no info line arrives within {FIRST_LINE_SECONDS:g} s"
        return self._next(FIRST_LINE_SECONDS, trouble).decode(*ENCODING).strip()

    def stop(self, data: str) -> None:
        """Sends a line to stop it. Raises CheckFailed if it continues.

        Sends nothing and raises AnalysisEnded if it has already ended.
        """
        if ANSWER_END.search(b"\n" + self.probe.client.peek(0.0)):
            self._read_to_end("")
            self._raise_ended()
        self.probe.write(data)
        self._read_to_end(f"{data!r} does not stop it within {STOP_SECONDS:g} s")

    def _read_to_end(self, trouble: str) -> None:
        deadline = monotonic() + STOP_SECONDS
        while self._next(deadline - monotonic(), trouble).strip():
            pass

    def _raise_ended(self) -> NoReturn:
        raise AnalysisEnded(f"{self.line!r} ended before it was stopped")

    def _next(self, seconds: float, trouble: str) -> bytes:
        try:
            return self.probe.client.read(seconds, LINE_END)
        except EngineTimeout:
            raise CheckFailed(f"{self.line!r}: {trouble}") from None


def _start_analysis(probe: EngineProbe, command: str) -> RunningAnalysis:
    """Starts an analysis and reads its first line; records a failure."""
    try:
        return RunningAnalysis(probe, command)
    except (CheckFailed, EngineError):
        probe.facts.hung.add(command)
        raise


def _require_running(probe: EngineProbe, command: str) -> RunningAnalysis:
    """Starts an analysis. Raises CheckSkipped if that fails."""
    if command in probe.facts.hung:
        raise CheckSkipped(f"{command} does not start")
    try:
        analysis = _start_analysis(probe, command)
    except (CheckFailed, EngineError) as trouble:
        raise CheckSkipped(f"{command} does not start: {trouble}") from None
    sleep(SHORT_ANALYSIS_SECONDS)
    return analysis


def _start_stoppable(probe: EngineProbe, command: str) -> RunningAnalysis:
    """Starts an analysis that can be stopped. Raises CheckSkipped if that fails."""
    if _end_of(command) in probe.facts.hung:
        raise CheckSkipped(f"{command} does not stop")
    return _require_running(probe, command)


def _stop(analysis: RunningAnalysis, data: str = "\n") -> None:
    """Stops an analysis. Raises CheckSkipped if it continues: another check covers that."""
    try:
        analysis.stop(data)
    except CheckFailed as trouble:
        analysis.probe.facts.hung.add(_end_of(analysis.command))
        raise CheckSkipped(str(trouble)) from None


def _stop_unless_ended(analysis: RunningAnalysis) -> None:
    """Stops an analysis unless it has already ended."""
    with suppress(AnalysisEnded):
        _stop(analysis)


def _end_of(command: str) -> str:
    return f"end of {command}"


@check(
    "S1",
    f"`# interrupt` makes genmove respond within {STOP_SECONDS:g} s",
    """An engine that lists gogui-interrupt supports this; GoGui then shows a stop button, and waits
    for the move.""",
)
def interrupt(probe: EngineProbe) -> str:
    probe.require("gogui-interrupt")
    probe.ask_or_skip(f"genmove {TrialGame(probe).color.letter}")
    game = TrialGame(probe, probe.facts.large, LONG_CLOCK)
    _begin_search(probe, game)
    probe.write("# interrupt\n")
    began = monotonic()
    try:
        reply = probe.reply(STOP_SECONDS)
    except EngineTimeout:
        raise CheckFailed(
            f"genmove does not respond within {STOP_SECONDS:g} s after `# interrupt`"
        ) from None
    check_that(reply.ok, f"the response to an interrupted genmove is {reply}")
    return f"{1000 * (monotonic() - began):.0f} ms"


def _begin_search(probe: EngineProbe, game: TrialGame) -> None:
    """Sends a genmove that should take long. Raises CheckSkipped if it is too quick."""
    probe.write(f"genmove {game.color.letter}\n")
    if probe.silence(SEARCH_SECONDS).strip():
        raise CheckSkipped(f"genmove responds within {SEARCH_SECONDS:g} s, too fast to interrupt")


@check(
    "S2",
    "`# interrupt` is a comment while no search is running",
    "It may arrive just after the move; the next command must still work.",
    fresh=True,
)
def idle_interrupt(probe: EngineProbe) -> None:
    probe.require("gogui-interrupt")
    name = probe.ask_or_skip("name")
    probe.write("# interrupt\n")
    reply = probe.ask("name")
    check_that(
        reply.ok and reply.text == name, f"after `# interrupt` the response to name is {reply}"
    )


@check(
    "S3",
    "an analysis responds with = immediately and sends its first line within "
    f"{FIRST_LINE_SECONDS:g} s",
    "Clients treat an engine without output as unresponsive.",
)
def analysis_begins(probe: EngineProbe) -> None:
    for command in probe.filter_listed(*ANALYZE):
        _stop_unless_ended(_start_analysis(probe, command))


@check(
    "S4",
    "analysis lines are `info move V visits N winrate W ... pv V ...`",
    """Clients parse an info by its keywords, and read the rest after `pv` as moves. Winrates are
    integers up to 10000 for lz-analyze, and fractions from 0 to 1 for the others: with the wrong
    scale, clients show wrong values. Only the best move needs moves after `pv`.""",
)
def analysis_format(probe: EngineProbe) -> None:
    for command in probe.filter_listed(*ANALYZE):
        analysis = _start_stoppable(probe, command)
        line = analysis.first
        _stop_unless_ended(analysis)
        check_that(
            line.startswith("info move "), f"a line of {command} is {shorten(line.encode())}"
        )
        for info in re.split(r"(?:^| )info ", line)[1:]:
            _check_info(command, info)


def _check_info(command: str, info: str) -> None:
    head, pv, moves = re.split(r"( pv(?: |$)|$)", info, maxsplit=1)
    words = head.split()
    values = dict(zip(words[::2], words[1::2], strict=False))
    may_be_empty = values.get("order", "0") != "0"  # KataGo may have no moves for a worse candidate
    check_that(pv and (moves.split() or may_be_empty), f"{command}: no pv in {info!r}")
    for key in ("move", "visits", "winrate"):
        check_that(key in values, f"{command}: no {key} in {info!r}")
    check_that(values["visits"].isdecimal(), f"{command}: visits is {values['visits']!r}")
    winrate = values["winrate"]
    if command == "lz-analyze":
        right = winrate.isdecimal() and int(winrate) <= 10000
    else:
        right = bool(_FRACTION.fullmatch(winrate)) and 0 <= float(winrate) <= 1
    check_that(right, f"{command}: winrate is {winrate!r}")


@check(
    "S5",
    f"a blank line ends an analysis within {STOP_SECONDS:g} s",
    "GUIs stop an analysis this way. If it continues, it occupies a core and fills the pipe.",
)
def blank_line_stops(probe: EngineProbe) -> str:
    times = []
    for command in probe.filter_listed(*ANALYZE):
        analysis = _require_running(probe, command)
        began = monotonic()
        analysis.stop("\n")
        times.append(monotonic() - began)
        _require_responses(probe, command)
    return f"at most {1000 * max(times):.0f} ms"


def _require_responses(probe: EngineProbe, command: str) -> None:
    for _ in range(2):
        reply = probe.ask("protocol_version")
        received = shorten(reply.stray + reply.raw)
        check_that(
            reply.ok and not reply.stray.strip(), f"after {command} was stopped comes {received}"
        )


@check(
    "S6",
    "a command ends an analysis and gets a response",
    "Sabaki stops an analysis by sending protocol_version; others just send the next move.",
)
def command_stops(probe: EngineProbe) -> None:
    for command in probe.filter_listed(*ANALYZE):
        analysis = _require_running(probe, command)
        analysis.stop("protocol_version\n")
        reply: Reply = probe.reply()
        check_that(reply.ok, f"the response to the command that stopped {command} is {reply}")
        _require_responses(probe, command)


@check(
    "S7",
    f"an analysis can be stopped and started {RESTARTS} times in a row",
    "A user who pages through a game does this, perhaps faster than the engine expects.",
)
def restarts(probe: EngineProbe) -> None:
    for command in probe.filter_listed(*ANALYZE):
        analysis = _start_stoppable(probe, command)
        _stop(analysis)
        for _ in range(RESTARTS):
            analysis.restart()
            analysis.stop("\n")
        analysis.restart()
        analysis.info()
        _stop(analysis)


@check(
    "S8",
    "genmove_analyze ends with a line `play MOVE`",
    "Clients read the move from this line only.",
)
def genmove_analyze(probe: EngineProbe) -> str:
    moves = []
    for command in probe.filter_listed(*GENMOVE_ANALYZE):
        game = TrialGame(probe)
        legal = listed_moves(probe, game.color)
        reply = probe.ask(f"{command} {game.color.letter} {INTERVAL}")
        last = reply.text.strip().split("\n")[-1]
        word, _, move = last.partition(" ")
        is_valid = reply.ok and word == "play" and game.is_move(move, legal)
        check_that(is_valid, f"{command} ends with {last!r}")
        moves.append(move)
    return " ".join(moves)


@check(
    "S9",
    "a stopped analysis uses no CPU time",
    "An engine that continues to search takes CPU time from its opponent.",
)
def stopped_means_stopped(probe: EngineProbe) -> str:
    commands = probe.filter_listed(*ANALYZE)
    for command in commands:
        _stop_unless_ended(_start_stoppable(probe, command))
    probe.ask_or_skip("clear_board")  # there is no reason to ponder on an empty board
    most = 0.0
    for _ in range(IDLE_MEASUREMENTS):
        used = probe.client.cpu_seconds()
        sleep(IDLE_SECONDS)
        share = max(0.0, probe.client.cpu_seconds() - used) / IDLE_SECONDS
        check_that(share < IDLE_SHARE, f"it uses {share:.0%} of a core while idle")
        most = max(most, share)
    return f"{most:.0%} of a core"


@check(
    "S10",
    f"quit ends an analysis, and the program exits within {STOP_SECONDS + 1:g} s",
    "Otherwise closing the window during an analysis leaves the program running.",
    fresh=True,
)
def quit_stops(probe: EngineProbe) -> None:
    for command in probe.filter_listed(*ANALYZE)[:1]:
        analysis = _start_stoppable(probe, command)
        try:
            _stop(analysis, "quit\n")
        except EngineDied:
            return  # P1 checks the response to quit
        try:
            probe.client.wait(STOP_SECONDS + 1)
        except EngineTimeout:
            raise CheckFailed(f"quit during {command} does not end the program") from None
