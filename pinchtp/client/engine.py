"""The driver of GTP engines: start, commands, boards, moves, analysis, options.

Apart from the commands of GTP 2, an engine gets only commands that it supports.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from time import monotonic

from pinchtp.base.clock import Clock, TimeControl
from pinchtp.base.process import Resource
from pinchtp.base.text import printable, to_unicode
from pinchtp.client.analysis_lines import (
    ANALYZE,
    GENMOVE_ANALYZE,
    SEARCH,
    SEARCH_SCALE,
    has_candidates,
    last_winrate,
    read_explained_winrate,
)
from pinchtp.client.client import LINE_END, MAX_ANSWER, GtpClient, Response
from pinchtp.client.errors import CommandRefused, EngineTimeout, NotSupported, ProtocolError
from pinchtp.client.option_commands import OPTION_COMMANDS, option_command
from pinchtp.client.time_settings import TimeSender
from pinchtp.client.transcript import Transcript
from pinchtp.games import Color
from pinchtp.games.notation import COLUMNS
from pinchtp.games.play_result import PlayResult
from pinchtp.games.winrate import Winrate

QUIT_TIMEOUT = 3.0  # maximum seconds between `quit` and the end of an engine
STOP_TIMEOUT = 2.0  # maximum seconds for the response of a stopped search
POLL_INTERVAL = 0.01  # seconds between calls of `should_stop`
ANALYZE_INTERVAL = 10  # centiseconds between lines of analysis
GENMOVE_INTERVAL = 20  # centiseconds between lines of a genmove_analyze; only the last is used

SHOWN = 100  # characters of an engine's output in names and messages
_MOST_REASON = 500  # characters of an engine's error response in messages

_CHANGE_GAME = "pinchtp-game"  # GTP has no command to choose a game
_EXPLAIN = "gomill-explain_last_move"


class Stopped(Exception):
    """The engine was stopped, because should_stop() returned True."""


class EngineProcess(Resource):
    """An engine that plays many games. It starts when needed, and again after it was killed.

    Methods that communicate with it raise EngineError if it fails; call `kill` then. They raise
    CommandRefused for an error response (`?`). One thread may use it at a time.

    client: its process; None while it does not run. transcript: the GTP log since the last
    `new_game`. waited: total seconds spent waiting for responses. lag: seconds of the slowest
    response to `ask` since the last `new_game`.
    """

    def __init__(  # noqa: PLR0913  (the settings of a subprocess)
        self,
        command: str | Sequence[str],
        *,
        folder: str | None = None,
        env: Mapping[str, str] | None = None,
        startup: Sequence[str] = (),
        start_timeout: float = 30.0,
        timeout: float = 30.0,
        memory_mb: int | None = None,
        cores: Collection[int] | None = None,
        max_answer: int = MAX_ANSWER,
        transcript: Transcript | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        """command, env, memory_mb, cores, max_answer: see GtpClient. folder: its `cwd`.

        startup: commands to send after each start. start_timeout: maximum seconds until the first
        response, and for each startup command. timeout: maximum seconds for any other command that
        needs no search. should_stop: ends an analysis or a wait for a response by returning True;
        it may be replaced between commands.
        """
        self.command = command
        self.timeout = timeout
        self.transcript = transcript or Transcript()
        self.client: GtpClient | None = None
        self.waited = 0.0
        self.lag = 0.0
        self._folder = folder
        self._env = env
        self._startup = startup
        self._start_timeout = start_timeout
        self._memory_mb = memory_mb
        self._cores = cores
        self._max_answer = max_answer
        self.should_stop = should_stop
        self._stderr = ""
        self._forget()

    def _forget(self) -> None:
        """Clears the data about the engine, which may be a different program at the next start."""
        self.name = self.version = ""
        self.commands: frozenset[str] = frozenset()  # empty if it does not list them
        self._known: dict[str, bool] = {}
        self._time = TimeSender(self.knows, self.accepts)

    # --- the process

    def start(self) -> None:
        """Starts the engine unless it is running, and reads its name, version and commands.

        Raises NotSupported, and kills the engine, if it rejects a startup command.
        """
        if self.client:
            return
        self._forget()
        self.transcript.clear()
        self.launch()
        self.name = _first_line(self.try_ask("name", self._start_timeout))
        self.version = _first_line(self.try_ask("version"))
        self.commands = frozenset(to_unicode(self.try_ask("list_commands")).split())
        try:
            for line in self._startup:
                self.demand(line, self._start_timeout)
        except NotSupported:  # the next start would not send the commands
            self.kill()
            raise

    def launch(self) -> GtpClient:
        """Starts the process without sending commands. Raises EngineStartError."""
        self.client = GtpClient(
            self.command,
            cwd=self._folder,
            env=self._env,
            max_answer=self._max_answer,
            transcript=self.transcript,
            memory_mb=self._memory_mb,
            cores=self._cores,
        )
        return self.client

    def close(self) -> None:
        """Asks the engine to quit, and kills it if it does not. May be called again."""
        if self.client:
            self.client.quit(QUIT_TIMEOUT)
            self.kill()

    def abort(self) -> None:
        """Kills the engine, without asking it to quit."""
        self.kill()

    def kill(self) -> None:
        """Kills the engine. May be called again."""
        if self.client:
            self.client.close()
            self._stderr = self.client.stderr
            self.client = None

    @property
    def is_running(self) -> bool:
        """Whether the engine was started, and neither closed nor killed since."""
        return self.client is not None

    @property
    def stderr(self) -> str:
        """The end of the engine's standard error, also after the engine was killed."""
        return to_unicode(self.client.stderr if self.client else self._stderr)

    # --- commands

    def knows(self, name: str) -> bool:
        """Returns whether the engine, which must be running, supports a command."""
        if self.commands:
            return name in self.commands
        if name not in self._known:
            self._known[name] = self.try_ask(f"known_command {name}").strip() == "true"
        return self._known[name]

    def send(self, line: str, timeout: float | None = None) -> Response:
        """Sends a command and returns its response.

        timeout: maximum seconds; default: `timeout` of the engine. After should_stop() has returned
        True, the engine has STOP_TIMEOUT left to respond; then it is killed, and Stopped is raised.
        """
        assert self.client
        seconds = self.timeout if timeout is None else timeout
        began = monotonic()
        try:
            if self.should_stop is None:
                return self.client.send(line, seconds)
            return self._send_until_stopped(self.client, line, seconds, self.should_stop)
        finally:
            self.waited += monotonic() - began

    def ask(self, line: str, timeout: float | None = None) -> str:
        """Returns the text of the response to a command that needs no search."""
        response = self.send(line, timeout)
        if not response.ok:
            raise CommandRefused(response.text)
        self.lag = max(self.lag, response.seconds)
        return response.text

    def try_ask(self, line: str, timeout: float | None = None) -> str:
        """Returns the text of the response to a command; empty if it is rejected."""
        response = self.send(line, timeout)
        return response.text if response.ok else ""

    def accepts(self, line: str) -> bool:
        """Sends a command; returns whether the engine accepted it."""
        try:
            self.ask(line)
        except CommandRefused:
            return False
        return True

    def demand(self, line: str, timeout: float | None = None) -> None:
        """Sends a command that is required. Raises NotSupported if it is rejected."""
        response = self.send(line, timeout)
        if not response.ok:
            raise NotSupported(f"rejected {line!r}: {response.text[:_MOST_REASON]}")

    # --- games

    def new_game(self, game: str | None, width: int, height: int) -> None:
        """Starts the engine unless it is running, and a game on an empty board.

        game: the name of one of our games, for engines that support `pinchtp-game`; None: not sent.
        Raises NotSupported for a rejected command or board size.
        """
        self.start()
        self.transcript.clear()
        if game and self.knows(_CHANGE_GAME) and self._ask_game() != game:
            self.demand(f"{_CHANGE_GAME} {game}")
        size = f"{width}" if width == height else f"{width} {height}"
        named = width != height and self.knows("rectangular_boardsize")
        self.demand(f"rectangular_boardsize {size}" if named else f"boardsize {size}")
        self.demand("clear_board")
        if width != height and not named:
            self._check_rectangle(width, height)
        self.lag = 0.0

    def play(self, color: Color, move: str) -> None:
        """Sends a move that the engine did not choose."""
        self.ask(f"play {color.letter} {move}")

    def genmove(self, color: Color, timeout: float, *, evaluate: bool = True) -> PlayResult:
        """Lets the engine choose and play a move; returns it without checking it by the rules.

        timeout: maximum seconds. evaluate: also request the winrate, if the engine supports that.
        Raises CommandRefused for an error response, and Stopped if the search was stopped.
        """
        explains = evaluate and self.knows(_EXPLAIN)
        analyze = next(filter(self.knows, GENMOVE_ANALYZE), None) if evaluate else None
        if analyze and not explains:
            line = f"{analyze} {color.letter} {GENMOVE_INTERVAL}"
            response = self._send_generate(line, timeout)
            return _read_analyzed_move(response, color, GENMOVE_ANALYZE[analyze])
        response = self._send_generate(f"genmove {color.letter}", timeout)
        move = _move(response.text)
        explained = self.try_ask(_EXPLAIN) if explains else ""
        winrate = Winrate.if_known(read_explained_winrate(explained), color)
        return PlayResult(move, winrate, response.seconds)

    # --- analysis

    @property
    def analyze_command(self) -> str | None:
        """The best analysis command that the engine supports; None without one."""
        return next(filter(self.knows, ANALYZE), None)

    def stream_analysis(
        self,
        color: Color,
        seen: Callable[[str, float], bool],
        *,
        timeout: float | None = None,
        ownership: bool = False,
    ) -> None:
        """Analyzes the position until should_stop() returns True or `seen` returns False.

        seen: called with each line that has candidates, and with the winrate of a certain win in
        that line. timeout: maximum seconds without such a line; None: the engine's. Raises
        NotSupported if the engine has no analysis command or rejects it.
        """
        name = self.analyze_command
        if name is None:
            raise NotSupported("does not analyze")
        extra = " ownership true" if ownership and name.startswith("kata") else ""
        line = f"{name} {color.letter} {ANALYZE_INTERVAL}{extra}"
        self._stream(line, ANALYZE[name], seen, timeout or self.timeout)

    @property
    def can_search(self) -> bool:
        """Whether the engine supports stream_search()."""
        return self.knows(SEARCH)

    def stream_search(
        self,
        color: Color,
        seen: Callable[[str, float], bool],
        *,
        interval: float,
        ownership: bool = False,
    ) -> None:
        """Searches for a move without playing it, within the search limits set in the engine.

        seen: as for stream_analysis(); each line has KataGo's rootInfo. interval: seconds between
        lines, at most half of the timeout. Raises NotSupported if the engine rejects the command.
        """
        centiseconds = round(100 * min(interval, self.timeout / 2))
        extra = " ownership true" if ownership else ""
        line = f"{SEARCH} {color.letter} {max(1, centiseconds)} rootInfo true{extra}"
        self._stream(line, SEARCH_SCALE, seen, self.timeout)

    def _stream(
        self, line: str, scale: float, seen: Callable[[str, float], bool], timeout: float
    ) -> None:
        """Sends an analysis command and reads its lines; see stream_analysis()."""
        assert self.client
        self.client.post(line, self.timeout)
        if not self._read_analysis(self.client, scale, seen, timeout):
            self._end_analysis(self.client)

    def _read_analysis(
        self,
        client: GtpClient,
        scale: float,
        seen: Callable[[str, float], bool],
        timeout: float,
    ) -> bool:
        """Reads lines of analysis until `seen` returns False or the analysis is stopped.

        Returns whether the engine ended the analysis.
        """
        wants_more = True
        has_output = False
        sent = "nothing"
        last = monotonic()
        while wants_more and not self._is_stopped():
            if monotonic() - last > timeout:
                raise EngineTimeout(f"sent {sent} for {timeout:g} s of analysis")
            if not client.await_output(POLL_INTERVAL):
                continue
            line = client.read(self.timeout, LINE_END).decode("utf-8", "replace").strip()
            if line.startswith("?"):
                client.read(self.timeout, LINE_END)
                raise NotSupported(f"rejected the analysis: {printable(line[1 : SHOWN + 1])}")
            if not line:
                if not has_output and not self._is_stopped():
                    raise ProtocolError(f"sent {sent} before it ended its analysis")
                return True
            line = line.removeprefix("=").strip()
            has_output = has_output or line.startswith("play ")  # the end of a search for a move
            if has_candidates(line):
                wants_more = seen(line, scale)
                has_output = True
                sent = "nothing"
                last = monotonic()
            elif line:
                sent = "no move with a winrate and a variation"
        return False

    def _end_analysis(self, client: GtpClient) -> None:
        client.write(b"\n", self.timeout)
        while client.read(self.timeout, LINE_END).strip():
            pass

    # --- options and time

    def set_option(self, option: str, value: object) -> None:
        """Sets an option of OPTION_COMMANDS. Raises NotSupported if it cannot be set."""
        command = option_command(option, self.knows)
        if command is None:
            commands = ", ".join(each.command for each in OPTION_COMMANDS[option])
            raise NotSupported(f"does not support option {option!r} (needs one of: {commands})")
        self.demand(command.line(value))

    def try_option(self, option: str, value: object) -> bool:
        """Sets an option of OPTION_COMMANDS if the engine supports it; returns whether it did."""
        command = option_command(option, self.knows)
        return command is not None and self.accepts(command.line(value))

    def ask_option(self, option: str) -> str:
        """Returns the value of an option of OPTION_COMMANDS; empty if it cannot be queried."""
        command = option_command(option, self.knows)
        return self.try_ask(command.query) if command is not None and command.query else ""

    def announce_time(self, control: TimeControl) -> bool:
        """Sends a time system by the best command that the engine accepts.

        Returns False if the game has a clock but the engine accepts no command for it.
        """
        return self._time.announce(control)

    def tell_time(self, color: Color, clock: Clock) -> None:
        """Sends the time left on a clock, if a time system was sent before."""
        self._time.send_time_left(color.letter, clock)

    # --- inside

    def _check_rectangle(self, width: int, height: int) -> None:
        """Raises NotSupported if the engine plays on a square instead, as GNU Go does silently.

        The engine has to reject a stone outside of the rectangle. If it accepts a stone in the
        corner of the smaller square, it also has to accept one in the far corner of the rectangle.
        """

        def accepts_stone(x: int, y: int) -> bool:
            return self.accepts(f"play b {COLUMNS[x - 1]}{y}")

        short, long = sorted((width, height))
        is_larger = accepts_stone(1, long) if width > height else accepts_stone(long, 1)
        is_smaller = not accepts_stone(width, height) and accepts_stone(short, short)
        if is_larger or is_smaller:
            size = long if is_larger else short
            raise NotSupported(
                f"takes 'boardsize {width} {height}' for {size}x{size}: play on a square board"
            )
        self.demand("clear_board")

    def _send_generate(self, line: str, timeout: float) -> Response:
        """Returns the response to a command that generates a move.

        Raises Stopped if the search was stopped, and CommandRefused for an error response.
        """
        response = self.send(line, timeout)
        self.check_stop()
        if not response.ok:
            raise CommandRefused(response.text)
        return response

    def _ask_game(self) -> str:
        return self.try_ask(_CHANGE_GAME).partition(" ")[0]

    def check_stop(self) -> None:
        """Raises Stopped if should_stop() returns True."""
        if self._is_stopped():
            raise Stopped

    def _is_stopped(self) -> bool:
        return self.should_stop is not None and self.should_stop()

    def _send_until_stopped(
        self, client: GtpClient, line: str, timeout: float, should_stop: Callable[[], bool]
    ) -> Response:
        client.post(line, self.timeout)
        deadline = monotonic() + timeout
        is_stopping = False
        while True:
            if should_stop() and not is_stopping:
                is_stopping = True
                deadline = min(deadline, monotonic() + STOP_TIMEOUT)
                if "gogui-interrupt" in self.commands:
                    client.write(b"# interrupt\n", self.timeout)
            with suppress(EngineTimeout):
                return client.response(POLL_INTERVAL)
            if monotonic() > deadline:
                if is_stopping:
                    self.kill()
                    raise Stopped
                raise EngineTimeout(f"did not respond to {line!r} within {timeout:.3g} s")


def _first_line(text: str) -> str:
    """Returns the first line of a text, with bytes that are not UTF-8 escaped."""
    return to_unicode(text.partition("\n")[0][:SHOWN])


def _move(text: str) -> str:
    """Returns the move in a response. Raises ProtocolError if it is empty or invalid."""
    move = text.strip()
    if not move:
        raise ProtocolError("returned no move")
    if not move.isascii() or not move.isprintable() or "#" in move:
        raise ProtocolError(f"returned an invalid move: {move[:SHOWN]!r}")
    return move


def _read_analyzed_move(response: Response, color: Color, scale: float) -> PlayResult:
    """Returns the move at the end of a genmove_analyze, with its last winrate in the lines."""
    *lines, last = response.text.strip().split("\n")
    word, _, move = last.strip().partition(" ")
    if word != "play":
        raise ProtocolError(f"ended its analysis without a move: {last[:SHOWN]!r}")
    move = _move(move)
    winrate = Winrate.if_known(last_winrate(lines, move, scale), color)
    return PlayResult(move, winrate, response.seconds)
