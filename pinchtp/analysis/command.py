"""The command line of `pinchtp analysis`, and its queries and actions, one per line."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, BinaryIO

import msgspec

from pinchtp import __version__
from pinchtp.analysis.engine import DEFAULT_VISITS, OUT_OF_MEMORY, AnalysisEngine
from pinchtp.analysis.output import AnswerWriter
from pinchtp.analysis.queries import (
    NAMES,
    Query,
    QueryError,
    read_query,
    unknown_settings,
    unused_restrictions,
)
from pinchtp.base.command_line import Parser, arg_type, collect_options
from pinchtp.base.option_types import Int
from pinchtp.base.process import ExitStatus, signals_as, usable_processors
from pinchtp.base.streams import warn
from pinchtp.player.network import NetworkError, describe_networks
from pinchtp.player.settings import OPTIONS, Settings

MOST_LINE = 1 << 20  # bytes of a query; a game of 10,000 moves has a quarter of that
MOST_NESTED = 32  # levels of lists and objects in a line; queries have up to five

ANALYSIS_OPTIONS = [
    replace(OPTIONS["game"], help="game, if a query does not name one"),
    replace(
        OPTIONS["visits"], help="visits, if a query has no limit", none_means=str(DEFAULT_VISITS)
    ),
    OPTIONS["memory"],
    OPTIONS["network"],
    OPTIONS["seed"],
]

NO_HASH = "<omitted>"  # what KataGo answers if it was built without one

KATAGO_ONLY = ("-config", "-model", "-human-model", "-override-config")

DESCRIPTION = """\
Analyzes positions over KataGo's JSON protocol: reads one query per line from standard input, and
prints one response per line on standard output as soon as it is ready. Several positions are
searched concurrently, on all cores."""

EPILOG = """\
examples:
  echo '{"id":"1","moves":[["B","E5"]],"boardXSize":9,"boardYSize":9}' | pinchtp analysis
  pinchtp analysis --game pinch-relocate --visits 2k < queries > answers

exit status:
  0    all queries were answered, or the reader closed the output
  1    responses could not be written, or queries could not be read
  2    invalid command line
  130  Ctrl-C
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    for name in KATAGO_ONLY:
        if name in options:
            warn(f"pinchtp analysis: {name} is ignored: it applies only to KataGo")
    settings = Settings()
    output = AnswerWriter()
    # Ctrl-C ends the process immediately, because a thread may wait for a reader or hold a lock.
    with signals_as(lambda *_: os._exit(ExitStatus.INTERRUPTED), [signal.SIGINT]):
        try:
            for name, value in collect_options(options, ANALYSIS_OPTIONS).items():
                settings.set(name, value)
            engine = AnalysisEngine(settings, options.jobs, output)
        except ValueError as error:
            parser.error(str(error))
        finish = False
        try:
            answer_lines(engine, output, settings)
            finish = not options.quit_without_waiting
        finally:
            engine.close(finish=finish)
    return output.status


def make_parser() -> Parser:
    parser = Parser(prog="pinchtp analysis", description=DESCRIPTION, epilog=EPILOG)
    add = parser.add_argument
    jobs = arg_type(Int(1, 256))
    add(
        "--jobs",
        type=jobs,
        default=len(usable_processors()),
        metavar="N",
        help="concurrent positions (default: one per core)",
    )
    add(
        "--quit-without-waiting",
        action="store_true",
        help="at the end of the input, stop searches and drop the queue",
    )
    parser.add_options(ANALYSIS_OPTIONS)
    katago: dict[str, Any] = {"default": argparse.SUPPRESS, "help": argparse.SUPPRESS}
    add("-analysis-threads", dest="jobs", type=jobs, **katago)
    add("-quit-without-waiting", dest="quit_without_waiting", action="store_true", **katago)
    for name in KATAGO_ONLY:
        add(name, dest=name, **katago)
    return parser


def answer_lines(engine: AnalysisEngine, output: AnswerWriter, settings: Settings) -> None:
    """Reads standard input until its end, or until responses can no longer be written."""
    try:
        for line in lines(sys.stdin.buffer):
            answer_line(line, engine, output, settings)
            if output.is_broken:
                return
    except OSError as error:
        output.lose(f"standard input: {error.strerror}")


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
    """Performs an action or queues a query; sends a response if it is invalid."""
    if line is None:
        output.send({"error": f"a line has at most {MOST_LINE >> 10} KiB"})
        return
    try:
        raw = msgspec.json.decode(line)
        if nests_deeper(raw, MOST_NESTED):
            raise RecursionError(f"lists and objects nest at most {MOST_NESTED} deep")
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
        _warn_of_unused(raw, query, output)
        engine.add(query)
    except QueryError as error:
        output.send({"error": str(error), "field": error.field, "id": raw["id"]})
    except MemoryError:
        output.send({"error": OUT_OF_MEMORY, "id": raw["id"]})


def _warn_of_unused(raw: Mapping[str, Any], query: Query, output: AnswerWriter) -> None:
    """Sends a warning for each part of a query that changes nothing."""
    for name in sorted(set(raw) - NAMES):
        output.send({"warning": "Unexpected or unused field", "field": name, "id": raw["id"]})
    for text in unknown_settings(query):
        output.send({"warning": text, "field": "overrideSettings", "id": raw["id"]})
    for name in unused_restrictions(query):
        text = "the player is never to move in the turns to analyze"
        output.send({"warning": text, "field": name, "id": raw["id"]})


def nests_deeper(value: object, most: int) -> bool:
    """Returns whether lists and objects are nested in more levels than `most`."""
    level: list[Any] = [value]
    for _ in range(most + 1):
        nested = [each for each in level if isinstance(each, list | dict)]
        level = [inner for each in nested for inner in _members(each)]
    return bool(level)


def _members(value: list[Any] | dict[str, Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def act(
    raw: dict[str, Any], engine: AnalysisEngine, output: AnswerWriter, settings: Settings
) -> None:
    """Performs an action, and answers with its fields and the result. Raises QueryError."""
    action = raw["action"]
    result = dict[str, Any]()
    try:
        turns = msgspec.convert(raw.get("turnNumbers"), set[int] | None)
    except msgspec.ValidationError:
        raise QueryError("give a list of turns", "turnNumbers") from None
    if action == "query_version":
        result = {"version": __version__, "git_hash": NO_HASH}
    elif action == "query_models":
        try:
            result = {"models": describe_networks(settings.network)}
        except NetworkError as error:
            raise QueryError(str(error), "action") from None
    elif action == "terminate":
        if not isinstance(raw.get("terminateId"), str):
            raise QueryError("give the id of a query", "terminateId")
        engine.terminate(raw["terminateId"], turns)
    elif action == "terminate_all":
        engine.terminate(None, turns)
    elif action != "clear_cache":  # searches share nothing that could be cleared
        known = "query_version, query_models, clear_cache, terminate, terminate_all"
        raise QueryError(f"unknown action {action!r}: expected {known}", "action")
    output.send({**raw, **result})
