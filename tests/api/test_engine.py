"""Engines of the Python interface: ours in this process, and others by GTP."""

import asyncio
import copy
import os
import pickle
import re
import shlex
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import pytest
from clients import GNUGO, PATIENCE, PROGRAM, needs_gnugo
from threads import call_in_new_thread

import pinchtp
from pinchtp.base.files import read_file
from pinchtp.games import GAMES, Color
from pinchtp.player.network import find_packaged


def foreign() -> pinchtp.Engine:
    return pinchtp.Engine.popen([*PROGRAM, "--seed", "1", "--memory", "16"])


def table_of(result: pinchtp.Analysis | pinchtp.MatchSummary) -> list[list[str]]:
    """Returns the rows of a table in a notebook."""
    rows = ElementTree.fromstring(result._repr_html_()).findall("tr")
    return [[str(cell.text) for cell in row] for row in rows]


@pytest.fixture(params=["own", "foreign"])
def engine(request: pytest.FixtureRequest) -> Iterator[pinchtp.Engine]:
    """Our engine in this process, and the same one as a foreign program."""
    with foreign() if request.param == "foreign" else pinchtp.Engine(memory=16, seed=1) as engine:
        yield engine


@pytest.mark.parametrize(
    ("game", "rules", "options"),
    [("capture-go", {"crosscut": True}, "--crosscut"), ("pinch", {"pie": False}, "--no-pie")],
)
def test_foreign_engine_of_other_rules_is_refused(
    game: str, rules: dict[str, bool], options: str
) -> None:
    position = pinchtp.Game(game, 5, **rules)
    advice = f"start it with --game {game} {options}$"
    with foreign() as engine, pytest.raises(pinchtp.EngineError, match=advice):
        engine.play(position, visits=1)
    command = [*PROGRAM, "--game", game, options]
    with pinchtp.Engine.popen(command) as engine:
        assert engine.play(position, visits=1).move in position.legal_moves


def test_issue_example_runs(engine: pinchtp.Engine) -> None:
    game = pinchtp.Game("pinch", size=9)
    result = engine.analyse(game, visits=200)
    assert result.best.move in game.legal_moves
    assert result.pv[0] == result.best.move
    assert 0 < result.winrate < 1
    assert len(result.candidates) > 1
    assert result.visits >= 200
    assert result.ownership is not None
    assert result.ownership.shape == (9, 9)
    assert abs(result.ownership).max() <= 1
    before = game.moves
    move = engine.play(game, time=0.05).move
    assert game.moves == before
    game.play(move)

    async def reports() -> list[pinchtp.Analysis]:
        found = []
        async for report in engine.analysis(game, interval=0.01):
            found.append(report)
            if len(found) == 3:
                break
        return found

    first, _, third = call_in_new_thread(lambda: asyncio.run(reports()))
    assert third.visits > first.visits
    assert engine.name == "pinchtp"
    assert engine.version == pinchtp.__version__


@pytest.mark.parametrize("name", GAMES)
def test_engines_play_every_game(engine: pinchtp.Engine, name: str) -> None:
    game = pinchtp.Game(name, None if name == "bushka" else 5)
    for _ in range(4):
        game.play(engine.play(game, visits=20).move)
    assert len(game.moves) >= 4


def test_ownership_has_stones_of_the_board(engine: pinchtp.Engine) -> None:
    """Rows from the bottom, 1 for Black: corners that each side owns for sure."""
    game = pinchtp.Game("capture-go", 7, moves="a1 g7 b1 f7 a2 g6")
    ownership = engine.analyse(game, visits=300).ownership
    assert ownership is not None
    assert ownership[0, 0] > 0.5 > -0.5 > ownership[6, 6]


def test_winrate_knows_its_side() -> None:
    winrate = pinchtp.Winrate(0.75, Color.WHITE)
    assert winrate == 0.75
    assert winrate.white() == 0.75
    assert winrate.black() == 0.25
    assert winrate.pov("b") == winrate.pov(Color.BLACK) == 0.25
    assert f"{winrate:.0%} {winrate!r}" == "75% Winrate(0.7500, 'white')"
    again = pickle.loads(pickle.dumps(copy.deepcopy(winrate)))
    assert (again, again.to_move) == (winrate, Color.WHITE)
    with pytest.raises(ValueError, match="give 'black' or 'white'"):
        winrate.pov("red")


def test_analysis_pickles_and_prints() -> None:
    game = pinchtp.Game(size=5, moves="a1")
    with pinchtp.Engine(memory=16, seed=1) as engine:
        result = engine.analyse(game, visits=100)
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert hash(again) == hash(result)
    assert (again.ownership == result.ownership).all()
    assert str(result).startswith("White: ")
    assert re.fullmatch(r"<Analysis White: \d+.\d%, \d+ visits, best \w\d>", repr(result))
    assert re.fullmatch(r"<Candidate \w\d: \d+.\d%, \d+ visits>", repr(result.best))
    assert table_of(result)[1][0] == result.best.move
    assert result.best.lcb is not None
    assert result.best.lcb <= result.best.winrate
    assert sum(each.prior or 0 for each in result.candidates) <= 1.001


