"""Lists of moves: `e5 swap c3`, `e5.swap.c3`, `1. e5 2. c3`, or lines of GTP (`play b e5`).

The last may be `resign`, or `resign-b` and `resign-w`, as in our links and Python's Game.moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from pinchtp.games import COLOR_WORDS, Color
from pinchtp.games.notation import NotationError
from pinchtp.games.session import RESIGNATIONS, IllegalMove, Session
from pinchtp.records.errors import RecordError

_NUMBER = re.compile(r"\A[0-9]{1,4}\.+")  # of a move


def play_moves(text: str, session: Session) -> None:
    """Plays the moves of a text. Raises RecordError with the number of an illegal one."""
    for number, (color, word) in enumerate(move_words(text), 1):
        try:
            _play(session, session.to_move if color is None else color, word)
        except NotationError as error:  # names the word
            raise RecordError(f"move {number}: {error}") from None
        except IllegalMove as error:
            raise RecordError(f"move {number}, {word[:20]!r}: {error}") from None


def move_words(text: str) -> Iterator[tuple[Color | None, str]]:
    """Yields the moves of a text, each with the color before it, None without one.

    Numbers are left out, and comments, which begin with `#`.
    """
    color = None
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words[:1] == ["play"]:
            words = words[1:]
        for word in chain.from_iterable(map(_split, words)):
            bare = word.strip(";")
            if bare.lower() in COLOR_WORDS:
                color = COLOR_WORDS[bare.lower()]
            elif bare:
                yield color, bare
                color = None


def _split(word: str) -> list[str]:
    """Returns the moves of a word, separated by dots as in our links, without their number."""
    return _NUMBER.sub("", word).split(".")


def _play(session: Session, color: Color, word: str) -> None:
    if word.lower() in RESIGNATIONS:
        named = RESIGNATIONS[word.lower()]
        session.resign(color if named is None else named)
        return
    moves = session.parse(word)
    session.play(color, *moves)
    if len(moves) == 1 and session.position.mid_turn:
        raise IllegalMove("incomplete move; separate its steps with commas")
