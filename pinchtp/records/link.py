"""Links to games: `#game=pinch;9x9;e5.swap.c3`.

The parts are the game, the size, the rule options that differ from the default, a set-up start
(`at=` and a position string), and the moves. They are the fragment of an address, which browsers do
not send to servers.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from pinchtp.games import GAMES, Color
from pinchtp.games.history import Turn
from pinchtp.games.notation import RESIGN_PREFIX
from pinchtp.games.session import Session
from pinchtp.records.errors import RecordError
from pinchtp.records.position_line import load_position, position_line

MARK = "#game="  # begins the fragment
SAFE = "/:,+"  # in a fragment, like letters, digits, - and _


def link_text(session: Session) -> str:
    """Returns the fragment of a link to a game."""
    game = session.game
    start = session.start
    parts = [game.name, f"{start.width}x{start.height}"]
    rules = game.rules_of(start)
    parts += [
        f"{option.name}={str(rules[option.name]).lower()}"
        for option in game.options
        if rules[option.name] != option.default
    ]
    if start != game.start_of(start):
        parts.append("at=" + quote(position_line(Session.at(game, start)), SAFE))
    words = [
        word for turn in session.turns() if not turn.after_end for word in _words(session, turn)
    ]
    parts.append(".".join(quote(word.lower(), SAFE) for word in words))
    return MARK + ";".join(parts)


def _words(session: Session, turn: Turn) -> list[str]:
    """Returns the words of a turn: one, or for an incomplete turn one per step."""
    if not turn.moves:
        return [f"{RESIGN_PREFIX}{turn.color.letter}"]
    if turn.after.mid_turn:
        notation = session.game.notation
        return [notation.format(turn.after, (move,)) for move in turn.moves]
    return session.texts(turn)


def is_link(text: str) -> bool:
    """Returns whether a text is a link to a game, with or without an address before the `#`."""
    return MARK in text and len(text.split()) == 1


def load_link(text: str) -> Session:
    """Returns the game of a link; programs may have escaped its separators. Raises RecordError."""
    try:
        return _game(text.strip().partition(MARK)[2].replace("%3B", ";").replace("%3b", ";"))
    except ValueError as error:
        raise RecordError(str(error)) from None


def _game(fragment: str) -> Session:
    parts = fragment.split(";")
    if len(parts) < 3:
        raise RecordError("expected a game, a size and moves, such as pinch;9x9;e5.c3")
    name, size, *options, moves = parts
    sides = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", size)
    if name not in GAMES or not sides:
        raise RecordError(f"expected a game and a size first, not {name[:20]!r} and {size[:20]!r}")
    given = dict(option.partition("=")[::2] for option in options)
    at = given.pop("at", "")
    game = GAMES[name]
    session = Session(game, int(sides[1]), int(sides[2]), **given)
    if at:
        start, history = load_position(unquote(at), session)
        session = Session.at(game, start, history)
    for number, word in enumerate(filter(None, moves.split(".")), 1):
        move = unquote(word)
        try:
            if move.startswith(RESIGN_PREFIX):
                session.resign(Color.read(move.removeprefix(RESIGN_PREFIX)))
            else:
                session.play(session.to_move, *session.parse(move))
        except ValueError as error:
            raise RecordError(f"move {number}, {move[:20]!r}: {error}") from None
    return session
