"""Units, first moves, the implementation, mirrors and proofs."""

import shutil
import subprocess

import pytest
from experiments import ALL_GAMES, measured

from pinchtp.games import PIE, Color
from pinchtp.games.notation import point
from pinchtp.report.experiment import Measurements, WorkUnit, work
from pinchtp.report.implementation import CORE, sizes
from pinchtp.report.playing import RandomMover, never, play_game
from pinchtp.report.report import EXPERIMENTS, SECTIONS
from pinchtp.report.sections.balance import first_moves
from pinchtp.report.sections.mirrors import MirrorsExperiment, strategies
from pinchtp.report.sections.solved import SolvedExperiment
from pinchtp.report.subject import ReportSubject


def test_sample_game_of_drama_is_named_by_number() -> None:
    """The second game may be measured before the first."""
    subject = ReportSubject.of("pinch", (3, 3))
    measurements = Measurements(subject)
    players = dict.fromkeys(Color, RandomMover(1))
    for number in (1, 0):
        measurements.add("games", number, play_game(subject.session(), players), 1.0)
        summary = SECTIONS["samples"].summarize(measurements)
        assert summary is not None
        names = [game["name"] for game in summary.data["games"]]
        assert ("the sample game of the section Drama" in names[0]) == (number == 0)


@pytest.mark.parametrize(
    "name", [name for name in EXPERIMENTS if name not in ("rates", "positions", "solved")]
)
def test_unit_repeated_gives_the_same_data(name: str) -> None:
    """A repetition has the same result."""
    experiment = EXPERIMENTS[name]
    subject = ReportSubject.of("pinch", (4, 4), visits=20)
    measurements = Measurements(subject)
    if name == "sample":
        game = work(EXPERIMENTS["games"], subject, WorkUnit("games", 0), never).data
        measurements.add("games", 0, game, 1.0)
    unit = experiment.next(measurements, ())
    assert unit is not None
    one, two = (work(experiment, subject, unit, never) for _ in range(2))
    assert one.is_done, one.failure
    assert one.data == two.data


def test_first_moves_are_grouped_by_symmetry() -> None:
    groups = first_moves(ReportSubject.of("pinch", (3, 3)))
    assert sorted(len(each) for each in groups.values()) == [1, 2, 2, 4]
    assert sum(map(len, groups.values())) == 9


@ALL_GAMES
def test_implementation_size_matches_the_compiler(game: str) -> None:
    """Counts the headers of games and their playouts; GCC lists the included files."""
    compiler = shutil.which("g++")
    if compiler is None or not CORE.is_dir():
        pytest.skip("there is no compiler, or there are no sources")
    header = f"{game.replace('-', '_')}.hpp"
    rules = CORE / "games"
    playouts = CORE / "evaluation" / "playouts"
    listed = subprocess.run(
        [compiler, "-std=c++20", "-MM", "-x", "c++", f"-I{CORE}", "-"],
        input=f'#include "games/{header}"\n#include "evaluation/playouts/{header}"\n',
        check=True,
        capture_output=True,
        text=True,
        cwd=CORE,
    ).stdout
    words = [(CORE / word).resolve() for word in listed.split()]
    read = {path for path in words if path.parent in (rules, playouts)}
    size = sizes()[game]
    assert (size.files, size.size) == (len(read), sum(path.stat().st_size for path in read))


def test_mirror_plays_images_by_each_strategy() -> None:
    subject = ReportSubject.of("pinch", (5, 5), visits=8)
    measurements = measured(MirrorsExperiment(), subject, 2 * len(strategies(subject)))
    units = list(measurements.results("mirrors").values())
    assert {(each["strategy"], each["first"]) for each in units} == {
        (strategy, first) for strategy in strategies(subject) for first in (False, True)
    }
    assert any(each["mirrored"] > 1 for each in units)
    assert "transpose" not in strategies(ReportSubject.of("pinch", (5, 4)))


def test_solved_boards_have_known_values() -> None:
    subject = ReportSubject.of("pinch", (4, 4))
    measurements = measured(SolvedExperiment(), subject, 10, stop_at=100)
    units = {unit["width"]: unit for unit in measurements.results("solved").values()}
    assert [units[side]["value"] for side in (2, 3, 4)][-1] == "loss"  # as the README says
    wins = {int(move) for move, value in units[4]["first"].items() if value == "win"}
    assert wins == {point(x, y) for x in (1, 2) for y in (1, 2)}
    session = subject.session()
    for move in units[4]["line"]:
        session.play(session.to_move, move)
    assert session.is_over


def test_other_games_invert_the_swap_rule() -> None:
    experiment = EXPERIMENTS["other-games"]
    assert experiment.rules(ReportSubject.of("pinch"))[PIE.name] is False  # type: ignore[attr-defined]
    assert experiment.applies(ReportSubject.of("capture-go"))
    assert not experiment.applies(ReportSubject.of("bushka"))


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("pinch", "the second player wins with perfect play"),
        ("capture-go", "the first player wins with perfect play"),
    ],
)
def test_solved_section_names_the_winner(game: str, sentence: str) -> None:
    subject = ReportSubject.of(game, (3, 3))
    measurements = measured(SolvedExperiment(), subject, 4, stop_at=100)  # tries with more time
    summary = SECTIONS["solved"].summarize(measurements)
    assert summary is not None
    assert sentence in summary.says[0]
