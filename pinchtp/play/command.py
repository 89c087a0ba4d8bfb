"""The command line of `pinchtp play`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pinchtp.base.command_line import Parser, arg_type, collect_options
from pinchtp.base.files import read_file
from pinchtp.base.option_types import OneOf
from pinchtp.base.process import ExitStatus
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import SwapSpelling
from pinchtp.games.session import Session
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.standard import NAME
from pinchtp.play.game import HumanGame
from pinchtp.player.settings import OPTIONS, RULES, Settings
from pinchtp.records.errors import RecordError
from pinchtp.records.game import Usual
from pinchtp.records.reader import read_sgf

DEFAULT_LEVEL = 6  # beats a beginner occasionally

ME, ENGINE = "me", "engine"

OPTION_NAMES = [
    *("game", "size", *RULES),
    *("level", "time", "visits", "threads", "seed", "memory", "network", "search", "resign"),
    "record",
]
CHANGES: dict[str, dict[str, Any]] = {
    "level": {"default": DEFAULT_LEVEL},
    "record": {"help": "autosave the game to this SGF file, or continue the one in it"},
}
PLAY_OPTIONS = [replace(OPTIONS[name], **CHANGES.get(name, {})) for name in OPTION_NAMES]

DESCRIPTION = """\
Plays a game against you: you type moves, and the engine replies. The steps of a multi-step move may
be typed one at a time. Type ? for the commands: undo, hint, resign, save and others. If you lose,
the game ends with a report of the move that lost it."""

EPILOG = """\
examples:
  pinchtp play                              Pinch on the default board; you play Black
  pinchtp play --size 7 --level 3
  pinchtp play --black engine --time 5 --level 20
  pinchtp play --game bushka --record game.sgf    the same command continues the game

exit status:
  0    you quit
  1    standard output could not be written
  2    invalid command line
  130  Ctrl-C
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        game = _game(options)
    except ValueError as error:
        parser.error(str(error))
    from pinchtp.play.terminal import PlayTerminal  # noqa: PLC0415  (loads rich)

    PlayTerminal(game).run()
    return ExitStatus.SUCCESS


def make_parser() -> Parser:
    common = ("black", "game", "size", "level", "time", "record")
    parser = Parser(common, prog="pinchtp play", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "--black",
        type=arg_type(OneOf((ME, ENGINE))),
        default=ME,
        metavar=f"{ME}|{ENGINE}",
        help=f"who plays Black (default: {ME})",
    )
    parser.add_options(PLAY_OPTIONS)
    return parser


def _game(options: argparse.Namespace) -> HumanGame:
    """Returns the game, which continues an existing record. Raises ValueError."""
    given = collect_options(options, PLAY_OPTIONS)
    human = Color.BLACK if options.black == ME else Color.WHITE
    path: Path | None = given.get("record")
    session = _continue(path, human, given) if path and path.exists() else None
    settings = Settings(level=DEFAULT_LEVEL, swap_as=SwapSpelling.SWAP)
    for name, value in given.items():
        settings.set(name, value)
    if session is None:
        return HumanGame(GtpEngine(settings), human)
    settings.game = session.game.name
    engine = GtpEngine(settings)
    engine.session = session
    return HumanGame(engine, human)


def _continue(path: Path, human: Color, given: Mapping[str, Any]) -> Session:
    """Returns the game of a record. given: options. Raises RecordError."""
    try:
        games = read_sgf(read_file(path), Usual(GAMES.get(given.get("game", ""))))
        if len(games) > 1:
            raise RecordError(f"saving would keep one of its {len(games)} games; give another file")
        session = games[0].read().session()
        if session.is_over:
            raise RecordError("the game in it is over; give another file")
        _check_options(session, human, given)
    except OSError as error:
        raise RecordError(f"--record {path}: {error.strerror}") from None
    except RecordError as error:
        raise RecordError(f"--record {path}: {error}") from None
    return session


def _check_options(session: Session, human: Color, given: Mapping[str, Any]) -> None:
    """Raises RecordError for options that contradict a recorded game."""
    start = session.start
    rules = session.game.rules_of(start)
    held = {"game": session.game.name, "size": (start.width, start.height), **rules}
    for name in ("game", "size", *RULES):
        if name in given and given[name] != held.get(name):
            raise RecordError(
                f"the game in it is {session.game.title} {start.width}x{start.height}, which has "
                f"another value of --{name}: omit that, or give another file"
            )
    names = {Color.BLACK: session.info.black, Color.WHITE: session.info.white}
    if names[human].startswith(NAME):
        black = ENGINE if human is Color.BLACK else ME
        raise RecordError(f"the engine is {human} in it: give --black {black}, or another file")
