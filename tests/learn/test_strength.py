"""Levels of play: increasing strength, effect on moves, and full-strength analysis."""

import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from boards import pinch
from clients import FOLDER

from pinchtp.games import GAMES, PIE, Color
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.server import Server
from pinchtp.player import network
from pinchtp.player.levels import LEVELS
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings
from pinchtp.report.playing import play_game

if not (FOLDER.parent / "tools" / "lab" / "strength").is_dir():
    pytest.skip("tools/ is missing", allow_module_level=True)

import tune
from strength import calibration, levels, storage, swap
from strength.calibration import Floats, reliability, self_play_winrates, tables
from strength.levels import Mover, against_greed, new_session, other_table, ratings, table

FULL = len(LEVELS)


def player(level: int, **settings: object) -> Player:
    return Player(Settings(level=level, memory=32, **settings))  # type: ignore[arg-type]


def turn(player: Player, session: Session) -> tuple[int, ...]:
    report = player.search_at_level(session, Limits())
    return player.complete_turn(session, player.choose(session, report), report.visits)


def points(strong: Player, weak: Player, games: int) -> int:
    """Returns the number of games that the first player wins on 7x7, with both colors in turn."""
    won = 0
    for number in range(games):
        session = pinch(7, 7, pie=False)
        color = Color(number % 2)
        strong.forget(number)
        weak.forget(number)
        while not session.is_over:
            session.play(
                session.to_move, *turn(strong if session.to_move == color else weak, session)
            )
        won += session.winner == color
    return won


def test_level_table_increases() -> None:
    for low, high in pairwise(LEVELS):
        assert low.visits <= high.visits
        assert low.playouts < high.playouts
        assert low.temperature >= high.temperature
        assert low.elo < high.elo
        assert high.threats or not low.threats
    assert [level.is_full_strength for level in LEVELS] == [False] * (FULL - 1) + [True]


def test_first_level_loses_to_greedy_player() -> None:
    assert against_greed(GAMES["pinch"], 10) <= 1


def test_neighboring_seeds_are_independent() -> None:
    """Users choose --seed 1 and --seed 2. The second won 34 of 40 of these games while its random
    numbers of each turn were those of the first one's next turn.
    """
    game = GAMES["pinch-relocate"]
    won = 0
    for number in range(40):
        color = Color(number % 2)
        players = {color: Mover(1, 1, 2 * number), color.opponent: Mover(1, 1, 2 * number + 1)}
        won += play_game(new_session(game, 9), players)["winner"] == color
    assert 10 < won < 30


def test_level_ratings_match_measurement() -> None:
    measured = ratings(storage.load("levels")["pinch"])
    for number, level in enumerate(LEVELS, 1):
        if number in measured:
            assert level.elo == round(measured[number])


def test_level_tables_are_current() -> None:
    shown = storage.README.read_text("utf-8")
    figures = storage.load("levels")
    tables = {"levels": table(figures["pinch"]), "other levels": other_table(figures)}
    for part, text in tables.items():
        assert storage.replace_table(shown, part, text) == shown, "run the tool with --table"


@pytest.mark.parametrize(("high", "low"), [(6, 1), (11, 6), (14, 11)])
def test_higher_level_wins(high: int, low: int) -> None:
    assert points(player(high), player(low), 100) >= 65


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", [1, 12])
def test_levels_play_complete_games(game: str, level: int) -> None:
    chosen = GAMES[game]
    size = max(chosen.smallest, 5)
    session = Session(chosen, size, size)
    mover = player(level, seed=1)
    for _ in range(12):
        if not session.is_over:
            session.play(session.to_move, *turn(mover, session))
    assert session.moves


def test_seed_determines_moves() -> None:
    def moves(seed: int) -> tuple[int, ...]:
        session = pinch(9, 9, pie=False)
        mover = player(3, seed=seed)
        for _ in range(8):
            session.play(session.to_move, *turn(mover, session))
        return session.moves

    assert moves(1) == moves(1)
    assert len({moves(seed) for seed in range(5)}) == 5


def test_only_low_levels_overlook_wins() -> None:
    session = pinch(5, 5, "A1 B1 A2 B2 A3 B3 A4 B4", pie=False)
    win = parse_move("A5", session.position)
    novice = player(1)
    chosen = set()
    for seed in range(30):
        novice.forget(seed)
        chosen.add(turn(novice, session)[0])
    assert len(chosen) > 3
    for level in (12, FULL):
        assert turn(player(level), session) == (win,)


def test_lower_level_ignores_existing_tree() -> None:
    session = pinch(9, 9, pie=False)
    mover = player(1, seed=1)
    assert mover.search(session, Limits(visits=500)).visits >= 500
    report = mover.search_at_level(session, Limits())
    assert report.visits == 1
    mover.ponder(session)
    assert mover.search(session, Limits(visits=1)).visits == 500  # nothing was added


def test_smaller_visit_limit_overrides_level() -> None:
    report = player(FULL - 1).search_at_level(pinch(9, 9, pie=False), Limits(visits=20))
    assert report.visits == 20


def test_lower_levels_ignore_search_setting() -> None:
    """They search with the network in any case: seen with uct, which has no calibration."""

    def shown(search: str) -> list[float]:
        report = player(15, seed=1, search=search).search_at_level(
            pinch(9, 9, "c3", pie=False), Limits()
        )
        return [choice.winrate for choice in report.choices]

    assert shown("uct") == shown("auto")


