"""The command line of `pinchtp solve`."""

from __future__ import annotations

import argparse
import json
import lzma
import math
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import psutil

from pinchtp._core import PASS, Position, Proof, Solver
from pinchtp.base.command_line import Parser, add_option, arg_type, collect_options
from pinchtp.base.files import is_same_file, replace_file
from pinchtp.base.option_types import PATH, Float
from pinchtp.base.process import ExitStatus, StopRequested
from pinchtp.base.streams import print_lines, warn
from pinchtp.base.terminal import StatusLine
from pinchtp.engine.analysis import PROOF_WORDS, AnySolution, Solved
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import is_point, point
from pinchtp.games.session import Session
from pinchtp.games.symmetry import Symmetry, image, maps_to_itself
from pinchtp.player.player import Player
from pinchtp.player.settings import OPTIONS, RULES, Settings
from pinchtp.records.errors import RecordError
from pinchtp.records.move_list import play_moves
from pinchtp.render.text import BANNED, EMPTY, NO_POINT, rows
from pinchtp.solving.job_tree import RULED_OUT, seen_across, value_at_once
from pinchtp.solving.proof import has_repetition, proof_text, refusal
from pinchtp.solving.store import SolverStoreError, open_store
from pinchtp.solving.strategy import ProofError

# Help texts for the engine's options, whose names and types are the same.
OPTION_HELP = {
    "game": "game to solve",
    "size": OPTIONS["size"].help,
    **{name: option.help for name, option in RULES.items()},
    "memory": "memory limit of the proof, in MB or with a unit: 8G",
    "threads": "search threads",
    "network": "network that guides the proof, in games where that is faster: default (the game's "
    "own), none, or a file",
}

SIGNS = {Proof.WIN: "+", Proof.LOSS: "-", Proof.DRAW: "=", Proof.UNKNOWN: "?"}
OTHER_SIGNS = {BANNED: EMPTY, NO_POINT: " "}
LEGEND = "+ wins, - loses, = draws, ? unknown, for {}"

DESCRIPTION = """\
Proves the winner of a position with best play. The output begins with win, loss, draw or unknown,
for the color to move; a line of best play and the number of positions searched follow.
Memory is bounded; full memory only slows the proof down. Small boards are solved in seconds, but
each additional point takes several times as long. Without --seconds there is no time limit; a
terminal shows the time, the positions searched so far and the current move. Ctrl-C ends the search
as a time limit would, but writes no proof; a second Ctrl-C prints nothing."""

EPILOG = """\
examples:
  pinchtp solve --size 4                            Pinch with the pie rule
  pinchtp solve --size 4 --no-pie --each            the value of every first move, on the board
  pinchtp solve --size 4 --no-pie --moves 'a1 b2'   after these moves
  pinchtp solve --game capture-go --size 5 --seconds 60
  pinchtp solve --size 6 --no-pie --moves c3 --cluster tcp://scheduler:8786

exit status:
  0    solved
  1    unknown: the time was too short; or the output could not be written, or the cluster was lost
  2    invalid command line, or the cluster cannot be used
  130  Ctrl-C
"""


class AnySolver(Protocol):
    """The solver of this process, or the solvers of a cluster."""

    @property
    def nodes(self) -> int: ...
    @property
    def proof_numbers(self) -> tuple[int, int]: ...
    def solve(
        self, position: Position, seconds: float, should_stop: Callable[[], bool]
    ) -> AnySolution: ...


class Progress(StatusLine):
    """A status line with time, nodes, speed, memory and proof numbers of the solver.

    nodes: the nodes of completed searches. subject: the current move, or empty.
    """

    def __init__(self, solver: AnySolver, limit: float, is_interrupted: Callable[[], bool]) -> None:
        """limit: the time limit in seconds. is_interrupted: returns whether to stop the search."""
        super().__init__()
        self.nodes = 0
        self.subject = ""
        self._solver = solver
        self._process = psutil.Process()
        self._is_interrupted = is_interrupted
        self._limit = "" if math.isinf(limit) else f" of {limit:g}"

    def update(self) -> bool:
        """Updates the line; returns whether to stop the search."""
        if self.is_due:
            nodes = self.nodes + self._solver.nodes
            speed = f"{_short(nodes)} nodes, {_short(nodes / self.seconds)}/s"
            time = f"{self.seconds:.0f}{self._limit} s, {speed}"
            memory = f"{self._process.memory_info().rss >> 20:,} MB"
            numbers = ""
            if RULED_OUT not in self._solver.proof_numbers:
                numbers = "proof {}, disproof {}".format(*map(_short, self._solver.proof_numbers))
            self.show(*filter(None, [time, self.subject, memory, numbers, "Ctrl-C stops"]))
        return self._is_interrupted()


