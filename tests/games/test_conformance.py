"""Properties of every registered game; a new game is included by its registration."""

import random
from collections.abc import Iterator
from functools import reduce
from itertools import islice

import numpy as np
import pytest

from pinchtp import _core
from pinchtp.games import GAMES, GameType, Position
from pinchtp.games.notation import NotationError, format_move, whole_turns
from pinchtp.games.session import CannotUndo, IllegalMove, Session

SIZES = [(2, 2), (3, 5), (9, 9), (13, 13), (14, 15), (25, 25)]
ALL_CODES = range(32 * 32 + 4)


@pytest.fixture(params=GAMES.values(), ids=GAMES.keys())
def game(request: pytest.FixtureRequest) -> GameType:
    return request.param


def boards() -> Iterator[tuple[str, int, int]]:
    """Yields every game on boards of each of its layouts."""
    for game in GAMES.values():
        for width, height in SIZES if game.smallest < game.largest else [game.size]:
            yield game.name, width, height


@pytest.fixture(params=boards(), ids=lambda board: "{}-{}x{}".format(*board))
def start(request: pytest.FixtureRequest) -> Position:
    name, width, height = request.param
    return GAMES[name].start(width, height)


def small(game: GameType) -> Position:
    """Returns the start on a small board, if the game has one."""
    size = (6, 5) if game.smallest < game.largest else game.size
    return game.start(*size)


def random_game(start: Position, seed: int = 1, most: int = 10_000) -> Iterator[Position]:
    """Yields the positions of a random game, including the start and the final one."""
    rng = random.Random(seed)
    position = start
    yield position
    while position.result is None and most > 0:
        position = position.play(rng.choice(position.legal_moves()))
        most -= 1
        yield position


def sampled(start: Position) -> list[Position]:
    """Returns about ten positions spread over a random game, including the final one."""
    positions = list(random_game(start))
    return positions[:: max(1, len(positions) // 10)] + positions[-1:]


def test_legal_moves_are_playable(start: Position) -> None:
    for position in sampled(start):
        moves = position.legal_moves()
        assert len(set(moves)) == len(moves)
        assert {code for code in ALL_CODES if position.is_legal(code)} == set(moves)


def test_finished_game_rejects_moves(start: Position) -> None:
    *_, last = random_game(start)
    assert last.result is not None
    assert last.legal_moves() == []
    assert not any(last.is_legal(code) for code in ALL_CODES)


def some_turns(position: Position) -> list[tuple[int, ...]]:
    """Returns complete moves from a position, or their remaining steps; at most a sample."""
    firsts = position.legal_moves()
    rng = random.Random(len(firsts))
    turns = [turn for turn, _ in islice(whole_turns(position), 300)]
    for move in firsts:
        turn = [move]
        after = position.play(move)
        while after.mid_turn:
            turn.append(rng.choice(after.legal_moves()))
            after = after.play(turn[-1])
        turns.append(tuple(turn))
    return turns


def test_text_round_trips(start: Position) -> None:
    notation = GAMES[start.game].notation
    for position in sampled(start):
        if position.mid_turn:
            continue  # incomplete turns are written by points: see the next test
        for turn in some_turns(position):
            text = notation.format(position, turn)
            assert notation.parse(text, position) == turn
            assert notation.parse(text.lower(), position) == turn


def test_steps_round_trip(start: Position) -> None:
    notation = GAMES[start.game].notation
    for position in sampled(start):
        for move in position.legal_moves():
            assert notation.parse(format_move(move), position) == (move,)


def test_turn_equals_its_steps(game: GameType) -> None:
    rng = random.Random(3)
    position = small(game)
    for _ in range(40):
        session = Session(game, position.width, position.height)
        session.set_up(position)
        if session.is_over or position.mid_turn:
            break
        turn = rng.choice(some_turns(position))
        session.play(session.to_move, *turn)
        after = position
        for move in turn:
            after = after.play(move)
        assert session.position == after
        assert not after.mid_turn
        assert session.turns()[0].moves == turn
        session.undo()
        assert session.history == []
        position = after


@pytest.mark.parametrize("text", ["", "a0", "e", "5", "5e", "e5e", "e-5", "é5", "e100", "xx"])
def test_invalid_text_is_rejected(game: GameType, text: str) -> None:
    with pytest.raises(NotationError):
        game.notation.parse(text, game.start(*game.size))


def test_undo_restores_every_position(game: GameType) -> None:
    start = small(game)
    session = Session(game, start.width, start.height)
    rng = random.Random(2)
    seen = [session.position]
    while not session.is_over:
        session.play(session.to_move, rng.choice(session.position.legal_moves()))
        seen.append(session.position)
    for position in reversed(seen[:-1]):
        session.undo()
        assert session.position == position
        assert np.array_equal(session.position.board, position.board)
        assert session.to_move == position.to_move
    with pytest.raises(CannotUndo):
        session.undo()


def test_moves_are_deterministic(start: Position) -> None:
    for position in sampled(start):
        for move in position.legal_moves()[:5]:
            assert position.play(move) == position.play(move)
            assert position.play(move) != position


def test_playouts_end_by_the_rules(start: Position) -> None:
    rows = start.playouts(200, seed=1)
    assert rows.shape == (200, 4)
    assert np.isin(rows[:, 2], (0, 1, 2)).all()


def test_search_plays_legal_games_and_shows_legal_lines(game: GameType) -> None:
    position = small(game)
    search = _core.Search(position, memory_mb=1)
    while position.result is None:
        search.run(float("inf"), search.report().visits + 200, 1, 1)
        choices = search.report().choices
        for choice in choices:
            reduce(Position.play, choice.line, position)
        move = choices[0].move
        position = position.play(move)
        search.advance(move)


def test_illegal_moves_change_nothing(game: GameType) -> None:
    start = small(game)
    session = Session(game, start.width, start.height)
    legal = session.position.legal_moves()
    session.play(session.to_move, legal[len(legal) // 2])
    before = (session.position, list(session.history))
    for move in ALL_CODES:
        for color in (session.to_move, session.to_move.opponent):
            if color != session.to_move or not session.position.is_legal(move):
                with pytest.raises(IllegalMove):
                    session.play(color, move)
    assert (session.position, session.history) == before
