"""A GTP program as an engine: its limits, and its analysis lines as results."""

from __future__ import annotations

import math
import shlex
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from time import monotonic

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.base.command_line import format_option
from pinchtp.client import (
    CommandRefused,
    EngineError,
    EngineStartError,
    NotSupported,
    split_command,
)
from pinchtp.client.analysis_lines import number, read_infos, read_ownership, read_root_visits
from pinchtp.client.engine import EngineProcess, Stopped
from pinchtp.client.option_commands import NODES, SECONDS, UNLIMITED_NODES
from pinchtp.client.position import EnginePosition
from pinchtp.client.time_settings import END_TIME_LIMIT
from pinchtp.engine.analysis import (
    PROOF_WORDS,
    Analysis,
    Candidate,
    Solved,
    SolvedValue,
    legal_line,
)
from pinchtp.engine.engine import NO_INTERVAL
from pinchtp.games import RULE_OPTIONS, Color
from pinchtp.games.notation import SWAP_WORDS, SwapSpelling
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.games.winrate import Winrate
from pinchtp.player.player import Limits

MOST_SECONDS = 600.0  # that a program may take for a move without a limit
GRACE = 10.0  # seconds beyond the limit of an analysis until a silent program counts as hung
MOST_CANDIDATES = 20
MOST_PLIES = 12  # longest principal variation kept

# A position counts as solved after these seconds without new visits: a program that has proved it
# stops searching, but keeps reporting. The first is for a winrate of 0 or 1.
SOLVED_SECONDS, STILL_SECONDS = 0.25, 2.0

_SOLVE = "pinchtp-solve"


class GtpProgram(EngineProcess):
    """A GTP program that moves, analyzes and solves where a session stands.

    It is started when it is needed. Raises EngineError, CommandRefused and Stopped, as
    EngineProcess does.
    """

    @cached_property
    def position(self) -> EnginePosition:
        """The position that the program has."""
        return EnginePosition(self)

    def prepare(self, session: Session) -> None:
        """Starts it unless it runs, and brings it to the session's position."""
        self.start()
        self.position.go_to(session)

    def analyze(
        self,
        session: Session,
        limits: Limits,
        show: Callable[[Analysis], bool],
        *,
        interval: float = NO_INTERVAL,
        ownership: bool = False,
    ) -> None:
        """Analyzes a position; see Analyzer.analyze().

        A limit of visits is met exactly by programs that can search for a move without making it;
        it is passed by others, and where a search ends before it. Its own `should_stop` ends the
        analysis, not that of the limits. Raises Stopped then, unless a limit was reached or the
        program has solved the position.
        """
        self.prepare(session)
        progress = _Progress(session, limits, show, interval)
        color = session.to_move
        if limits.visits is not None and self.can_search:
            pause = min(interval, limits.seconds)
            with self._limit_visits(limits.visits):
                self.stream_search(color, progress.add, interval=pause, ownership=ownership)
        if progress.is_wanted and not progress.is_over and not self._is_stopped():
            timeout = min(self.timeout, limits.seconds + GRACE)
            self.stream_analysis(color, progress.add, timeout=timeout, ownership=ownership)
        if progress.unshown is not None:
            show(progress.unshown)
        if not progress.is_over:
            self.check_stop()

    @contextmanager
    def _limit_visits(self, visits: int) -> Iterator[None]:
        """Limits searches to some visits within the block, if the program can be limited."""
        usual = self.ask_option(NODES)
        self.try_option(NODES, visits)
        try:
            yield
        except (EngineError, Stopped):
            raise
        except BaseException:  # it still searches, and cannot be asked for anything else
            self.kill()
            raise
        finally:
            if self.is_running:
                self.try_option(NODES, usual or UNLIMITED_NODES)

    def solve(self, session: Session, seconds: float, grace: float) -> Solved:
        """Solves a session's position, if its solver takes no longer than `seconds`.

        grace: seconds more until it counts as hung. Raises CommandRefused if it has no solver.
        """
        self.prepare(session)
        if not self.knows(_SOLVE):
            raise CommandRefused("this engine does not support solving")
        return read_solved(session, self.ask(f"{_SOLVE} {seconds:.2f}", seconds + grace))