def test_levels_without_network_use_playouts() -> None:
    report = player(3, network="none").search_at_level(pinch(9, 9, pie=False), Limits())
    assert report.visits == LEVELS[2].playouts


def test_level_changes_moves_but_not_analysis() -> None:
    server = Server(GtpEngine(Settings(size=(7, 7), rules={PIE.name: False}, visits=300, seed=1)))

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


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        (calibration, "chess", "argument GAME: 'chess': give one of pinch, "),
        (calibration, "--games 0", "argument --games: '0': give an integer from 1 to "),
        (levels, "--games 1", "argument --games: '1': give an integer from 2 to "),
        (levels, "--levels 5", "'5': give a first and a last level from 1 to 20, such as 1-11"),
        (levels, "--levels 3-21", "'3-21': give a first and a last level"),
        (levels, "--levels 7-3", "'7-3': give a first and a last level"),
        (swap, "--game bushka", "argument --game: invalid choice: 'bushka'"),
        (swap, "--size 26", "argument --size: '26': give an integer from 2 to 25"),
        (tune, "cpuctt=1 cpuct=1", "unknown search option: cpuctt"),
        (tune, "cpuct=1 cpuct=1 --network none.network", "none.network cannot be read"),
    ],
)
def test_wrong_arguments_measure_nothing(
    tool: ModuleType,
    arguments: str,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", [tool.__name__, *arguments.split()])
    with pytest.raises(SystemExit) as ended:
        tool.main()
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_calibration_without_names_is_of_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(storage, "show", lambda name, text: shown.append(text))
    monkeypatch.setattr(sys, "argv", ["calibration", "--table"])
    calibration.main()
    assert shown == [calibration.tables(storage.load("calibration"))]


def test_every_packaged_network_is_corrected() -> None:
    boards = calibration.group_by_network(calibration.BOARDS)
    assert boards.keys() == {path.resolve() for path in network.all_packaged()}


def test_installed_networks_are_not_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = tmp_path / "pinch.network"
    monkeypatch.setattr(network, "find_packaged", lambda *_: installed)
    monkeypatch.setattr(sys, "argv", ["calibration", "pinch", "--correct"])
    with pytest.raises(SystemExit):
        calibration.main()
    assert f"argument --correct: {installed} is an installed copy: " in capsys.readouterr().err


def calibrated_games(slope: float) -> list[tuple[Floats, Floats]]:
    """Returns winrates of 300 games of ten positions, and results with this slope."""
    rng = np.random.default_rng(1)
    said = rng.uniform(0.05, 0.95, (300, 10))
    chance = 1 / (1 + ((1 - said) / said) ** slope)
    return list(zip(said, (rng.random(said.shape) < chance).astype(float), strict=True))


@pytest.mark.parametrize("slope", [0.5, 1, 2])
def test_reliability_finds_slope(slope: float) -> None:
    found = reliability(calibrated_games(slope))
    estimate, low, high = found["slope"]
    assert low <= slope <= high
    assert estimate == pytest.approx(slope, rel=0.1)
    within = [row[3] <= row[1] <= row[4] for row in found["bins"]]
    assert (sum(within) >= 8) == (slope == 1)
    assert found["brier"] < found["base"] == 0.25


def test_winrates_are_those_of_the_mover() -> None:
    """The winner's winrate is high in the last position, and the opponent's low before it."""
    said, done = self_play_winrates("capture-go", 5, 50, 1)
    assert len(said) == len(done) > 4
    assert set(done) == {0.0, 1.0}
    assert done[-1] == 1
    assert said[-1] > 0.9
    assert all(a != b for a, b in pairwise(done))


def test_calibration_tables_are_current() -> None:
    document = storage.README.read_text("utf-8")
    figures = storage.load("calibration")
    assert storage.replace_table(document, "calibration", tables(figures)) == document
    for name, found in figures.items():
        assert f"{name}, {found['games']} games" in document


@pytest.mark.parametrize("game", ["pinch", "pinch-relocate"])
def test_swap_map_equals_command_output(game: str) -> None:
    rows = swap.swap_map(game, 3, 20)
    server = Server(GtpEngine(Settings(game=game, size=(3, 3), memory=swap.MEMORY, seed=1)))
    lines = str(server.execute("pinchtp-swap_map", "20")).splitlines()
    labels = [line.split()[1:] for line in lines if line.startswith("LABEL")]
    shown = {
        point: int(label)
        for line in labels
        for point, label in zip(line[::2], line[1::2], strict=True)
    }
    points = [[f"{column}{row}" for column in "ABC"] for row in (3, 2, 1)]
    assert rows == [[shown[point] for point in each] for each in points]


def test_pie_rule_games_are_counted() -> None:
    found = swap.play_games("pinch", 4, 6, 30)
    assert sum(found["openings"].values()) == found["games"] == 6
    assert 0 <= found["won"] <= 6
    assert 0 <= found["swaps"] <= 6


def test_swap_map_without_games() -> None:
    found = {"map": [[40, 50], [60, 9]], **swap.play_games("pinch", 2, 0, 30)}
    assert swap.tables({"pinch 2x2": found}) == (
        "pinch 2x2:\n\n```\n    A  B\n 2 40 50\n 1 60  9\n```\n"
    )


def test_swap_maps_are_current() -> None:
    document = storage.README.read_text("utf-8")
    assert storage.replace_table(document, "swap", swap.tables(storage.load("swap"))) == document
