"""GTP programs as engines: their analysis lines as results, and the end of an analysis."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from boards import pinch
from clients import PATIENCE, PROGRAM

from pinchtp.client import EngineError, NotSupported
from pinchtp.engine.analysis import Solved
from pinchtp.engine.engine import analyze
from pinchtp.engine.gtp import ForeignEngine, read_analysis, read_solved
from pinchtp.engine.own import own_engines
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session
from pinchtp.player.player import Limits
from pinchtp.player.settings import Settings

LINE = (
    "info move D4 visits 10 winrate 0.6 prior 0.1 lcb -0.5 order 1 pv D4 E5 info move pass "
    "visits 30 winrate 0.7 order 0 pv pass rootInfo visits 41 ownership 0.5 -2 0.25 -1"
)


def test_read_analysis_sorts_and_bounds_candidates() -> None:
    analysis = read_analysis(pinch(2, 2, "a1"), LINE, 1.0)
    assert [(each.move, each.visits) for each in analysis.candidates] == [("swap", 30), ("D4", 10)]
    assert analysis.candidates[1].pv == ("D4", "E5")
    assert (analysis.candidates[1].prior, analysis.candidates[1].lcb) == (0.1, 0)
    assert (analysis.visits, analysis.pv) == (41, ("swap",))
    assert analysis.winrate.white() == 0.7


def test_read_analysis_has_owners_from_the_bottom() -> None:
    assert read_analysis(pinch(2, 2, ""), LINE, 1.0).owners == ((0.25, -1), (0.5, -1))
    assert read_analysis(pinch(3, 3, ""), LINE, 1.0).owners is None


def test_read_analysis_turns_the_owners_of_white_to_black() -> None:
    assert read_analysis(pinch(2, 2, "a1"), LINE, 1.0).owners == ((-0.25, 1), (-0.5, 1))


def test_read_analysis_divides_by_scale() -> None:
    line = "info move D4 visits 1 winrate 4321 order 0 pv D4"
    assert read_analysis(pinch(3, 3, ""), line, 10_000.0).winrate == pytest.approx(0.4321)


def test_variation_ends_before_an_illegal_turn() -> None:
    session = pinch(3, 3, "b2")
    line = "info move b1 visits 1 winrate 0.5 pv pass A1 B2 C3"
    analysis = read_analysis(session, line, 1.0)
    assert analysis.pv == ("swap", "A1", "B2", "C3")
    assert analysis.line(session) == [(Color.WHITE, "swap"), (Color.BLACK, "A1")]


@contextmanager
def repeating(text: str, folder: Path) -> Iterator[ForeignEngine]:
    """A program that reports the same text again and again."""
    script = folder / "still.py"
    script.write_text(
        "import select\n"
        "lines = open(0, 'rb', buffering=0)\n"
        "for line in iter(lines.readline, b''):\n"
        "    if line.strip():\n"
        "        print('= kata-analyze' if line.startswith(b'list') else '= ')\n"
        "        while line.startswith(b'kata') and not select.select([lines], [], [], 0.05)[0]:\n"
        f"            print({text!r}, end='', flush=True)\n"
        "        print(flush=True)\n"
    )
    engine = ForeignEngine([sys.executable, "-S", "-E", "-u", str(script)], timeout=PATIENCE)
    yield engine
    engine.close()


@pytest.fixture
def still(tmp_path: Path) -> Iterator[ForeignEngine]:
    with repeating("info move A1 visits 5 winrate 1 pv A1\n", tmp_path) as engine:
        yield engine


def test_analysis_by_visits_ends_once_solved(still: ForeignEngine) -> None:
    analysis = analyze(still, pinch(3, 3, ""), Limits(visits=1000))
    assert analysis is not None
    assert (analysis.visits, analysis.winrate) == (5, 1)


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("", "nothing"),
        ("info move A1 visits 5 winrate nan pv A1\n", "no move with a winrate and a variation"),
    ],
)
def test_analysis_without_a_winrate_ends_soon_after_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, sent: str
) -> None:
    monkeypatch.setattr("pinchtp.engine.gtp.GRACE", 0.3)
    with (
        repeating(line, tmp_path) as engine,
        pytest.raises(EngineError, match=f"sent {sent} for 0.5 s of analysis"),
    ):
        analyze(engine, pinch(3, 3, ""), Limits(seconds=0.2))


@pytest.fixture
def own() -> Iterator[ForeignEngine]:
    """Our own program."""
    engine = ForeignEngine(
        [*PROGRAM, "--seed", "1", "--memory", "16", "--time", "60"], timeout=PATIENCE
    )
    yield engine
    engine.close()


def test_analysis_by_visits_is_exact(own: ForeignEngine) -> None:
    session = pinch(7, 7, "d4")
    (same,) = own_engines(Settings(memory=16, seed=1), 1)
    known = analyze(same, session, Limits(visits=100))
    for visits in (100, 100, 250):
        analysis = analyze(own, session, Limits(visits=visits))
        assert known is not None
        assert analysis is not None
        assert analysis.visits == visits
        if visits == known.visits:
            assert [each.move for each in analysis.candidates] == [
                each.move for each in known.candidates
            ]
            assert analysis.pv == known.pv[: len(analysis.pv)]


def test_analysis_by_visits_leaves_limit_as_it_was(own: ForeignEngine) -> None:
    session = pinch(3, 3, "")
    for _ in range(2):
        analyze(own, session, Limits(visits=50))
    assert own.program.ask("pinchtp-param visits") == "none"


@pytest.mark.parametrize("limits", [Limits(visits=10**8), Limits(seconds=1000)])
def test_interrupted_program_searches_no_more(own: ForeignEngine, limits: Limits) -> None:
    """Ctrl-C, or what a handler of a signal raises; the next call would read its response."""
    session = pinch(7, 7, "d4")
    asked = 0

    def interrupt() -> bool:
        nonlocal asked
        asked += own.program.is_running and own.program.waited > 0
        if asked > 20:
            raise KeyboardInterrupt
        return False

    limits = replace(limits, should_stop=interrupt)
    for call in (own.play, partial(analyze, own)):
        asked = 0
        with pytest.raises(KeyboardInterrupt):
            call(session, limits)
        assert not own.program.is_running
        result = analyze(own, session, Limits(visits=10))
        assert result is not None
        assert result.visits == 10


def test_limit_of_visits_ends_at_what_it_was(own: ForeignEngine) -> None:
    own.play(pinch(3, 3, ""), Limits(visits=10))
    own.play(pinch(3, 3, ""), Limits(seconds=0.01))
    assert own.program.ask("pinchtp-param visits") == "none"
    assert own.program.ask("kata-get-param maxTime") == "0.01"
    own.play(pinch(3, 3, ""), Limits(visits=10))
    assert own.program.ask("kata-get-param maxTime") == "60.0"


def test_stopped_analysis_has_no_result(still: ForeignEngine) -> None:
    assert analyze(still, pinch(3, 3, ""), Limits(should_stop=lambda: True)) is None


LOGGING = """\
import sys
log = open(sys.argv[2], 'w')
for line in sys.stdin:
    print(line, end='', file=log, flush=True)
    commands = {'list_commands': sys.argv[1].replace(' ', chr(10)), 'genmove': 'A1'}
    print('=', commands.get(line.split()[0], ''), end='\\n\\n', flush=True)
