"""Games and moves as engines are told them, and as they tell theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pinchtp.base.streams import printable, storable
from pinchtp.client import ProtocolError
from pinchtp.client.analysis import last_winrate
from pinchtp.games import Color
from pinchtp.games.notation import NotationError, SwapSpelling, format_move, point_of
from pinchtp.games.session import IllegalMove, Session


@dataclass(frozen=True)
class Generated:
    """A move that an engine chose. moves: empty for a resignation. winrate: by its own word."""

    text: str
    moves: tuple[int, ...]
    winrate: float | None = None


def told(session: Session) -> Iterator[tuple[Color, str]]:
    """The moves of a session as any engine is told them: a swap is called pass."""
    for turn in session.turns():
        if turn.is_idle or not turn.moves:
            continue
        for text in session.texts(turn):
            yield turn.color, SwapSpelling.PASS.value if text == SwapSpelling.SWAP else text


def start_of(session: Session) -> tuple[object, ...]:
    """What makes two starts the same to an engine."""
    start = session.start
    return session.game.name, start.width, start.height, tuple(session.options.items()), start


def spelled(session: Session, generated: Generated) -> str:
    """A generated move as `told` will tell it."""
    ahead = session.copy()
    if not generated.moves:
        return "resign"
    ahead.play(ahead.to_move, *generated.moves)
    return [text for _, text in told(ahead)][-1]


def read_move(session: Session, text: str, winrate: float | None) -> Generated:
    """The move that an engine answered. Raises ProtocolError if it is none, or not legal."""
    shown = printable(storable(text[:60]))
    if text.lower() == "resign":
        return Generated("resign", (), winrate)
    try:
        moves = session.parse(text)
        session.copy().play(session.to_move, *moves)
    except (NotationError, IllegalMove) as error:
        raise ProtocolError(f"played {shown}, which is not legal: {error}") from None
    return Generated(session.format(moves), moves, winrate)


def last_move(text: str, scale: float) -> tuple[str, float | None]:
    """The move at the end of a genmove_analyze, and what was said last of it or the position."""
    *lines, last = text.strip().split("\n")
    move = last.strip().removeprefix("play ").strip()
    return move, last_winrate(lines, move, scale)


def vertices(width: int, cells: bytes) -> Iterator[tuple[str, int]]:
    for at, cell in enumerate(cells):
        yield format_move(point_of(at, width)), cell
