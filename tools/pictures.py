"""Draws the README's pictures into tools/pictures, with the public API.

Run it after a change of the look of boards:  python tools/pictures.py
A test fails while the pictures are out of date.
"""

from __future__ import annotations

from pathlib import Path

from pinchtp.games import GAMES
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.render.position_line import parse_position
from pinchtp.render.svg import board_svg

PICTURES = Path(__file__).with_suffix("")

# pinchtp against itself: 11x11, --visits 15000 --seed 3.
GAME = (
    "G7 C8 G8 H4 C5 G10 G4 G5 F11 E7 F4 F5 F10 F9 E10 D8 G9 J4 K4 K3 C4 L4 C3 A8 E4 E5 E8 F8 E9 "
    "C2 B2 E6 F7 D7 B8 B7"
)
FLIPS = 33  # its move with the most flips

# One stone that flips three in a cascade: the example of the rules.
CASCADE, TRIGGER = "......./..XO.../...OX../..XO.../......./....... b", "D2"


def session(size: int, moves: str) -> Session:
    """Returns a game of Pinch after these moves."""
    return play(Session(GAMES["pinch"], size, size, pie=True), moves)


def play(session: Session, moves: str) -> Session:
    for text in moves.split():
        session.play(session.to_move, parse_move(text, session.position))
    return session


def cascade() -> Session:
    """Returns the position before the stone that starts a cascade."""
    game = GAMES["pinch"]
    shown = parse_position(CASCADE, game)
    session = Session(game, shown.width, shown.height, pie=False)
    session.set_up(game.set_up(shown.width, shown.height, shown.cells, shown.to_move))
    return session


def pictures() -> dict[str, str]:
    """Returns the pictures by file name."""
    game = GAME.split()
    shown = {
        "cascade-before": cascade(),
        "cascade-after": play(cascade(), TRIGGER),
        "swap-before": session(7, "E3"),
        "swap-after": session(7, "E3 swap"),
        "game": session(11, " ".join(game[:FLIPS])),
        "won": session(11, GAME),
    }
    return {f"{name}.svg": board_svg(each) + "\n" for name, each in shown.items()}


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (PICTURES / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
