"""Round trips of random games of every game through records."""

import random
from collections import Counter

import pytest
from games.test_bushka import during_capture
from record_games import assert_read_back, play_randomly, random_session
from sgfmill import sgf

from pinchtp._core import SWAP
from pinchtp.games import GAMES, Color, GameType
from pinchtp.games.session import Session
from pinchtp.records.sgf import to_sgf

EACH = 40  # games


def name_of(game: GameType) -> str:
    return game.name


def cells_met(session: Session) -> set[int]:
    """Returns the contents seen on points, at the start and after each step of a turn."""
    positions = [session.start, *(turn.position for turn in session.history)]
    return {cell for position in positions for cell in position.cells()}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_random_games_are_read_back(game: GameType) -> None:
    rng = random.Random(game.name)
    met: Counter[str] = Counter()
    for _ in range(EACH):
        session = random_session(game, rng)
        assert_read_back(session)
        made = [turn for turn in session.turns() if turn.moves and not turn.after_end]
        assert session.last_turn == (made[-1] if made else None)
        met["swaps"] += SWAP in session.moves
        met["crosscuts"] += session.start.options.get("crosscut", 0)
        met["resignations"] += session.resigned is not None
        met["results"] += session.position.result is not None
        met["incomplete turns"] += session.position.mid_turn
        met.update(f"cell {cell}" for cell in cells_met(session))
    expected = {"resignations", "results", *(f"cell {cell}" for cell in game.cells)}
    expected |= {"swaps"} if game.swaps else set()
    expected |= {"crosscuts"} if "crosscut" in game.rules() else set()
    expected |= {"incomplete turns"} if game.notation.multi_part else set()
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
        play_randomly(session, number, rng)
        assert_read_back(session)
        text = to_sgf(session)
        assert f"GM[{game.sgf_number}]" in text
        assert sgf.Sgf_game.from_string(text).get_handicap() == (number if number > 1 else None)


@pytest.mark.parametrize("game", GAMES.values(), ids=name_of)
def test_incomplete_turn_is_read_back(game: GameType) -> None:
    rng = random.Random(7)
    session = Session(game, *((5, 5) if game.smallest < game.largest else game.size))
    incomplete = 0
    while not session.is_over:
        session.play(session.to_move, rng.choice(session.position.legal_moves()))
        incomplete += session.position.mid_turn
        if game.notation.multi_part:  # random games of all others are read back above
            assert_read_back(session)
    assert bool(incomplete) == game.notation.multi_part


def test_turns_of_bushka_are_written_as_they_are_published() -> None:
    for parts, move in (
        (("d5", "e4", "d3"), "B[eg]MV[d5e4x[d3,f4\\]];"),
        (("d5", "e4"), "B[]MV[d5,e4];PL[B]"),
    ):
        session = during_capture(*parts)
        assert f";{move}" in to_sgf(session)
        assert_read_back(session)


def test_steps_of_bushka_use_its_square_names() -> None:
    """GTP's J6 is i6, but there is a j6 as well."""
    game = GAMES["bushka"]
    session = Session(game, *game.size, pie=False)
    for origin in session.position.legal_moves():
        session.play(Color.WHITE, origin)
        assert_read_back(session)
        session.undo()
