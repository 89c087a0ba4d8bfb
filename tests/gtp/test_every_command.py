"""Every command in every game and stage of it gets a response, never an internal error."""

import random
from collections.abc import Callable

import pytest
from clients import InterruptedScript, ask, board, observed, say, server
from gtp.test_gogui_games import missing_points, shown_on_points

from pinchtp.games import GAMES, GameType
from pinchtp.games.game import NO_CELL
from pinchtp.games.notation import format_move, point
from pinchtp.gtp.commands import COMMANDS
from pinchtp.gtp.server import Server

ARGUMENTS = [
    "",
    "b",
    "w",
    "1",
    "b 5",
    "w a1",
    "b pass",
    "b swap",
    "b resign",
    "a1",
    "rotate",
    "x y z",
]


def new_game(game: GameType) -> Server:
    return server(*((6, 5) if game.smallest < game.largest else game.size), game=game.name)


def in_the_middle(engine: Server) -> None:
    """Makes some moves, and the first step of a turn if turns have several."""
    session = engine.engine.session
    rng = random.Random(2)
    for _ in range(200):
        is_far = len(session.turns()) > 4
        if is_far and (session.position.mid_turn or not session.game.notation.multi_part):
            break
        before = list(session.history)
        session.play(session.to_move, rng.choice(session.position.legal_moves()))
        if session.is_over:
            session.history[:] = before
            break


def to_the_end(engine: Server) -> None:
    session = engine.engine.session
    rng = random.Random(3)
    while not session.is_over:
        session.play(session.to_move, rng.choice(session.position.legal_moves()))


def resigned(engine: Server) -> None:
    in_the_middle(engine)
    engine.engine.session.resign(engine.engine.session.to_move)


def set_up(engine: Server) -> None:
    """Begins with the position in the middle of a game; with a banned point where they last."""
    in_the_middle(engine)
    has_bans = engine.engine.session.game.name == "pinch-remove"
    position = "...../..X-./...X./...../..... w" if has_bans else board(engine)
    say(engine, f"pinchtp-loadboard {position}")


STAGES = {
    "start": lambda engine: None,
    "middle": in_the_middle,
    "end": to_the_end,
    "resigned": resigned,
    "set-up": set_up,
}


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_commands_have_no_internal_error(game: GameType, stage: Callable[[Server], None]) -> None:
    engine = new_game(game)
    before = None
    for name in [name for name in COMMANDS if name != "quit"]:
        for arguments in ARGUMENTS:
            if before is None or observed(engine) != before:
                engine = new_game(game)
                engine.engine.attention = InterruptedScript()
                stage(engine)
                before = observed(engine)
            answer = ask(engine, f"{name} {arguments}")
            assert answer[:2] in ("= ", "? ")
            assert "\n\n" not in answer
            assert "internal error" not in answer, (name, arguments, answer)
            if answer[0] == "?":
                assert observed(engine) == before, (name, arguments, answer)


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_graphics_are_on_points_of_the_board(
    game: GameType, stage: Callable[[Server], None]
) -> None:
    engine = new_game(game)
    stage(engine)
    position = engine.engine.session.position
    points = {
        format_move(point(at % position.width, at // position.width))
        for at, cell in enumerate(position.cells())
        if cell != NO_CELL
    }
    missing = missing_points(points, (position.width, position.height))
    drawn = 0
    for command in COMMANDS.values():
        if any(line.startswith("gfx/") for line in command.analyze):
            answer = ask(engine, command.name)
            lines = [line for line in answer.removeprefix("= ").split("\n") if line]
            if answer.startswith("= "):
                shown_on_points(lines, points, missing)
                assert {line.split()[1] for line in lines if line.startswith("LABEL")} <= points
                drawn += len(lines)
    assert drawn


THIN = [
    (width, height)
    for width in (2, 3, 4, 5, 25)
    for height in (2, 3, 4, 5, 25)
    if min(width, height) < 4
]


@pytest.mark.parametrize("game", [each for each in GAMES.values() if each.smallest == 2])
def test_analysis_on_thin_boards_never_fails_inside(game: GameType) -> None:
    commands = [each for each in COMMANDS.values() if each.analyze]
    rng = random.Random(4)
    for size in THIN:
        rules = {option.name: rng.random() < 0.5 for option in game.options}
        if rules.get("crosscut") and max(size) < 4:
            continue
        engine = server(*size, game=game.name, visits=5, **rules)
        engine.engine.attention = InterruptedScript()
        session = engine.engine.session
        for _ in range(4):
            answers = {each.name: ask(engine, each.name) for each in commands}
            failed = {name: each for name, each in answers.items() if "internal" in each}
            assert not failed, (size, rules, session.moves)
            if session.is_over:
                break
            session.play(session.to_move, rng.choice(session.position.legal_moves()))