def _short(count: float) -> str:
    """Returns a count in few characters: 950, 12.3k, 4.5M."""
    if count < 1000:
        return f"{count:.0f}"
    # More would be rounded to 1000.0k.
    return f"{count / 1e3:.1f}k" if count < 999_950 else f"{count / 1e6:.1f}M"


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        session, player = _set_up(options)
    except ValueError as error:
        parser.error(str(error))
    settings = player.settings
    if options.proof and (reason := refusal(session)):
        parser.error(f"--proof: {reason}")
    if options.store and has_repetition(session):
        parser.error("--store: a position occurred twice in --moves")
    if options.cluster and options.proof:
        parser.error("--proof: cannot be used with --cluster, whose workers keep their proofs")
    if options.proof and options.store and is_same_file(options.proof, options.store):
        parser.error(f"--proof: {options.proof} is the file of --store; give another name")
    parser.check_output("--proof", options.proof)
    if options.cluster:
        return _solve_on_cluster(settings, session, options, parser)
    try:
        solver = player.solver(session.position)
        if options.store:
            with _opening(options.store, parser):
                store = open_store(options.store, session.game, session.position, settings.memory)
            if (size := len(store) >> 20) != settings.memory:
                warn(f"pinchtp solve: --store: {options.store} keeps its size, {size} MB")
            solver.attach(store)
    except MemoryError:
        parser.error(f"--memory: cannot allocate {settings.memory} MB")
    except ValueError as error:
        parser.error(f"--network: {error}")
    return _solve(session, solver, options)


@contextmanager
def _opening(store: Path, parser: Parser) -> Iterator[None]:
    """Ends the program with a message if the store cannot be opened."""
    try:
        yield
    except SolverStoreError as error:
        parser.error(f"--store: {store}: {error}")
    except OSError as error:
        parser.error(f"--store: {store}: {error.strerror}")


def _solve_on_cluster(
    settings: Settings, session: Session, options: argparse.Namespace, parser: Parser
) -> int:
    """Runs the command on a cluster; returns the exit status."""
    from pinchtp.base.cluster import ClusterError, ClusterLost  # noqa: PLC0415  (few need these)
    from pinchtp.solving.cluster import ClusterSolver  # noqa: PLC0415
    from pinchtp.solving.job_log import JobLog  # noqa: PLC0415

    with ExitStack() as stack:
        log = None
        if options.store:
            with _opening(options.store, parser):
                log = stack.enter_context(JobLog(options.store, session.game, session.position))
        try:
            solver = ClusterSolver(options.cluster, settings, session, log)
            return _solve(session, stack.enter_context(closing(solver)), options)
        except ClusterError as error:
            warn(f"pinchtp solve: {error}")
            return ExitStatus.WRONG_USE
        except ClusterLost:
            advice = "the same command continues" if log else "and with it the proof so far"
            warn(f"pinchtp solve: lost the cluster scheduler, {advice}")
            return ExitStatus.FAILURE
        except SolverStoreError as error:
            warn(f"pinchtp solve: --store: {options.store}: {error}")
            return ExitStatus.FAILURE


def _solve(session: Session, solver: AnySolver, options: argparse.Namespace) -> int:
    """Solves a position and prints the result; returns the exit status."""
    stop = StopRequested([signal.SIGINT])
    with (
        stop.at_signals() as is_interrupted,
        Progress(solver, options.seconds, is_interrupted) as progress,
    ):
        solved, values = _search(session, solver, options, progress)
    is_complete = solved.value != "unknown"
    try:
        print_lines(_describe(session, solver, solved, values, options))
    finally:  # also if the reader of the result is gone
        if options.proof and not stop.seen:
            assert isinstance(solver, Solver)
            winners = _winners(session, solved, values)
            is_complete &= _write_proof(options.proof, session, solver, winners)
    if stop.seen:
        return ExitStatus.INTERRUPTED
    return ExitStatus.SUCCESS if is_complete else ExitStatus.FAILURE


