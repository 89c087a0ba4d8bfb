"""The driver of all GTP engines: start, commands, boards, moves, analysis, options.

Beyond GTP 2 an engine is sent only commands that it knows, which differ from engine to engine.
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

QUIT_TIMEOUT = 3.0  # seconds that an engine may take to end when it is asked to
STOP_TIMEOUT = 2.0  # seconds that an engine may take for a response that is no longer wanted
POLL_INTERVAL = 0.01  # seconds between looks whether an engine is to stop
ANALYZE_INTERVAL = 10  # centiseconds between lines of analysis
GENMOVE_INTERVAL = 20  # centiseconds between lines of a genmove_analyze; the last one counts

SHOWN = 100  # characters of an engine's words in names and messages
_MOST_REASON = 500  # characters of its reason to refuse a command

_CHANGE_GAME = "pinchtp-game"  # GTP has no command for it
_EXPLAIN = "gomill-explain_last_move"


class Stopped(Exception):
    """The engine was stopped by us."""


class EngineProcess(Resource):
    """An engine over many games, started when it is needed, and again after it was killed.

    Methods that talk to it raise EngineError if it fails, after which `kill` it, and CommandRefused
    if it responds with `?`. One thread may use it at a time.

    client: its process, None while it does not run. transcript: since the last `new_game`. waited:
    seconds spent waiting for responses, in all. lag: seconds of the slowest response to `ask` since
    the last `new_game`.
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
        """command, folder, env, memory_mb, cores, max_answer: as of GtpClient.

        startup: commands sent at each start. start_timeout: seconds until the first response, and
        for each startup command. timeout: seconds for any other command that needs no thought.
        should_stop: if given, an analysis and any wait for a response end once it returns True. It
        can be replaced between commands.
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
        """Drops what is known of the engine, which may be another one when it starts again."""
        self.name = self.version = ""
        self.commands: frozenset[str] = frozenset()  # empty if it does not list them
        self._known: dict[str, bool] = {}
        self._time = TimeSender(self.knows, self.accepts)

    # --- the process

    def start(self) -> None:
        """Starts the engine, unless it runs, and asks for its name, version and commands."""
        if self.client:
            return
        self._forget()
        self.transcript.clear()
        self.launch()
        self.name = _first_line(self.try_ask("name", self._start_timeout))
        self.version = _first_line(self.try_ask("version"))
        self.commands = frozenset(to_unicode(self.try_ask("list_commands")).split())
        for line in self._startup:
            self.demand(line, self._start_timeout)

    def launch(self) -> GtpClient:
        """Starts the process without a command. Raises EngineStartError."""
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
        self.kill()

    def kill(self) -> None:
        """Kills the engine. May be called again."""
        if self.client:
            self.client.close()
            self._stderr = self.client.stderr
            self.client = None

    @property
    def is_running(self) -> bool:
        """Whether it was started and not ended, by us or in a way that we have seen."""
        return self.client is not None

    @property
    def stderr(self) -> str:
        """The end of what the engine wrote to standard error, also after it was killed."""
        return to_unicode(self.client.stderr if self.client else self._stderr)

    # --- commands

    def knows(self, name: str) -> bool:
        """Returns whether the engine has this command; it must be running."""
        if self.commands:
            return name in self.commands
        if name not in self._known:
            self._known[name] = self.try_ask(f"known_command {name}").strip() == "true"
        return self._known[name]

    def send(self, line: str, timeout: float | None = None) -> Response:
        """Sends a command and waits for its response.

        timeout: seconds, default that of commands without thought. Once the engine is stopped it
        has STOP_TIMEOUT left; then it is killed, and Stopped is raised.
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
        """Returns the text of the response to a command that needs no thought."""
        response = self.send(line, timeout)
        if not response.ok:
            raise CommandRefused(response.text)
        self.lag = max(self.lag, response.seconds)
        return response.text

    def try_ask(self, line: str, timeout: float | None = None) -> str:
        """Returns the text of the response to a command, empty if it is refused."""
        response = self.send(line, timeout)
        return response.text if response.ok else ""

    def accepts(self, line: str) -> bool:
        """Sends a command; returns whether it was not refused."""
        try:
            self.ask(line)
        except CommandRefused:
            return False
        return True

    def demand(self, line: str, timeout: float | None = None) -> None:
        """Sends a command that every game needs. Raises NotSupported if it is refused."""
        response = self.send(line, timeout)
        if not response.ok:
            raise NotSupported(f"refused {line!r}: {response.text[:_MOST_REASON]}")

    # --- games

    def new_game(self, game: str | None, width: int, height: int) -> None:
        """Starts a game on an empty board, and before that the engine unless it runs.

        game: the name of one of our games, sent to engines that accept it. Raises NotSupported for
        a rejected command.
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
        """Announces a move that the engine did not choose."""
        self.ask(f"play {color.letter} {move}")

    def genmove(self, color: Color, timeout: float, *, evaluate: bool = True) -> PlayResult:
        """Asks for a move, which the engine also makes; it is not read by rules.

        timeout: seconds. evaluate: requests its winrate too, if supported. Raises Stopped if the
        search was stopped.
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
        """The best command for analysis that it has."""
        return next(filter(self.knows, ANALYZE), None)

    def stream_analysis(
        self, color: Color, seen: Callable[[str, float], bool], *, ownership: bool = False
    ) -> None:
        """Analyzes the position until it is stopped, or until `seen` returns False.

        seen: called with each line that has candidates, and the winrate of a certain win in it.
        """
        name = self.analyze_command
        if name is None:
            raise NotSupported("does not analyze")
        extra = " ownership true" if ownership and name.startswith("kata") else ""
        line = f"{name} {color.letter} {ANALYZE_INTERVAL}{extra}"
        self._stream(line, ANALYZE[name], seen)

    @property
    def can_search(self) -> bool:
        """Whether stream_search() works."""
        return self.knows(SEARCH)

    def stream_search(
        self,
        color: Color,
        seen: Callable[[str, float], bool],
        *,
        interval: float,
        ownership: bool = False,
    ) -> None:
        """Searches for a move, without making it, within the engine's own limits of a search.

        seen: as of stream_analysis(), and each line has KataGo's rootInfo. interval: seconds
        between lines; there are more of them if the search takes longer than the timeout.
        """
        centiseconds = round(100 * min(interval, self.timeout / 2))
        extra = " ownership true" if ownership else ""
        line = f"{SEARCH} {color.letter} {max(1, centiseconds)} rootInfo true{extra}"
        self._stream(line, SEARCH_SCALE, seen)

    def _stream(self, line: str, scale: float, seen: Callable[[str, float], bool]) -> None:
        """Sends an analysis command, and reads its lines; see stream_analysis()."""
        assert self.client
        self.client.post(line, self.timeout)
        if not self._read_analysis(self.client, scale, seen):
            self._end_analysis(self.client)

    def _read_analysis(
        self, client: GtpClient, scale: float, seen: Callable[[str, float], bool]
    ) -> bool:
        """Reads lines of analysis until enough were seen; returns whether the engine ended it."""
        wants_more = True
        heard = False
        last = monotonic()
        while wants_more and not self._is_stopped():
            if not client.await_output(POLL_INTERVAL):
                if monotonic() - last > self.timeout:
                    raise EngineTimeout(f"sent nothing for {self.timeout:g} s of analysis")
                continue
            last = monotonic()
            line = client.read(self.timeout, LINE_END).decode("utf-8", "replace").strip()
            if line.startswith("?"):
                client.read(self.timeout, LINE_END)
                raise NotSupported(f"refused to analyze: {printable(line[1 : SHOWN + 1])}")
            if not line:
                if not heard and not self._is_stopped():
                    raise ProtocolError("ended its analysis without any output")
                return True
            line = line.removeprefix("=").strip()
            heard = heard or line.startswith("play ")  # the end of a search for a move
            if has_candidates(line):
                wants_more = seen(line, scale)
                heard = True
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
        """Sets an option of OPTION_COMMANDS if it can be set; returns whether it was."""
        command = option_command(option, self.knows)
        return command is not None and self.accepts(command.line(value))

    def ask_option(self, option: str) -> str:
        """Returns the value of an option of OPTION_COMMANDS, empty if it cannot be asked."""
        command = option_command(option, self.knows)
        return self.try_ask(command.query) if command is not None and command.query else ""

    def announce_time(self, control: TimeControl) -> bool:
        """Announces a time system by the best command that the engine accepts.

        Returns False if there is a clock but no such command.
        """
        return self._time.announce(control)

    def tell_time(self, color: Color, clock: Clock) -> None:
        """Sends the time left on a clock, if a time system was announced to the engine."""
        self._time.send_time_left(color.letter, clock)

    # --- inside

    def _check_rectangle(self, width: int, height: int) -> None:
        """Raises NotSupported if the engine plays on a square instead; GNU Go does in silence.

        It has to reject a stone outside of the rectangle and, if it takes one at the corner of the
        smaller square, another one at the rectangle's far corner.
        """

        def takes(x: int, y: int) -> bool:
            return self.accepts(f"play b {COLUMNS[x - 1]}{y}")

        short, long = sorted((width, height))
        is_larger = takes(1, long) if width > height else takes(long, 1)
        is_smaller = not takes(width, height) and takes(short, short)
        if is_larger or is_smaller:
            size = long if is_larger else short
            raise NotSupported(
                f"takes 'boardsize {width} {height}' for {size}x{size}: play on a square board"
            )
        self.demand("clear_board")

    def _send_generate(self, line: str, timeout: float) -> Response:
        """Returns the response to a command that makes a move."""
        response = self.send(line, timeout)
        self.check_stop()
        if not response.ok:
            raise CommandRefused(response.text)
        return response

    def _ask_game(self) -> str:
        return self.try_ask(_CHANGE_GAME).partition(" ")[0]

    def check_stop(self) -> None:
        """Raises Stopped if it is to stop."""
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
    """Returns the first line of a text, without unstorable characters."""
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
    """Reads the move at the end of a genmove_analyze, and its last winrate among the lines."""
    *lines, last = response.text.strip().split("\n")
    word, _, move = last.strip().partition(" ")
    if word != "play":
        raise ProtocolError(f"ended its analysis without a move: {last[:SHOWN]!r}")
    move = _move(move)
    winrate = Winrate.if_known(last_winrate(lines, move, scale), color)
    return PlayResult(move, winrate, response.seconds)