def test_seed_repeats_searches() -> None:
    game = pinchtp.Game(size=7)
    results = []
    for _ in range(2):
        with pinchtp.Engine(memory=16, seed=5) as engine:
            results.append(engine.analyse(game, visits=300, ownership=False))
    assert results[0] == results[1]


@pytest.mark.parametrize(("size", "seed"), [(4, 1), (5, 15), (6, 40), (7, 228), (8, 219), (9, 1)])
def test_first_stone_agrees_with_replies(size: int, seed: int) -> None:
    """From 5x5 to 8x8 by seeds that differ by up to 0.34 with the network of larger boards."""
    game = pinchtp.Game("pinch", size=size)
    black = []
    with pinchtp.Engine(seed=seed) as engine:
        for is_black in (True, False, True):
            chosen = engine.play(game, visits=3000)
            assert chosen.winrate is not None
            black.append(chosen.winrate if is_black else 1 - chosen.winrate)
            game.play(chosen.move)
    assert max(black) - min(black) < 0.08


def test_proven_move_is_named() -> None:
    game = pinchtp.Game(size=3, pie=False, moves="a2 a1 b2 a3")
    with pinchtp.Engine(memory=16) as engine:
        best = engine.analyse(game, visits=50).best
    assert (best.proof, best.winrate) == ("win", 1)


def test_levels_and_resignation() -> None:
    game = pinchtp.Game(size=5)
    with pinchtp.Engine(level=1, memory=16, seed=2) as engine:
        assert engine.play(game).move in game.legal_moves
        assert engine.options["level"] == 1
    with pinchtp.Engine(resign=1, visits=10, memory=16) as engine:
        result = engine.play(game)
        game.play(result.move)
    assert result.move == "resign"
    assert game.is_over


def test_network_file_brings_its_game() -> None:
    with pinchtp.Engine(network=find_packaged("capture-go"), seed=1) as engine:
        assert engine.analyse(pinchtp.Game("capture-go", size=5), visits=20).winrate is not None
        with pytest.raises(ValueError, match="a network for capture-go, not for pinch"):
            engine.analyse(pinchtp.Game("pinch", size=5), visits=20)


def test_search_of_one_game_brings_its_game() -> None:
    with pinchtp.Engine(search="alpha-beta", seed=1) as engine:
        result = engine.analyse(pinchtp.Game("bushka"), visits=500)
        assert len({move.prior for move in result.candidates}) == 1  # so they are in alpha-beta
        game = pinchtp.Game(size=5)
        assert engine.play(game, visits=20).move in game.legal_moves  # by its own search
    with pytest.raises(ValueError, match="First Capture Go has no search 'alpha-beta'"):
        pinchtp.Engine(search="alpha-beta", network=find_packaged("capture-go"))


def test_network_file_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[Path] = []

    def counting(path: Path, *limits: int) -> bytes:
        reads.append(path)
        return read_file(path, *limits)

    monkeypatch.setattr("pinchtp.player.network.read_file", counting)
    file = find_packaged("capture-go")
    with pinchtp.Engine(network=file):
        assert reads == [file]


def test_wrong_options_are_named() -> None:
    with pytest.raises(ValueError, match="unknown option 'depth': expected level, time, visits"):
        pinchtp.Engine(depth=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="level: '99': give an integer from 1 to 20"):
        pinchtp.Engine(level=99)
    with pinchtp.Engine(memory=16) as engine:
        game = pinchtp.Game(size=3, moves="resign")
        for call in (engine.play, engine.analyse, engine.analysis):
            with pytest.raises(ValueError, match="the game is over: White wins"):
                call(game)
    with pytest.raises(pinchtp.EngineClosed, match="the engine is closed"):
        engine.play(pinchtp.Game(size=3))


def test_stream_ends_at_its_limit(engine: pinchtp.Engine) -> None:
    with engine.analysis(pinchtp.Game(size=7), visits=400, interval=0.01) as stream:
        reports = list(stream)
    assert reports[-1] is stream.latest
    assert reports[-1].visits >= 400
    assert stream.is_over


def test_stream_waits_for_result(engine: pinchtp.Engine) -> None:
    result = engine.analysis(pinchtp.Game(size=7), time=0.3, interval=0.05).wait()
    assert result is not None
    assert result.visits > 0


def test_other_call_ends_stream(engine: pinchtp.Engine) -> None:
    game = pinchtp.Game(size=7)
    stream = engine.analysis(game, interval=0.01)
    next(stream)
    assert engine.play(game, visits=20).move in game.legal_moves
    assert list(stream)[1:] == []
    assert stream.is_over


