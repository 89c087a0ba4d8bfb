"""Lists of moves: `e5 swap c3`, `1. e5 2. c3`, or lines of GTP such as `play b e5`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pinchtp.games import COLOR_WORDS
from pinchtp.games.notation import RESIGN, NotationError
from pinchtp.games.session import IllegalMove, Session
from pinchtp.records.errors import RecordError

_NUMBER = re.compile(r"[0-9]{1,4}\.+")  # of a move


def play_moves(text: str, session: Session) -> None:
    """Plays the moves of a text. Raises RecordError with the number of an illegal one."""
    for number, word in enumerate(move_words(text), 1):
        try:
            _play(session, word)
        except (NotationError, IllegalMove) as error:
            raise RecordError(f"move {number}, {word[:20]!r}: {error}") from None


def move_words(text: str) -> Iterator[str]:
    """Yields the moves of a text, without numbers, colors, and comments, which begin with `#`."""
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words[:1] == ["play"]:
            words = words[1:]
        for word in words:
            bare = _NUMBER.sub("", word).strip(";")
            if bare and bare.lower() not in COLOR_WORDS:
                yield bare


def _play(session: Session, word: str) -> None:
    color = session.to_move
    if word.lower() == RESIGN:
        session.resign(color)
        return
    moves = session.parse(word)
    session.play(color, *moves)
    if len(moves) == 1 and session.position.mid_turn:
        raise IllegalMove("incomplete move; separate its steps with commas")
