"""Round trips of random games of every game through records."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from games.test_bushka import during_capture
from record_games import read
from sgfmill import sgf

from pinchtp._core import PASS, SWAP
from pinchtp.games import GAMES, Color, GameType, Position
from pinchtp.games.session import Session
from pinchtp.records.sgf import to_sgf

NO_POINT = 255  # in Position.cells()
EACH = 40  # games
TRIES = 30


def name_of(game: GameType) -> str:
    return game.name


def board(game: GameType, rng: random.Random) -> tuple[int, int]:
    if game.smallest == game.largest:
        return game.size
    return rng.choice([(2, 2), (4, 3), (5, 5), (6, 9), (9, 9), (16, 4), (3, 20)])


def new_session(game: GameType, rng: random.Random) -> Session:
    width, height = board(game, rng)
    has_crosscut = "crosscut" in game.rules()
    crosscut = has_crosscut and max(width, height) > 3 and rng.random() < 0.3
    pie = game.swaps and rng.random() < 0.7
    session = Session(game, width, height, pie=pie, crosscut=crosscut)
    if rng.random() < 0.4:
        session.set_up(some_position(game, width, height, rng))
    return session


def some_position(game: GameType, width: int, height: int, rng: random.Random) -> Position:
    """A board of a random game in which some points were changed to anything they can be."""
    session = Session(game, width, height, pie=False)
    play_on(session, rng.randrange(width * height), rng)
    kinds = bytes(set(game.cells) - {NO_POINT})
    for _ in range(TRIES):
        cells = bytearray(session.start.cells() if session.is_over else session.position.cells())
        for at in rng.sample(range(len(cells)), rng.randint(0, len(cells) // 3)):
            cells[at] = NO_POINT if cells[at] == NO_POINT else rng.choice(kinds)
        swapped = game.sides and rng.random() < 0.5
        try:
            return game.set_up(
                width, height, bytes(cells), rng.choice(list(Color)), swapped=swapped
            )
        except ValueError:
            continue  # not a possible position
    return session.start


def play_on(session: Session, turns: int, rng: random.Random) -> None:
    """Plays up to this many random turns; swaps often, passes as often as any other move."""
    for _ in range(turns):
        if session.is_over:
            return
        parts: list[int] = []
        position = session.position
        while not parts or position.mid_turn:
            legal = position.legal_moves()
            parts.append(SWAP if SWAP in legal and rng.random() < 0.5 else rng.choice(legal))
            position = position.play(parts[-1])
        session.play(session.to_move, *parts)


def cells_met(session: Session) -> set[int]:
    """Returns the contents seen on points, at the start and after each step of a turn."""
    positions = [session.start, *(turn.position for turn in session.history)]
    return {cell for position in positions for cell in position.cells()}


def assert_round_trip(session: Session) -> None:
    game = session.game
    text = to_sgf(session, "2026-11-21")
    again = Session(game, *game.size, pie=game.swaps)
    read(text, game, pie=False).load_into(again)
    assert again.start == session.start, text
    assert again.start.cells() == session.start.cells()
    assert again.turns() == session.turns()
    assert (again.resigned, again.winner) == (session.resigned, session.winner)
    assert (again.position, again.to_move) == (session.position, session.to_move)
    assert to_sgf(again, "later") == text


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_random_games_are_read_back(game: GameType) -> None:
    rng = random.Random(game.name)
    met: Counter[str] = Counter()
    for number in range(EACH):
        session = new_session(game, rng)
        start = session.start
        size = start.width * start.height
        play_on(session, rng.choice([0, 1, 2, size // 3, 3 * size]), rng)
        if not session.is_over and number % 3 == 0:
            session.resign(rng.choice(list(Color)))
        for _ in range(rng.randrange(3) if session.is_over else 0):
            session.play(rng.choice(list(Color)), PASS)
        assert_round_trip(session)
        moves = {turn.move for turn in session.history}
        met["swaps"] += SWAP in moves
        met["crosscuts"] += start.options.get("crosscut", 0)
        met["resignations"] += session.resigned is not None
        met["results"] += session.position.result is not None
        met.update(f"cell {cell}" for cell in cells_met(session))
    expected = {"resignations", "results", *(f"cell {cell}" for cell in game.cells)}
    expected |= {"swaps"} if game.swaps else set()
    expected |= {"crosscuts"} if "crosscut" in game.rules() else set()
    assert set(+met) == expected


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.handicap], ids=name_of)
def test_handicaps_are_read_back(game: GameType) -> None:
    rng = random.Random(3)
    for number in range(10):
        session = Session(game, 9, 9, pie=False)
        cells = bytearray(81)
        for at in rng.sample(range(81), number):
            cells[at] = 1
        session.set_up(game.set_up(9, 9, bytes(cells), Color.WHITE))
        play_on(session, number, rng)
        assert_round_trip(session)
        assert sgf.Sgf_game.from_string(to_sgf(session)).get_handicap() == (
            number if number > 1 else None
        )


@pytest.mark.parametrize("game", GAMES.values(), ids=name_of)
def test_incomplete_turn_is_read_back(game: GameType) -> None:
    rng = random.Random(7)
    session = Session(game, *((5, 5) if game.smallest < game.largest else game.size))
    incomplete = 0
    while not session.is_over:
        session.play(session.to_move, rng.choice(session.position.legal_moves()))
        incomplete += session.position.mid_turn
        if game.notation.multi_part:  # random games of all others are read back above
            assert_round_trip(session)
    assert bool(incomplete) == game.notation.multi_part


def test_turns_of_bushka_are_written_as_they_are_published() -> None:
    for parts, move in (
        (("d5", "e4", "d3"), "B[eg]MV[d5e4x[d3,f4\\]];"),
        (("d5", "e4"), "B[]MV[d5,e4];PL[B]"),
    ):
        session = during_capture(*parts)
        assert f";{move}" in to_sgf(session)
        assert_round_trip(session)


def test_steps_of_bushka_use_its_square_names() -> None:
    """GTP's J6 is i6, but there is a j6 as well."""
    game = GAMES["bushka"]
    session = Session(game, *game.size, pie=False)
    for origin in session.position.legal_moves():
        session.play(Color.WHITE, origin)
        assert_round_trip(session)
        session.undo()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_last_turn_is_the_last_of_all_turns(game: GameType) -> None:
    """Resignations and passes after the end are skipped."""
    rng = random.Random(game.name)
    for number in range(EACH):
        session = new_session(game, rng)
        play_on(session, number, rng)
        if not session.is_over and number % 3 == 0:
            session.resign(rng.choice(list(Color)))
        for _ in range(rng.randrange(3) if session.is_over else 0):
            session.play(rng.choice(list(Color)), PASS)
        made = [turn for turn in session.turns() if turn.moves and not turn.after_end]
        assert session.last_turn == (made[-1] if made else None)
