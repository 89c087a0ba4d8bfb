"""Wrong arguments of the Python interface: a ValueError that names the valid values."""

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clients import PROGRAM

import pinchtp

TOP = 2**31

WRONG_SIZES = ("9", 99, 0, -1, 2.5, 9.0, True, (9,), (9, 9, 9), ("9", "9"), (9, 99), 2**70, {}, "x")
WRONG_VISITS = (-1, 0, 2.5, 1e3, "5", True, math.inf, math.nan, 2**70, [])
WRONG_TIMES = (-1, 0, "5", True, math.inf, math.nan, 1e-9, [])


def refused(call: Callable[..., object], *arguments: Any, **named: Any) -> str:
    """Returns the message with which a call refuses its arguments."""
    with pytest.raises(ValueError, match=r".") as caught:
        call(*arguments, **named)
    return str(caught.value)


@pytest.fixture(scope="module", params=["own", "foreign"])
def engine(request: pytest.FixtureRequest) -> Iterator[pinchtp.Engine]:
    is_own = request.param == "own"
    command = [*PROGRAM, "--memory", "16"]
    with pinchtp.Engine(memory=16) if is_own else pinchtp.Engine.popen(command) as engine:
        yield engine


@pytest.mark.parametrize("size", WRONG_SIZES, ids=repr)
def test_wrong_size_is_named(size: Any) -> None:
    expected = r"Pinch has 2 to 25 columns and rows; give a number, or \(columns, rows\)"
    for make in (pinchtp.Game, lambda size: pinchtp.Batch(size=size, count=1)):
        assert re.fullmatch(f"size: {re.escape(repr(size))}: {expected}", refused(make, size=size))


def test_right_sizes_are_taken() -> None:
    for size in (5, np.int64(5), (5, 5), [5, 5], (np.int8(5), 5)):
        assert pinchtp.Game(size=size).size == (5, 5)  # type: ignore[arg-type]
    assert "Bushka has 10x10 only" in refused(pinchtp.Game, "bushka", 9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pinchtp.Game(["pinch"]), r"unknown game \['pinch'\]: expected pinch, "),  # type: ignore[arg-type]
        (lambda: pinchtp.Game(moves=3), "moves: 3: give moves, such as 'c3 swap'"),  # type: ignore[arg-type]
        (lambda: pinchtp.Game(moves=None), "moves: None: give moves"),  # type: ignore[arg-type]
        (lambda: pinchtp.Game(moves=["a1", 3]), "move: 3: give a text, such as 'd4'"),  # type: ignore[list-item]
        (lambda: pinchtp.Game(moves=b"a1"), "move: 97: give a text"),  # type: ignore[arg-type]
        (lambda: pinchtp.Game.from_text(3), "text: 3: give a position string"),  # type: ignore[arg-type]
        (lambda: pinchtp.Game.from_sgf(3), "text: 3: give the text of an SGF record"),  # type: ignore[arg-type]
        (lambda: pinchtp.read_sgf(3), "path: 3: give the name of a file"),  # type: ignore[arg-type]
        (lambda: pinchtp.read_record(None), "path: None: give the name of a file"),  # type: ignore[arg-type]
        (lambda: pinchtp.solve("x"), "game: 'x': give a pinchtp.Game"),  # type: ignore[arg-type]
        (lambda: pinchtp.Batch(count=2.5), "count: 2.5: give an integer from 1 to"),  # type: ignore[arg-type]
        (lambda: pinchtp.Batch.of(3), "games: 3: give a list of games"),  # type: ignore[arg-type]
        (lambda: pinchtp.Batch.of([3]), r"games\[0\]: 3: give a pinchtp.Game"),  # type: ignore[list-item]
        (lambda: pinchtp.Engine.popen(3), "command: 3: give a command line, or a list"),  # type: ignore[arg-type]
        (lambda: pinchtp.Engine.popen([3]), r"command: \[3\]: give a command line, or a list"),  # type: ignore[list-item]
        (lambda: pinchtp.Engine.popen("x", timeout=-1), "timeout: -1: give a number from 0.001"),
        (lambda: pinchtp.Engine.popen("x", memory_mb=0), "memory_mb: 0: give an integer"),
        (lambda: pinchtp.Engine.popen("x", startup="name"), r"startup: 'name': give a list"),
        (lambda: pinchtp.Engine.popen("x", startup=[3]), r"startup: \[3\]: give a list"),  # type: ignore[list-item]
        (lambda: pinchtp.play_match(3), "engines: 3: give command lines by name"),  # type: ignore[arg-type]
        (lambda: pinchtp.play_match({3: "x"}), "engines: 3: give a text"),  # type: ignore[dict-item]
        (lambda: pinchtp.play_match({"a": 3}), r"engines\['a'\]: 3: give a command line"),  # type: ignore[dict-item]
        (lambda: pinchtp.play_match({}, openings=3), "openings: 3: give a file"),
        (lambda: pinchtp.play_match({}, openings=[1]), r"openings: \[1\]: give a file"),
        (lambda: pinchtp.play_match({}, db=3), "db: 3: give the name of a file"),
    ],
)
def test_wrong_argument_is_named(call: Callable[[], object], message: str) -> None:
    assert re.search(message, refused(call))


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("play", (3, None, b"a1", ["a1"]), "give a text, such as 'd4'"),
        ("undo", ("1", -1, 2.5, True, None), "give an integer from 0 to"),
        ("resign", (3, True, b"b", ["b"]), "is not a color; give 'black' or 'white'"),
        ("play_action", ("x", "1", 2.0, True, None), ": give an integer"),
        ("play_action", (-1, 99), "is not legal; legal_actions has"),
        ("header", (3, None, {}), "give a GameHeader"),
    ],
)
def test_wrong_argument_leaves_game(name: str, wrong: tuple[Any, ...], message: str) -> None:
    game = pinchtp.Game(size=5, moves="a1 b2")
    before = game.copy()
    for each in wrong:
        call = (lambda value: setattr(game, "header", value)) if name == "header" else None
        assert message in refused(call or getattr(game, name), each)
        assert (game, game.moves) == (before, before.moves)
        assert game.to_sgf()


