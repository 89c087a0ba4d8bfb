"""Balanced openings, found by random play and our own search."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass

from pinchtp._core import PASS, SWAP
from pinchtp.base.options import OneOf, Real, Whole, declared_elsewhere, option, options_of
from pinchtp.games import GAMES
from pinchtp.games.session import Session
from pinchtp.games.symmetry import NoSymmetry, Symmetry, apply
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import AS_USUAL, SIZE, Settings, rule_options

GAME, OPENINGS = "the game", "the openings"

SEARCH_MB = 64
TRIES = 200  # candidates for each opening that is wanted, before the search for more is given up


@dataclass(frozen=True)
class OpeningSearch:
    """What openings are looked for.

    plies: their turns. visits: of the search that judges each. window: how far from 1/2 the winrate
    of the player to move may be.
    """

    game: str = option(
        OneOf(tuple(GAMES)), next(iter(GAMES)), "which game", group=GAME, metavar="NAME"
    )
    size: tuple[int, int] | None = option(
        SIZE, None, "columns and rows", group=GAME, unset=AS_USUAL, metavar="N|WxH"
    )
    options: Mapping[str, object] = declared_elsewhere(rule_options(GAME))
    plies: int = option(Whole(1, 1000), 4, "moves of each", group=OPENINGS, metavar="P")
    visits: int = option(
        Whole(1, 2**31), 2000, "simulations that judge each", group=OPENINGS, metavar="N"
    )
    window: float = option(
        Real(0, 0.5), 0.05, "how far from 1/2 the win rate may be", group=OPENINGS, metavar="W"
    )
    seed: int = option(Whole(0, 2**63 - 1), 0, "of moves and search", group=OPENINGS, metavar="N")


OPTIONS = options_of(OpeningSearch)


def balanced_openings(search: OpeningSearch, count: int) -> Iterator[tuple[str, float]]:
    """So many openings, each as the text of its moves and the winrate of the player to move; fewer
    if no more are found.

    No two of them are the same position, turned or mirrored. The same search finds the same ones.
    Raises ValueError for a size that the game does not have.
    """
    source = random.Random(search.seed)
    seen: set[object] = set()
    found = 0
    for _ in range(TRIES * count):
        session = _candidate(search, source)
        keys = set() if session is None else _twins(session)
        if session is None or keys & seen:
            continue
        seen |= keys
        winrate = _winrate(session, search)
        if winrate is not None and abs(winrate - 0.5) <= search.window:
            yield _text(session), winrate
            found += 1
            if found == count:
                return


def _candidate(search: OpeningSearch, source: random.Random) -> Session | None:
    """The game after random moves, the swap not among them; None if that ends it."""
    game = GAMES[search.game]
    session = Session(game, *(search.size or game.size), **game.rules(search.options))
    for _ in range(search.plies):
        parts_left = True
        while parts_left:
            moves = [move for move in session.position.legal_moves() if move not in (SWAP, PASS)]
            if not moves:
                return None
            session.play(session.to_move, source.choice(moves))
            parts_left = session.position.mid_turn
    return None if session.is_over else session


def _twins(session: Session) -> set[object]:
    """Keys of the position and of all that are as good as the same."""
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


def _winrate(session: Session, search: OpeningSearch) -> float | None:
    settings = Settings(memory=SEARCH_MB, seed=search.seed, visits=search.visits)
    report = Player(settings).think(session, Limits(visits=search.visits))
    return report.winrate