class ForeignEngine:
    """Any GTP engine in a separate process, started again after it has failed.

    Its errors name the program. program: its process.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout: float,
        memory_mb: int | None = None,
        startup: Sequence[str] = (),
    ) -> None:
        """Starts the program. Raises EngineError.

        timeout: seconds for its start, and for a response that needs no search.
        memory_mb: the limit of its memory, or None. startup: commands to send after each start.
        """
        self._command = command if isinstance(command, str) else shlex.join(command)
        self.program = GtpProgram(
            command,
            timeout=timeout,
            start_timeout=timeout,
            memory_mb=memory_mb,
            startup=startup,
        )
        self._limits = Limits()  # of the last move, which the program may still keep to
        self._usual: dict[str, str] = {}  # values of options before limits
        with self._errors():
            self.program.start()
        self.name, self.version = self.program.name, self.program.version

    def play(self, session: Session, limits: Limits) -> PlayResult:
        with self._errors():
            self.program.should_stop = limits.should_stop
            self.program.prepare(session)
            self._set_limits(limits)
            is_unlimited = math.isinf(limits.seconds)
            limited = 2 * limits.seconds + self.program.timeout
            timeout = MOST_SECONDS if is_unlimited else limited
            return self.program.position.genmove(session, timeout)

    def analyze(
        self,
        session: Session,
        limits: Limits,
        show: Callable[[Analysis], bool],
        *,
        interval: float = NO_INTERVAL,
        ownership: bool = False,
    ) -> None:
        with self._errors():
            if limits.allowed:
                raise NotSupported("has no command to restrict moves")
            self.program.should_stop = limits.should_stop
            with suppress(Stopped):
                self.program.analyze(session, limits, show, interval=interval, ownership=ownership)

    def close(self) -> None:
        self.program.close()

    def _set_limits(self, limits: Limits) -> None:
        """Sends the limits of the next move that the program has commands for, and lifts those of
        the last move that it does not have.
        """
        if limits.visits is not None:
            self._remember(NODES)
            self.program.set_option(NODES, limits.visits)
        elif self._limits.visits is not None:
            self.program.try_option(NODES, self._usual[NODES] or UNLIMITED_NODES)
        if not math.isinf(limits.seconds):
            self._limit_seconds(limits.seconds)
        elif not math.isinf(self._limits.seconds):
            self._lift_seconds()
        self._limits = limits

    def _remember(self, option: str) -> None:
        """Asks for the value of an option before it is first set."""
        if option not in self._usual:
            self._usual[option] = self.program.ask_option(option)

    def _limit_seconds(self, seconds: float) -> None:
        self._remember(SECONDS)
        if self.program.try_option(SECONDS, seconds):
            return
        control = TimeControl.per_move(seconds)
        if not self.program.announce_time(control):
            text = f"accepts no command for {seconds:g} s per move: it has no clock"
            warnings.warn(f"{self._command}: {text}", RuntimeWarning, stacklevel=5)
        for color in Color:
            self.program.tell_time(color, Clock.start(control))

    def _lift_seconds(self) -> None:
        if not self.program.try_option(SECONDS, self._usual[SECONDS] or MOST_SECONDS):
            self.program.accepts(END_TIME_LIMIT)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Names the program in errors, and ends it after those that end it.

        Ctrl-C and exceptions of signal handlers end it, too: its response would be read as that to
        the next command.
        """
        try:
            yield
        except Stopped:
            raise EngineError(f"{self._command}: was stopped") from None
        except CommandRefused as error:
            raise EngineError(f"{self._command}: rejected a command: {error}") from None
        except EngineStartError:  # names it already
            raise
        except NotSupported as error:  # a restart would not help
            raise NotSupported(f"{self._command}: {error}") from None
        except EngineError as error:
            self.program.kill()
            raise type(error)(f"{self._command}: {error}") from None
        except BaseException:
            self.program.kill()
            raise


def command_words(command: str, session: Session) -> tuple[str, ...]:
    """Returns the words of a command line in shell syntax. Raises EngineStartError.

    `{game}`, `{width}`, `{height}` and `{options}`, switches for the rules, are those of a session.
    """
    values = {
        "{game}": session.game.name,
        "{width}": str(session.start.width),
        "{height}": str(session.start.height),
        "{options}": " ".join(
            format_option(RULE_OPTIONS[name], value) for name, value in session.options.items()
        ),
    }
    for name, value in values.items():
        command = command.replace(name, value)
    return split_command(command)