"""


@pytest.mark.parametrize(
    ("commands", "option", "nodes", "seconds"),
    [
        ("pinchtp-param kata-set-param", "kata-set-param maxTime", "pinchtp-param visits", "600.0"),
        ("lz-setoption time_settings", "time_settings", "lz-setoption name visits value", "0 1 0"),
    ],
)
def test_limits_of_a_move_end_with_it(
    tmp_path: Path, commands: str, option: str, nodes: str, seconds: str
) -> None:
    log = tmp_path / "log"
    known = f"{commands} boardsize clear_board"
    command = [sys.executable, "-S", "-E", "-c", LOGGING, known, str(log)]
    engine = ForeignEngine(command, timeout=PATIENCE)
    sent: list[list[str]] = []
    for limits in (Limits(visits=5), Limits(seconds=0.5), Limits(visits=7), Limits(visits=8)):
        engine.play(pinch(3, 3, ""), limits)
        sent.append(log.read_text().splitlines()[sum(map(len, sent)) :])
    engine.close()
    assert f"{nodes} 5" in sent[0]
    assert f"{nodes} 1000000000" in sent[1]
    assert f"{option} {seconds}" in sent[2]
    assert not any(line.startswith((option, f"{nodes} 1000000000")) for line in sent[3])


def test_program_without_analysis_runs_on(tmp_path: Path) -> None:
    command = [sys.executable, "-S", "-E", "-c", LOGGING, "boardsize", str(tmp_path / "log")]
    engine = ForeignEngine(command, timeout=PATIENCE)
    with pytest.raises(NotSupported, match="does not analyze"):
        analyze(engine, pinch(3, 3, ""), Limits(visits=1))
    assert engine.program.is_running
    engine.close()


def test_missing_program_is_named() -> None:
    with pytest.raises(EngineError, match="no-such-engine"):
        ForeignEngine("no-such-engine", timeout=PATIENCE)


@pytest.mark.parametrize(
    ("text", "solved"),
    [
        ("win B2 A1 nodes 12", Solved("win", Color.BLACK, ("B2", "A1"), 12)),
        ("loss B2 B2 A1 nodes 12", Solved("loss", Color.WHITE, ("B2",), 12)),
        ("draw nodes 3", Solved("draw", None, (), 3)),
        ("unknown nodes 3", Solved("unknown", None, (), 3)),
        ("win", Solved("win", Color.BLACK, (), 0)),
        ("won B2 nodes many", Solved.unknown()),
        ("", Solved.unknown()),
    ],
)
def test_answers_of_a_solver_are_read(text: str, solved: Solved) -> None:
    assert read_solved(Session(GAMES["pinch"], 3, 3), text) == solved
