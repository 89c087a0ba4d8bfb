"""The options `--game` and `--size` of commands that read records."""

from __future__ import annotations

import argparse

from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.option_types import OneOf, Size
from pinchtp.games import GAMES, MAX_SIZE, MIN_SIZE
from pinchtp.records.game import Usual


def add_usual(parser: Parser) -> None:
    """Adds the options to a parser."""
    parser.add_argument(
        "--game",
        type=arg_type(OneOf(tuple(GAMES))),
        metavar="GAME",
        help="game of moves, of a position, and of an SGF file that does not name one",
    )
    parser.add_argument(
        "--size",
        type=arg_type(Size(MIN_SIZE, MAX_SIZE)),
        metavar="N|WxH",
        help="board of a list of moves (default: that of --game)",
    )


def read_usual(parser: Parser, options: argparse.Namespace) -> Usual:
    """Returns the game and board of the options. Exits with an error for an invalid one."""
    if options.size is None:
        return Usual(GAMES.get(options.game or ""))
    if options.game is None:
        parser.error("--size needs --game")
    game = GAMES[options.game]
    try:
        return Usual(game, start=game.start(*options.size))
    except ValueError as error:
        parser.error(f"--size: {error}")
