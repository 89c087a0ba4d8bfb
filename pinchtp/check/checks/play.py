"""Setting up a game, playing, undo, and genmove."""

from __future__ import annotations

from pinchtp.check.check import CheckFailed, CheckSkipped, check
from pinchtp.check.game import (
    QUICK_SIZES,
    TrialGame,
    compare,
    listed_moves,
    new_game,
    sizes_of,
    snapshot,
)
from pinchtp.check.probe import EngineProbe, check_that
from pinchtp.games import Color

COLOR_NAMES = {
    Color.BLACK: ("b", "B", "black", "BLACK", "Black"),
    Color.WHITE: ("w", "W", "white", "WHITE", "White"),
}
TWO_PASSES = ["pass", "pass"]  # end a game of Go
KOMIS = ("0", "375", "-7.5", "6.5")


@check(
    "G1",
    f"boardsize takes one of {', '.join(map(str, QUICK_SIZES))} or the game's own size, and "
    "clear_board works",
    "Every client starts a game with these two.",
)
def sets_up(probe: EngineProbe) -> str:
    tried = sizes_of(probe.facts.game, QUICK_SIZES)
    replies = {size: probe.ask(f"boardsize {size}") for size in tried}
    sizes = [str(size) for size, reply in replies.items() if reply.ok]
    check_that(sizes, f"the response to 'boardsize {tried[-1]}' is {replies[tried[-1]]}")
    reply = probe.ask("clear_board")
    check_that(reply.ok and not reply.text, f"the response to clear_board is {reply}")
    return f"takes {', '.join(sizes)}"


@check(
    "G2",
    "any komi is accepted",
    "Every engine gets one: an error voids the game in gomill and stops Sabaki.",
)
def komi(probe: EngineProbe) -> None:
    probe.require("komi")
    for komi in KOMIS:
        reply = probe.ask(f"komi {komi}")
        check_that(reply.ok, f"'komi {komi}' is rejected: {reply.text}")


@check(
    "G3",
    "legal moves of both colors are accepted",
    "Otherwise no game is possible. If the engine lists legal moves, those are tried.",
)
def legal_moves(probe: EngineProbe) -> None:
    game = TrialGame(probe)
    for _ in range(4):
        color = game.color
        if listed_moves(probe, color) is None:
            try:
                game.advance()
            except CheckSkipped as none:
                raise CheckFailed(str(none)) from None
        else:
            _play_listed(game, color)


def _play_listed(game: TrialGame, color: Color) -> None:
    moves = listed_moves(game.probe, color) or []
    points = [move for move in moves if move.lower() != "pass"]
    check_that(points, f"after {len(game.history)} moves no legal move is listed")
    move = points[len(points) // 2]
    reply = game.probe.ask(f"play {color.letter} {move}")
    check_that(reply.ok, f"'play {color.letter} {move}' is listed but rejected: {reply.text}")
    game.note(color, move)


@check(
    "G4",
    "colors and vertices are case-insensitive",
    "GoGui sends `B D4`, gomill `b D4`, scripts `black d4`.",
)
def letter_case(probe: EngineProbe) -> None:
    color, move = TrialGame(probe).advance()
    for spelling in COLOR_NAMES[color]:
        for vertex in (move.lower(), move.upper()):
            new_game(probe)
            line = f"play {spelling} {vertex}"
            reply = probe.ask(line)
            check_that(reply.ok, f"{line!r} is rejected: {reply.text}")


@check(
    "G5",
    "undo restores the previous position exactly",
    "GUIs navigate a game by undo and play, and show the engine's responses.",
)
def undo(probe: EngineProbe) -> None:
    probe.require("undo")
    game = TrialGame(probe)
    positions = [snapshot(probe)]
    for _ in range(4):
        game.advance()
        positions.append(snapshot(probe))
    for position in reversed(positions[:-1]):
        reply = probe.ask("undo")
        check_that(reply.ok, f"undo is rejected: {reply.text}")
        compare(position, snapshot(probe), "after undo")


@check(
    "G6",
    "genmove returns a point of the board, pass or resign, for either color",
    """Controllers accept no other moves, and only one word: otherwise gogui-twogtp ends the game,
    gomill forfeits it, and Sabaki records a pass.""",
)
def genmove(probe: EngineProbe) -> str:
    game = TrialGame(probe)
    moves = []
    for _ in range(4):
        color = game.color
        legal = listed_moves(probe, color)
        reply = probe.ask(f"genmove {color.letter}")
        check_that(reply.ok, f"'genmove {color.letter}' is rejected: {reply.text}")
        check_that(
            game.is_move(reply.text, legal), f"'genmove {color.letter}' returns {reply.text!r}"
        )
        moves.append(reply.text)
        if reply.text.lower() == "resign" or [move.lower() for move in moves[-2:]] == TWO_PASSES:
            break
        game.note(color, reply.text)
    return " ".join(moves)


@check(
    "G7",
    "genmove plays the move that it returns",
    "The opponent gets this move; if the engine plays another one, the two boards diverge.",
)
def makes_its_move(probe: EngineProbe) -> None:
    game = TrialGame(probe)
    color = game.color
    move = probe.ask_or_skip(f"genmove {color.letter}")
    if move.lower() in ("pass", "resign"):
        raise CheckSkipped(f"genmove returns {move}")
    own = snapshot(probe)
    new_game(probe)
    game.play(color, move)
    compare(snapshot(probe), own, f"after genmove returned {move}, unlike after play")


@check(
    "G8",
    "gogui-play_sequence has the same effect as its moves one by one",
    "GoGui uses it to send a whole game when the user jumps to a position.",
)
def play_sequence(probe: EngineProbe) -> None:
    probe.require("gogui-play_sequence")
    game = TrialGame(probe)
    game.advance(4)
    expected = snapshot(probe)
    new_game(probe)
    moves = " ".join(f"{color.letter} {move}" for color, move in game.history)
    reply = probe.ask(f"gogui-play_sequence {moves}")
    check_that(reply.ok, f"'gogui-play_sequence {moves}' is rejected: {reply.text}")
    compare(expected, snapshot(probe), "after gogui-play_sequence, unlike after play")


@check(
    "G9",
    "boardsize with two equal numbers sets a square board",
    "HexGui always sends two numbers, columns and rows.",
)
def two_numbers(probe: EngineProbe) -> None:
    size = probe.facts.size
    if not size:
        raise CheckSkipped("no usual size is accepted")
    new_game(probe)
    expected = snapshot(probe)
    reply = probe.ask(f"boardsize {size} {size}")
    if not reply.ok:
        raise CheckSkipped("accepts one number only, which is enough for square boards")
    probe.ask_or_skip("clear_board")
    compare(expected, snapshot(probe), f"after 'boardsize {size} {size}'")
