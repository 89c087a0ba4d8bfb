"""Games whose records other programs read: every game, square and oblong, flips and set-ups."""

import random
from collections.abc import Iterator
from dataclasses import replace

from pinchtp._core import SWAP
from pinchtp.games import GAMES
from pinchtp.games.game import PIECES, color_of
from pinchtp.games.session import Session

# Columns, rows and the number of turns.
BOARDS = [
    (2, 2, 2),
    (5, 5, 14),
    (9, 9, 40),
    (13, 13, 60),
    (19, 19, 80),
    (25, 25, 60),
    (9, 5, 20),
    (5, 9, 20),
    (25, 20, 40),
]
COMMENT = "Is ] or \\ lost; (or this)? Zürich: 囲\n\n  indented"


def samples() -> Iterator[tuple[str, Session]]:
    """Yields games by name."""
    for name, game in GAMES.items():
        fixed = game.smallest == game.largest
        boards = [(*game.size, 40)] if fixed else BOARDS
        for width, height, turns in boards:
            session = Session(game, width, height)
            _play(session, turns, random.Random(f"{name} {width} {height}"))
            session.history[0] = replace(session.history[0], comment=COMMENT)
            yield f"{name}-{width}x{height}", session


def _play(session: Session, turns: int, rng: random.Random) -> None:
    """Plays turns at random, the second one a swap where it can be."""
    while not session.is_over and (len(session.turns()) < turns or session.position.mid_turn):
        legal = session.position.legal_moves()
        session.play(session.to_move, SWAP if SWAP in legal else rng.choice(legal))


def board_of(session: Session) -> list[str]:
    """Returns the last position as rows of `.XO` from the top."""
    cells = session.position.cells()
    width = session.position.width
    signs = [("XO"[color_of(cell)] if cell in PIECES else ".") for cell in cells]
    rows = ["".join(signs[at : at + width]) for at in range(0, len(signs), width)]
    return rows[::-1]