def _search(
    session: Session, solver: AnySolver, options: argparse.Namespace, progress: Progress
) -> tuple[Solved, dict[int, Proof]]:
    """Returns the result for a position, and with --each the values of its moves."""
    if session.is_over:
        return Solved.of_result(session), {}
    if options.each:
        values = solve_each(session, solver, monotonic() + options.seconds, progress)
        best = PROOF_WORDS[_best(values.values())]
        return Solved.at(session, best, nodes=progress.nodes), values
    solution = solver.solve(session.position, options.seconds, progress.update)
    return Solved.of(session, solution), {}


def _describe(
    session: Session,
    solver: AnySolver,
    solved: Solved,
    values: Mapping[int, Proof],
    options: argparse.Namespace,
) -> str:
    """Returns the result as text or JSON. values: with --each, the values of the moves."""
    if options.each:
        each = {_format(session, move): PROOF_WORDS[proof] for move, proof in values.items()}
        details: dict[str, Any] = {"each": each}
        text = "\n".join([solved.text(), *_diagram(session, values)])
    else:
        details = {"line": solved.line}
        text = solved.text()
        if solved.value == "unknown" and RULED_OUT not in (numbers := solver.proof_numbers):
            details["proof_numbers"] = numbers
            text += " proof numbers {} {}".format(*numbers)
    return _json(solved, details) if options.json else text