def test_record_takes_rules_of_its_game(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(pinchtp.Game(size=5, moves="c3").to_sgf())
    for read in (pinchtp.read_sgf, pinchtp.read_record):
        assert "Pinch has no option 'foo'" in refused(read, path, foo=3)
        assert "unknown game 3" in refused(read, path, game=3)


@pytest.mark.parametrize("method", ["play", "analyse", "analysis"])
def test_engines_reject_the_same_arguments(engine: pinchtp.Engine, method: str) -> None:
    """Both engines, before anything is sent or searched."""
    game = pinchtp.Game(size=3)
    call = getattr(engine, method)
    for visits in WRONG_VISITS:
        message = f"visits: {visits!r}: give an integer from 1 to {TOP}"
        assert refused(call, game, visits=visits) == message
    for seconds in WRONG_TIMES:
        message = f"time: {seconds!r}: give a number from 0.001 to 1000000"
        assert refused(call, game, time=seconds) == message
    for each in ("x", None, 3, game.session):
        assert refused(call, each).endswith("give a pinchtp.Game")


def test_analyses_reject_the_same_arguments(engine: pinchtp.Engine) -> None:
    game = pinchtp.Game(size=3)
    for interval in (*WRONG_TIMES, None):
        message = f"interval: {interval!r}: give a number from 0.001 to 1000000"
        assert refused(engine.analysis, game, interval=interval) == message
    for call in (engine.analyse, engine.analysis):
        assert refused(call, game, ownership="no") == "ownership: 'no': give True or False"


def test_right_limits_are_taken(engine: pinchtp.Engine) -> None:
    game = pinchtp.Game(size=3)
    result = engine.analysis(game, visits=np.int64(5), time=np.float32(0.5), interval=1).wait()
    assert result is not None
    assert result.visits > 0


def test_solver_refuses_wrong_limits() -> None:
    game = pinchtp.Game(size=3)
    for seconds in (-1, "x", math.nan, True, None):
        assert refused(pinchtp.solve, game, seconds=seconds).startswith("seconds: ")
    for memory in (-1, 0, "x", 2.5, None):
        assert refused(pinchtp.solve, game, memory=memory).startswith("memory: ")


def test_color_of_winrate_is_checked() -> None:
    winrate = pinchtp.Winrate(0.5, pinchtp.Color.BLACK)
    for each in (3, None, "red", 1):
        assert refused(winrate.pov, each) == f"{each!r} is not a color; give 'black' or 'white'"
