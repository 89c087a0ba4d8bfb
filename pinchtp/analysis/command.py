"""The command line of `pinchtp analysis`: queries and actions, a line each."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from threading import Lock
from typing import Any, BinaryIO

import msgspec

from pinchtp import __version__
from pinchtp.analysis.engine import DEFAULT_VISITS, AnalysisEngine
from pinchtp.analysis.queries import NAMES, QueryError, read_query
from pinchtp.base.options import Int, Parser, arg_type, parsed_options
from pinchtp.base.process import ExitStatus, usable_processors
from pinchtp.base.streams import STDOUT, write
from pinchtp.player.network import networks_in_use
from pinchtp.player.settings import OPTIONS, Settings

MOST_LINE = 1 << 20  # bytes of a query; a game of 10,000 moves has a quarter of that

ANALYSIS_OPTIONS = [
    replace(OPTIONS["game"], help="game of queries that do not name one"),
    replace(
        OPTIONS["visits"], help="visits of queries without limits", none_means=str(DEFAULT_VISITS)
    ),
    OPTIONS["memory"],
    OPTIONS["network"],
    OPTIONS["seed"],
]

DESCRIPTION = """\
Analyzes positions in KataGo's JSON protocol: a query a line on standard input, an answer a line on
standard output as soon as it is known. Several positions are searched at a time, on all cores."""

EPILOG = """\
examples:
  echo '{"id":"1","moves":[["B","E5"]],"boardXSize":9,"boardYSize":9}' | pinchtp analysis
  pinchtp analysis --game pinch-relocate --visits 2k < queries > answers

exit status:
  0    all queries were answered
  2    the command line was wrong
  130  Ctrl-C
"""


class AnswerWriter:
    """Writes answers, whole lines each, from any thread. is_broken: nobody reads them any more."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.is_broken = False

    def send(self, answer: dict[str, Any]) -> bool:
        """Returns whether there is a reader."""
        line = msgspec.json.encode(answer) + b"\n"
        with self._lock:
            try:
                if not self.is_broken:
                    write(STDOUT, line)
            except BrokenPipeError:
                self.is_broken = True
        return not self.is_broken


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    settings = Settings()
    output = AnswerWriter()
    try:
        for name, value in parsed_options(options, ANALYSIS_OPTIONS).items():
            settings.set(name, value)
        engine = AnalysisEngine(settings, options.jobs, output.send)
    except ValueError as error:
        parser.error(str(error))
    finish = False
    try:
        for line in lines(sys.stdin.buffer):
            answer_line(line, engine, output, settings)
            if output.is_broken:
                break
        finish = not options.quit_without_waiting
    finally:
        engine.close(finish=finish)
    return ExitStatus.SUCCESS


def make_parser() -> Parser:
    parser = Parser(prog="pinchtp analysis", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "--jobs",
        type=arg_type(Int(1, 256)),
        default=len(usable_processors()),
        metavar="N",
        help="positions at a time (default: one per core)",
    )
    parser.add_argument(
        "--quit-without-waiting",
        action="store_true",
        help="at the end of the input, stop searches and drop the queue",
    )
    parser.add_options(ANALYSIS_OPTIONS)
    return parser


def lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yields the lines that are not blank; None for one that is too long."""
    while line := stream.readline(MOST_LINE):
        if len(line) == MOST_LINE and not line.endswith(b"\n"):
            while (rest := stream.readline(MOST_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None
        elif line.strip():
            yield line


def answer_line(
    line: bytes | None, engine: AnalysisEngine, output: AnswerWriter, settings: Settings
) -> None:
    """Performs an action, or queues a query; answers what is wrong with either."""
    if line is None:
        output.send({"error": f"a line has at most {MOST_LINE >> 10} KiB"})
        return
    try:
        raw = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        output.send({"error": f"Could not parse input line as JSON: {error}"})
        return
    if not isinstance(raw, dict) or not isinstance(raw.get("id"), str):
        output.send({"error": "Request must be an object with a string id", "field": "id"})
        return
    try:
        if "action" in raw:
            act(raw, engine, output, settings)
            return
        query = read_query(raw, settings.game)
        for name in sorted(set(raw) - NAMES):
            output.send({"warning": "Unexpected or unused field", "field": name, "id": raw["id"]})
        engine.add(query)
    except QueryError as error:
        output.send({"error": str(error), "field": error.field, "id": raw["id"]})


def act(
    raw: dict[str, Any], engine: AnalysisEngine, output: AnswerWriter, settings: Settings
) -> None:
    """Performs an action, and answers with its fields and the result. Raises QueryError."""
    action, result = raw["action"], dict[str, Any]()
    turns = raw.get("turnNumbers")
    if turns is not None and not isinstance(turns, list):
        raise QueryError("give a list of turns", "turnNumbers")
    if action == "query_version":
        result = {"version": __version__}
    elif action == "query_models":
        result = {"models": networks_in_use(settings.network)}
    elif action == "terminate":
        if not isinstance(raw.get("terminateId"), str):
            raise QueryError("give the id of a query", "terminateId")
        engine.terminate(raw["terminateId"], turns)
    elif action == "terminate_all":
        engine.terminate(None, turns)
    elif action != "clear_cache":  # searches share nothing that could be cleared
        known = "query_version, query_models, clear_cache, terminate, terminate_all"
        raise QueryError(f"no action {action!r}; there are {known}", "action")
    output.send({**raw, **result})