def make_parser() -> Parser:
    parser = Parser(prog="pinchtp solve", description=DESCRIPTION, epilog=EPILOG)
    for name, help in OPTION_HELP.items():
        add_option(parser, OPTIONS[name], help)
    parser.add_argument(
        "--moves",
        default="",
        metavar="MOVES",
        help="solve the position after these moves: 'd4 swap c3'",
    )
    parser.add_argument(
        "--seconds",
        type=arg_type(Float(0, 1e9)),
        default=math.inf,
        metavar="S",
        help="give up after this time, in seconds (default: never); a proof is still written",
    )
    parser.add_argument(
        "--each",
        action="store_true",
        help="solve every move of the position, and show the values on the board",
    )
    parser.add_argument(
        "--proof",
        type=arg_type(PATH),
        metavar="FILE",
        help="also write a proof of the result, for tools/check_proof.py; compressed if the name "
        "ends in .xz",
    )
    parser.add_argument(
        "--store",
        type=arg_type(PATH),
        metavar="FILE",
        help="keep the solver's table in this file, to resume after a crash; a new file has the "
        "size of --memory. With --cluster: the results of jobs",
    )
    parser.add_argument(
        "--cluster",
        metavar="WHERE",
        help="solve on a dask.distributed cluster: tcp://HOST:PORT, or local:N to start N workers "
        "here; --memory and --threads apply to each worker thread",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


def _set_up(options: argparse.Namespace) -> tuple[Session, Player]:
    """Returns a session at the position to solve, and a player. Raises ValueError."""
    settings = Settings()
    for name, value in collect_options(options, (OPTIONS[name] for name in OPTION_HELP)).items():
        settings.set(name, value)
    session = settings.new_session(GAMES[settings.game], settings.size)
    try:
        play_moves(options.moves, session)
    except RecordError as error:
        raise ValueError(f"--moves: {error}") from None
    return session, Player(settings)


def solve_each(
    session: Session, solver: AnySolver, deadline: float, progress: Progress
) -> dict[int, Proof]:
    """Solves the position after each move; returns the values of the moves.

    deadline: by the monotonic clock. Time that a move does not use goes to the open moves.
    """
    images = _images(session)
    values = {move: value_at_once(session.position, move) for move in images}
    while to_do := [move for move, value in values.items() if value is Proof.UNKNOWN]:
        for at, move in enumerate(to_do):
            if progress.update():
                break
            seconds = max(deadline - monotonic(), 0) / (len(to_do) - at)
            done = sum(value is not Proof.UNKNOWN for value in values.values())
            progress.subject = (
                f"{_format(session, move)}, {done} of {len(values)} distinct moves solved"
            )
            solution = solver.solve(session.position.play(move), seconds, progress.update)
            values[move] = seen_across(session.position, move, solution.value)
            progress.nodes += solution.nodes
        # Without a limit, the solver gave up.
        if progress.update() or math.isinf(deadline) or monotonic() >= deadline:
            break
    return dict(sorted((copy, values[move]) for move, same in images.items() for copy in same))


def _images(session: Session) -> dict[int, set[int]]:
    """Returns the sets of symmetric moves, by their first move."""
    position = session.position
    if not session.game.places_stones or position.mid_turn or has_repetition(session):
        return {move: {move} for move in position.legal_moves()}
    symmetries = [
        symmetry
        for symmetry in Symmetry
        if not (symmetry is Symmetry.TRANSPOSE and session.game.sides)
        and maps_to_itself(symmetry, position)
    ]
    images: dict[int, set[int]] = {}
    for move in position.legal_moves():
        if any(move in same for same in images.values()):
            continue
        images[move] = same = {move}
        while is_point(move) and (
            more := {image(symmetry, position, other) for other in same for symmetry in symmetries}
            - same
        ):
            same |= more
    return images


def _winners(
    session: Session, solved: Solved, values: Mapping[int, Proof]
) -> dict[tuple[int, ...], Color]:
    """Returns the winner of the position, or of each move of --each that is won or lost."""
    if not values:
        return {} if solved.winner is None else {(): solved.winner}
    colors = {Proof.WIN: session.to_move, Proof.LOSS: session.to_move.opponent}
    return {(move,): colors[value] for move, value in values.items() if value in colors}


def _write_proof(
    path: Path, session: Session, solver: Solver, winners: Mapping[tuple[int, ...], Color]
) -> bool:
    """Writes a proof file; returns whether that succeeded."""
    try:
        with StatusLine() as status:
            text = proof_text(
                session, solver, winners, lambda done: status.show(f"writing the proof, {done}")
            )
        data = text.encode()
        replace_file(path, lzma.compress(data) if path.suffix == ".xz" else data, durable=False)
    except ProofError as error:
        warn(f"pinchtp solve: --proof: {error}")
        return False
    except OSError as error:
        warn(f"pinchtp solve: --proof: {path}: {error.strerror}")
        return False
    return True


def _json(solved: Solved, details: Mapping[str, Any]) -> str:
    """Returns a result as JSON. details: the line of best play, or the value of each move."""
    winner = None if solved.winner is None else str(solved.winner)
    return json.dumps(
        {"value": solved.value, "winner": winner, "nodes": solved.nodes, **details}, indent=1
    )


def _format(session: Session, move: int) -> str:
    """Returns the text of a move, or of the first step of a turn, in the game's notation."""
    return session.game.notation.format(session.position, [move])


def _best(values: Iterable[Proof]) -> Proof:
    """Returns the value of a position, from the values of its moves."""
    proofs = set(values)
    order = (Proof.WIN, Proof.UNKNOWN, Proof.DRAW, Proof.LOSS)
    return next(value for value in order if value in proofs)


def _diagram(session: Session, values: Mapping[int, Proof]) -> list[str]:
    """Returns the board with a symbol for each move's value; passes and swaps are below it."""
    notation = session.game.notation
    position = session.position
    letters = "     " + " ".join(notation.columns[: position.width])
    lines = [letters]
    for y, row in zip(reversed(range(position.height)), rows(position), strict=True):
        signs = [
            SIGNS[values[point(x, y)]] if point(x, y) in values else OTHER_SIGNS.get(sign, sign)
            for x, sign in enumerate(row)
        ]
        lines.append(f" {notation.row_label(y):>2}  {' '.join(signs)}  {notation.row_label(y)}")
    others = [
        f"{_format(session, move)}: {PROOF_WORDS[value]}"
        for move, value in values.items()
        if move >= PASS
    ]
    return [*lines, letters, LEGEND.format(session.to_move), *others]