class _Progress:
    """The results of an analysis, compared with its limits and shown at intervals.

    is_over: whether a limit was reached, or the program has solved the position. is_wanted: False
    once `show` has returned False. unshown: the last result, unless it was shown.
    """

    def __init__(
        self,
        session: Session,
        limits: Limits,
        show: Callable[[Analysis], bool],
        interval: float,
    ) -> None:
        self.is_over = False
        self.is_wanted = True
        self.unshown: Analysis | None = None
        self._session = session
        self._limits = limits
        self._show = show
        self._interval = interval
        began = monotonic()
        self._due = began + interval
        self._deadline = began + limits.seconds
        self._visits, self._changed_at = -1, 0.0

    def add(self, line: str, scale: float) -> bool:
        """Adds the result in a line of analysis; returns whether more are wanted."""
        self.unshown = result = read_analysis(self._session, line, scale)
        if self._is_complete(result):
            return False
        if monotonic() >= self._due:
            self._due = monotonic() + self._interval
            self.unshown = None
            self.is_wanted = self._show(result)
        return self.is_wanted

    def _is_complete(self, analysis: Analysis) -> bool:
        """Returns whether this result is enough."""
        now = monotonic()
        most = self._limits.visits
        if analysis.visits != self._visits:
            self._visits = analysis.visits
            self._changed_at = now
        patience = SOLVED_SECONDS if float(analysis.winrate) in (0, 1) else STILL_SECONDS
        is_still = most is not None and now - self._changed_at >= patience
        has_visits = most is not None and analysis.visits >= most
        self.is_over = has_visits or is_still or now >= self._deadline
        return self.is_over


def read_analysis(session: Session, line: str, scale: float) -> Analysis:
    """Returns the result in a line of analysis, which has candidates.

    scale: the winrate of a certain win. Shares are clamped to [0, 1].
    """
    color = session.to_move
    infos = [(values, pv) for values, pv in read_infos(line) if pv]
    infos.sort(key=lambda info: _count(info[0], "order"))
    moves = tuple(_candidate(session, values, pv, scale) for values, pv in infos[:MOST_CANDIDATES])
    visits = read_root_visits(line)
    if visits is None:
        visits = sum(candidate.visits for candidate in moves)
    return Analysis(color, moves, moves[0].winrate, visits, _owners(session, line))


def read_solved(session: Session, text: str) -> Solved:
    """Returns the result in a response to `pinchtp-solve`; unknown if it is none."""
    words, _, count = text.partition(" nodes ")
    word, *line = words.split() or [""]
    value: SolvedValue = next((each for each in PROOF_WORDS.values() if each == word), "unknown")
    line = [] if value == "unknown" else line
    turns = tuple(turn for _, turn in legal_line(session, line))
    return Solved.at(session, value, turns, int(number(count) or 0))


def _candidate(
    session: Session, values: dict[str, str], pv: tuple[str, ...], scale: float
) -> Candidate:
    color = session.to_move
    line = _with_swap(session, pv[:MOST_PLIES])
    winrate, prior, lcb = (_share(values, key, scale) for key in ("winrate", "prior", "lcb"))
    assert winrate is not None  # see read_infos()
    return Candidate(
        move=line[0],
        visits=_count(values, "visits"),
        winrate=Winrate(winrate, color),
        prior=prior,
        lcb=Winrate.if_known(lcb, color),
        pv=line,
    )


def _with_swap(session: Session, pv: tuple[str, ...]) -> tuple[str, ...]:
    """Returns a variation with `swap` where that is meant by another word, most often `pass`."""
    if not any(word.lower() in (SwapSpelling.PASS, *SWAP_WORDS) for word in pv):
        return pv
    spelled = [text for _, text in legal_line(session, pv)]
    return (*spelled, *pv[len(spelled) :])


def _share(values: dict[str, str], key: str, scale: float) -> float | None:
    value = number(values.get(key, ""))
    return None if value is None else min(1.0, max(0.0, value / scale))


def _count(values: dict[str, str], key: str) -> int:
    return int(number(values.get(key, "")) or 0)


def _owners(session: Session, line: str) -> tuple[tuple[float, ...], ...] | None:
    """Returns the owners of points, from 1 (black) to -1 (white), rows from the bottom.

    None for another number of them.
    """
    width, height = session.start.width, session.start.height
    sign = session.to_move.sign
    values = tuple(sign * value for value in read_ownership(line))
    if len(values) != width * height:
        return None
    return tuple(values[y * width :][:width] for y in reversed(range(height)))