def test_other_call_ends_stream_that_waits() -> None:
    game = pinchtp.Game(size=7)
    with pinchtp.Engine(memory=16) as engine:
        busy = threading.Thread(target=lambda: engine.play(game, time=1))
        busy.start()
        while engine._call is None:
            time.sleep(0.01)
        waiting = [engine.analysis(game, visits=200, interval=0.01) for _ in range(5)]
        assert [stream.wait() for stream in waiting[:-1]] == [None] * 4
        assert busy.is_alive()
        assert next(waiting[-1]).visits > 0
        busy.join(PATIENCE)


def test_dropped_stream_stops_search() -> None:
    with pinchtp.Engine(memory=16) as engine:
        for _ in engine.analysis(pinchtp.Game(size=7), interval=0.01):
            break
        deadline = time.monotonic() + 10
        while any(each.name == "analysis" for each in threading.enumerate()):
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_cancelled_task_stops_search() -> None:
    """Also when all threads of the executor wait for results."""
    game = pinchtp.Game(size=7)

    async def run() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        with pinchtp.Engine(memory=16) as engine:
            stream = engine.analysis(game, interval=1000)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(stream), 0.05)
            assert stream.is_over

    call_in_new_thread(lambda: asyncio.run(run()))


def test_threads_share_an_engine() -> None:
    moves: list[str] = []
    with pinchtp.Engine(memory=16, visits=50) as engine:

        def work(first: str) -> None:
            game = pinchtp.Game(size=5, moves=first)
            moves.append(engine.play(game).move)

        threads = [threading.Thread(target=work, args=(first,)) for first in ("a1", "b2", "c3")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert len(moves) == 3


def test_game_may_change_during_stream() -> None:
    game = pinchtp.Game(size=7)
    with pinchtp.Engine(memory=16) as engine, engine.analysis(game, interval=0.01) as stream:
        next(stream)
        game.play("a1")
        assert next(stream).to_move == Color.BLACK


def test_missing_program_is_named() -> None:
    with pytest.raises(pinchtp.EngineError, match=r"no-such-engine: .*No such file"):
        pinchtp.Engine.popen("no-such-engine")
    assert issubclass(pinchtp.EngineError, RuntimeError)


def test_dead_engine_is_named() -> None:
    with foreign() as engine:
        client = engine._backend.program.client  # type: ignore[attr-defined]
        os.kill(client.pid, 9)
        with pytest.raises(pinchtp.EngineError, match=r"SIGKILL|signal 9"):
            engine.play(pinchtp.Game(size=5), visits=10)
        assert engine.play(pinchtp.Game(size=5), visits=10).move  # it starts again


@needs_gnugo
def test_gnugo_plays_first_capture_go() -> None:
    game = pinchtp.Game("capture-go", 7)
    with pinchtp.Engine.popen([GNUGO, "--mode", "gtp", "--level", "1"]) as engine:
        game.play(engine.play(game).move)
        assert engine.name == "GNU Go"
        assert len(game.moves) == 1
        with pytest.raises(pinchtp.EngineError, match="does not analyze"):
            engine.analyse(game)
        with pytest.raises(pinchtp.EngineError, match="option 'nodes'"):
            engine.play(game, visits=100)
        with pytest.warns(RuntimeWarning, match=r"no command for 0\.5 s per move") as warned:
            engine.play(game, time=0.5)
        assert warned[0].filename == __file__
        engine.play(game, time=1)


def test_match_prints_as_table() -> None:
    command = " ".join([*PROGRAM, "--visits", "5", "--memory", "16"])
    engines = {"<one>": command, "two": f"{command} --level 1"}
    result = pinchtp.play_match(engines, size=3, games=4, time="none")
    assert result.games == 4
    assert sum(result.pentanomial) == 2
    assert 0 <= result.los <= 1
    assert result.elo.low <= result.elo.elo <= result.elo.high
    table = str(result)
    assert "one" in table
    assert re.fullmatch(r"<MatchSummary 4 games: \S+ [\d.]+, \S+ [\d.]+>", repr(result))
    assert {row[0] for row in table_of(result)[1:]} == set(engines)
    assert "two" in table
    assert all(len(line) <= 100 for line in table.splitlines())
    with pytest.raises(ValueError, match="size"):
        pinchtp.play_match(engines, size=99)


def test_match_shows_failures_and_missing_games() -> None:
    command = " ".join([*PROGRAM, "--visits", "5", "--memory", "16"])
    broken = shlex.join(["sh", "-c", f"sed -u /genmove/q | {command}"])
    result = pinchtp.play_match(
        {"one": command, "two": broken}, size=3, games=10, time="none", withdraw=2
    )
    assert "failures: 2" in repr(result)
    assert " of 10 games, failures: 2" in result._repr_html_()
