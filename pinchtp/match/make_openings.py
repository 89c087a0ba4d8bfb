"""Balanced openings from random moves and our own search: `pinchtp match openings N`."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field

from pinchtp._core import PASS, SWAP
from pinchtp.base.command_line import Parser, arg_type, collect_options
from pinchtp.base.option_types import Float, Int, OneOf
from pinchtp.base.options import option, options_of
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import STDOUT, print_lines, warn
from pinchtp.base.terminal import StatusLine
from pinchtp.games import GAMES
from pinchtp.games.notation import random_turn
from pinchtp.games.session import Session
from pinchtp.games.symmetry import NoSymmetry, Symmetry, apply
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import AS_USUAL, SIZE, Settings, fields_of, rule_options

GAME = "the game"
OPENINGS = "the openings"

SEARCH_MB = 64
TRIES = 200  # candidates per requested opening before the search ends


@dataclass(frozen=True)
class OpeningSearch:
    """The options of a search for openings.

    plies: turns per opening. visits: of the search that evaluates an opening. window: maximum
    distance of its winrate from 1/2.
    """

    game: str = option(
        OneOf(tuple(GAMES)), next(iter(GAMES)), "game to play", group=GAME, metavar="NAME"
    )
    size: tuple[int, int] | None = option(
        SIZE, None, "columns and rows", group=GAME, none_means=AS_USUAL, metavar="N|WxH"
    )
    rules: Mapping[str, object] = field(default_factory=dict)
    plies: int = option(Int(1, 1000), 4, "moves per opening", group=OPENINGS, metavar="P")
    visits: int = option(
        Int(1, 2**31), 2000, "visits to evaluate each opening", group=OPENINGS, metavar="N"
    )
    window: float = option(
        Float(0, 0.5), 0.05, "maximum distance of the winrate from 1/2", group=OPENINGS, metavar="W"
    )
    seed: int = option(
        Int(0, 2**63 - 1), 0, "seed of the moves and searches", group=OPENINGS, metavar="N"
    )


OPTIONS = options_of(OpeningSearch, rule_options(GAME).values())


def balanced_openings(search: OpeningSearch, count: int) -> Iterator[tuple[str, float]]:
    """Yields up to `count` openings: the text of the moves, and the winrate of the player to move.

    No position is a rotation or reflection of another. The result depends only on the options.
    Raises ValueError for an invalid size.
    """
    source = random.Random(search.seed)
    seen: set[object] = set()
    made = 0
    player = Player(Settings(memory=SEARCH_MB, seed=search.seed, visits=search.visits))
    for _ in range(TRIES * count):
        session = _candidate(search, source)
        keys = set() if session is None else _twins(session)
        if session is None or keys & seen:
            continue
        seen |= keys
        player.forget()  # so that an evaluation does not depend on earlier ones
        winrate = player.search(session, Limits(visits=search.visits)).winrate
        if winrate is not None and abs(winrate - 0.5) <= search.window:
            yield _text(session), winrate
            made += 1
            if made == count:
                return


def _candidate(search: OpeningSearch, source: random.Random) -> Session | None:
    """Returns a game of random moves without a swap; None if they end the game."""
    game = GAMES[search.game]
    session = Session(game, *(search.size or game.size), **game.rules(search.rules))
    avoided = {SWAP, PASS}
    for _ in range(search.plies):
        if session.is_over:
            return None
        turn = random_turn(session.position, source.choice, avoided)
        if not avoided.isdisjoint(turn):
            return None
        session.play(session.to_move, *turn)
    return None if session.is_over else session


def _twins(session: Session) -> set[object]:
    """Returns keys of the position and of its rotations and reflections."""
    keys: set[object] = set()
    for first in ((), (Symmetry.TRANSPOSE,)):
        for second in ((), (Symmetry.ROTATE,), (Symmetry.MIRROR,), (Symmetry.FLIP,)):
            twin = copy(session)
            try:
                for symmetry in (*second, *first):
                    apply(symmetry, twin)
            except NoSymmetry:
                continue
            position = twin.position
            keys.add((position.width, position.height, position.to_move, position.cells()))
    return keys


def _text(session: Session) -> str:
    return " ".join(text for turn in session.turns() for text in session.texts(turn))


OPENINGS = "openings"

HELP = "makes balanced openings"

DESCRIPTION = """\
Prints balanced openings: random moves after which a search evaluates the position as about even. No
opening is a rotation or reflection of another. The same seed gives the same list."""

EPILOG = """\
examples:
  pinchtp match openings 100 --size 9 > openings.txt
  pinchtp match openings 20 --plies 6 --visits 20000 --window 0.03 --seed 1

exit status:
  0  all openings were found
  1  fewer were found, or they could not be written
  2  invalid command line
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    search = OpeningSearch(**fields_of(collect_options(options, OPTIONS.values())))
    count = options.count
    made = 0
    try:
        with StatusLine() as status:
            for moves, winrate in balanced_openings(search, count):
                print_lines(f"{moves}  # {winrate:.3f}")
                made += 1
                if not os.isatty(STDOUT):  # on a terminal the lines show the progress
                    status.show(f"{made} of {count} openings")
    except ValueError as error:
        parser.error(str(error))
    if made < count:
        warn(
            f"pinchtp match: found {made} of {count} balanced openings: try other --plies or "
            "a wider --window"
        )
    return ExitStatus.SUCCESS if made == count else ExitStatus.FAILURE


def make_parser() -> Parser:
    """Returns the command line."""
    parser = Parser(prog=f"pinchtp match {OPENINGS}", description=DESCRIPTION, epilog=EPILOG)
    count = arg_type(Int(1, 10**6))
    parser.add_argument("count", type=count, metavar="N", help="number of openings")
    parser.add_options(OPTIONS.values())
    return parser
