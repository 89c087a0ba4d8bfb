"""Texts of a game at a terminal, and their colors."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from pinchtp._core import SWAP, Report
from pinchtp.games import Color
from pinchtp.games.notation import RESIGN, format_move
from pinchtp.games.winrate import EVEN
from pinchtp.play.game import HumanGame
from pinchtp.render.text import diagram_lines, status_lines
from pinchtp.review.review import ReviewedMove

# Styles of symbols in the rows of a diagram. Cyan and red are distinct on light and dark
# backgrounds, and for color-blind players.
STYLES = {
    r"[XB%]": "bold cyan",
    r"[OW@]": "bold red",
    r"x": "cyan",
    r"o": "red",
    r"\*": "bold yellow",
    r"[()]": "bold",
}


def board(game: HumanGame) -> Text:
    """Returns the board and the state of the game."""
    letters, *rows, last = diagram_lines(game.session)
    drawn = [Text(row) for row in rows]
    for row in drawn:
        for symbols, style in STYLES.items():
            row.highlight_regex(symbols, style)
    return Text("\n").join([Text(letters), *drawn, Text(last), *map(Text, _status(game))])


def _status(game: HumanGame) -> list[str]:
    """Returns the lines below the board. The line about the players appears only after a swap."""
    first, players, *rest = status_lines(game.session)
    return [first, *[players] * game.session.position.swapped, *rest]


def opening(game: HumanGame) -> str:
    """Returns the lines before the first board."""
    session = game.session
    human = game.human
    level = game.engine.settings.level
    _, players, *_ = status_lines(session)
    title = f"{session.game.title} {session.position.width}x{session.position.height}"
    return (
        f"{title}. You are {human.title}, the engine is {human.opponent.title} (level {level}).\n"
        f"{players}.\n"
        f"Type a move such as {_example(game)}, or ? for the commands."
    )


def _example(game: HumanGame) -> str:
    """Returns a legal move."""
    session = game.session
    moves = session.position.legal_moves()
    text = session.line_texts(moves[len(moves) // 2 :][:1])[0][1]
    return text.lower()


def reply(color: Color, text: str) -> str:
    """Returns a sentence about the engine's move."""
    action = {format_move(SWAP): "swaps", RESIGN: "resigns"}.get(text, f"plays {text}")
    return f"{color.title} {action}."


def prompt(game: HumanGame) -> str:
    """Returns the prompt for the player's next move."""
    turn = game.session.last_turn
    if game.session.position.mid_turn and turn is not None:
        return f"{game.human.title}, step {len(turn.moves) + 1}> "
    return "> " if game.session.is_over else f"{game.human.title}> "


def hint(game: HumanGame, report: Report) -> str:
    """Returns the engine's choice with its winrate and principal variation."""
    moves = line(game.session.line_texts(report.choices[0].line))
    if report.winrate is None:
        return moves
    return f"{moves} ({100 * report.winrate:.0f} % for {game.session.to_move})"


def turning_point(move: ReviewedMove) -> str:
    """Returns a sentence about the move that lost a game."""
    is_turn = move.before.winrate >= EVEN
    what = "The game turned with" if is_turn else "Your biggest mistake was"
    return (
        f"{what} move {move.number}, {move.text}: your winrate fell from "
        f"{100 * move.before.winrate:.0f} to {100 * move.winrate:.0f} %.\n"
        f"Better: {line(move.better[:MOST_SHOWN])}"
    )


MOST_SHOWN = 6  # maximum turns of a variation


def line(turns: Sequence[tuple[Color, str]]) -> str:
    """Returns the turns of a variation in one line."""
    return " ".join(text for _, text in turns)
