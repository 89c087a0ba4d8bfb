"""Levels of play: a table that rises, moves of that strength, and what stays at full strength."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from clients import FOLDER

from pinchtp.games import GAMES, PIE, Color
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.gtp.engine import Engine
from pinchtp.gtp.server import Server
from pinchtp.player.levels import LEVELS
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings
from pinchtp.report.playing import play_game

if not (FOLDER.parent / "tools" / "strength").is_dir():
    pytest.skip("the tools are not here", allow_module_level=True)

from strength import kept, swap
from strength.calibration import Floats, reliability, said_and_done, tables
from strength.levels import Mover, against_greed, new_session, other_table, ratings, table

FULL = len(LEVELS)


def player(level: int, **settings: object) -> Player:
    return Player(Settings(level=level, memory=32, **settings))  # type: ignore[arg-type]


def turn(player: Player, session: Session) -> tuple[int, ...]:
    report = player.search_at_level(session, Limits())
    return player.complete_turn(session, player.choose(session, report), report.visits)


def pinch(size: int, *moves: str) -> Session:
    session = Session(GAMES["pinch"], size, size, pie=False)
    for text in moves:
        session.play(session.to_move, *session.parse(text))
    return session


def points(strong: Player, weak: Player, games: int) -> int:
    """How many games the first one wins on 7x7, with both colors in turn."""
    won = 0
    for number in range(games):
        session, color = pinch(7), Color(number % 2)
        strong.forget(number)
        weak.forget(number)
        while not session.is_over:
            session.play(
                session.to_move, *turn(strong if session.to_move == color else weak, session)
            )
        won += session.winner == color
    return won


def test_the_table_rises() -> None:
    for low, high in pairwise(LEVELS):
        assert low.visits <= high.visits
        assert low.playouts < high.playouts
        assert low.temperature >= high.temperature
        assert low.elo < high.elo
        assert high.threats or not low.threats
    assert [level.is_full_strength for level in LEVELS] == [False] * (FULL - 1) + [True]


def test_a_beginner_loses_to_one_who_sees_captures() -> None:
    assert against_greed(GAMES["pinch"], 10) <= 1


def test_players_with_neighboring_seeds_draw_apart() -> None:
    """As people number them: --seed 1 and --seed 2. The second won 34 of 40 of these games while it
    drew in each turn by the numbers of the first one's next.
    """
    game, won = GAMES["pinch-relocate"], 0
    for number in range(40):
        color = Color(number % 2)
        players = {color: Mover(1, 1, 2 * number), color.opponent: Mover(1, 1, 2 * number + 1)}
        won += play_game(new_session(game, 9), players)["winner"] == color
    assert 10 < won < 30


def test_the_levels_are_rated_as_measured() -> None:
    measured = ratings(kept.load("levels")["pinch"])
    for number, level in enumerate(LEVELS, 1):
        if number in measured:
            assert level.elo == round(measured[number])


def test_the_table_is_that_of_the_figures() -> None:
    shown = kept.README.read_text("utf-8")
    figures = kept.load("levels")
    tables = {"levels": table(figures["pinch"]), "other levels": other_table(figures)}
    for part, text in tables.items():
        assert kept.rewritten(shown, part, text) == shown, "run the tool with --table"


@pytest.mark.parametrize(("high", "low"), [(6, 1), (11, 6), (14, 11)])
def test_a_higher_level_wins(high: int, low: int) -> None:
    assert points(player(high), player(low), 10) >= 7


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", [1, 12])
def test_levels_play_whole_games(game: str, level: int) -> None:
    chosen = GAMES[game]
    size = max(chosen.smallest, 5)
    session = Session(chosen, size, size)
    mover = player(level, seed=1)
    for _ in range(12):
        if not session.is_over:
            session.play(session.to_move, *turn(mover, session))
    assert session.moves


def test_a_seed_gives_the_same_moves_and_others_do_not() -> None:
    def moves(seed: int) -> tuple[int, ...]:
        session, mover = pinch(9), player(3, seed=seed)
        for _ in range(8):
            session.play(session.to_move, *turn(mover, session))
        return session.moves

    assert moves(1) == moves(1)
    assert len({moves(seed) for seed in range(5)}) == 5


def test_a_beginner_overlooks_a_win_and_an_expert_does_not() -> None:
    session = pinch(5, "A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4")
    win = parse_move("A5", session.position)
    novice = player(1)
    chosen = set()
    for seed in range(30):
        novice.forget(seed)
        chosen.add(turn(novice, session)[0])
    assert len(chosen) > 3
    for level in (12, FULL):
        assert turn(player(level), session) == (win,)


def test_what_was_found_before_does_not_help_a_lower_level() -> None:
    session, mover = pinch(9), player(1, seed=1)
    assert mover.search(session, Limits(visits=500)).visits >= 500
    report = mover.search_at_level(session, Limits())
    assert report.visits == 1
    mover.ponder(session)
    assert mover.search(session, Limits(visits=1)).visits == 500  # nothing was added meanwhile


def test_fewer_visits_than_those_of_the_level_count() -> None:
    report = player(FULL - 1).search_at_level(pinch(9), Limits(visits=20))
    assert report.visits == 20


def test_lower_levels_show_the_same_win_rates_whichever_search_is_set() -> None:
    """They search with the network either way: seen with uct, which has no calibration."""

    def shown(search: str) -> list[float]:
        report = player(15, seed=1, search=search).search_at_level(pinch(9, "c3"), Limits())
        return [choice.winrate for choice in report.choices]

    assert shown("uct") == shown("auto")


def test_games_without_a_network_have_levels_by_playouts() -> None:
    report = player(3, network="none").search_at_level(pinch(9), Limits())
    assert report.visits == LEVELS[2].playouts


def test_the_parameter_changes_moves_and_not_the_analysis() -> None:
    server = Server(Engine(Settings(size=(7, 7), rules={PIE.name: False}, visits=300, seed=1)))

    def ask(command: str) -> str:
        return str(server.answer(command)).removesuffix("\n\n")

    strong = {ask("reg_genmove b") for _ in range(3)}
    assert len(strong) == 1
    assert ask("pinchtp-param level 1") == "= "
    assert ask("pinchtp-param level") == "= 1"
    assert ask("pinchtp-connection").startswith("= black")
    most = max(
        int(line.split()[-1]) for line in ask("pinchtp-visits").split("\n") if "LABEL" in line
    )
    assert most > 10
    drawn = []
    for seed in range(6):
        assert ask(f"pinchtp-param seed {seed}") == "= "
        ask("clear_board")
        drawn.append(ask("genmove b"))
    assert len(set(drawn)) > 3
    assert ask("pinchtp-param level 21").startswith("? level:")


def games_that_come_true(slope: float) -> list[tuple[Floats, Floats]]:
    """Of 300 games of ten positions: what was said, and results by the slope times that."""
    rng = np.random.default_rng(1)
    said = rng.uniform(0.05, 0.95, (300, 10))
    chance = 1 / (1 + ((1 - said) / said) ** slope)
    return list(zip(said, (rng.random(said.shape) < chance).astype(float), strict=True))


@pytest.mark.parametrize("slope", [0.5, 1, 2])
def test_the_slope_tells_how_far_shown_rates_are_from_what_comes_true(slope: float) -> None:
    found = reliability(games_that_come_true(slope))
    estimate, low, high = found["slope"]
    assert low <= slope <= high
    assert estimate == pytest.approx(slope, rel=0.1)
    within = [row[3] <= row[1] <= row[4] for row in found["bins"]]
    assert (sum(within) >= 8) == (slope == 1)
    assert found["brier"] < found["base"] == 0.25


def test_chances_and_results_are_those_of_the_player_to_move() -> None:
    """Who won said so in the last position, and the other player the opposite before it."""
    said, done = said_and_done("capture-go", 5, 50, 1)
    assert len(said) == len(done) > 4
    assert set(done) == {0.0, 1.0}
    assert done[-1] == 1
    assert said[-1] > 0.9
    assert all(a != b for a, b in pairwise(done))


def test_the_tables_of_win_rates_are_those_of_the_kept_figures() -> None:
    document = kept.README.read_text("utf-8")
    figures = kept.load("calibration")
    assert kept.rewritten(document, "calibration", tables(figures)) == document
    for name, found in figures.items():
        assert f"{name}, {found['games']} games" in document


def test_a_swap_map_is_what_the_command_shows() -> None:
    rows = swap.swap_map(3, 20)
    server = Server(Engine(Settings(size=(3, 3), memory=swap.MEMORY, seed=1)))
    lines = str(server.execute("pinchtp-swap_map", "20")).splitlines()
    labels = [line.split()[1:] for line in lines if line.startswith("LABEL")]
    shown = {
        point: int(label)
        for line in labels
        for point, label in zip(line[::2], line[1::2], strict=True)
    }
    points = [[f"{column}{row}" for column in "ABC"] for row in (3, 2, 1)]
    assert rows == [[shown[point] for point in each] for each in points]


def test_games_by_the_pie_rule_are_counted() -> None:
    found = swap.played(4, 6, 30)
    assert sum(found["openings"].values()) == found["games"] == 6
    assert 0 <= found["won"] <= 6
    assert 0 <= found["swaps"] <= 6


def test_the_swap_maps_are_those_of_the_kept_figures() -> None:
    document = kept.README.read_text("utf-8")
    assert kept.rewritten(document, "swap", swap.tables(kept.load("swap"))) == document
