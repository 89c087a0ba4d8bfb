"""Memory that is refused: no command is half done, and the program goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from types import FrameType
from typing import Any

import pytest
from clients import ask, ask_all, observed, server

from pinchtp.base.clock import TimeControl
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.gtp.server import Server

OUT_OF_MEMORY = "? out of memory"

GENERATORS = ("all_or_nothing", "pieces")  # to resume one is a call that takes no memory


class Shortage:
    """Raises MemoryError at one call in pinchtp, counted from 1. come: there was such a call."""

    def __init__(self, number: int) -> None:
        self.come = False
        self._left = number

    def __enter__(self) -> Shortage:
        sys.setprofile(self._look)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)

    def _look(self, frame: FrameType, event: str, arg: Any) -> None:
        is_ours = frame.f_globals.get("__name__", "").startswith("pinchtp.")
        is_resumed = frame.f_code.co_name in GENERATORS
        if not is_ours or is_resumed or event not in ("call", "c_call"):
            return
        self._left -= 1
        if self._left == 0:
            self.come = True
            raise MemoryError


def at_each_call(make: Callable[[], Any], do: Callable[[Any], Any]) -> Any:
    """Does something to a fresh thing with a shortage at each call in it, one after another, until
    it gets through; yields the thing and the outcome, or the error.
    """
    for number in count(2):  # the first is the one that does it
        made = make()
        with Shortage(number) as shortage:
            try:
                outcome = do(made)
            except MemoryError as error:
                outcome = error
        yield made, outcome
        if not shortage.come:
            return


# Settings, what goes before, and the command. A clock runs in all of them.
COMMANDS: list[tuple[dict[str, Any], list[str], str]] = [
    ({}, ["play b c3"], "play w swap"),
    ({}, ["play b c3"], "play w resign"),
    ({}, ["play b c3", "play w swap"], "undo"),
    ({}, ["play b c3", "play w d4", "play b a1"], "gg-undo 3"),
    ({}, ["play b c3"], "genmove w"),
    ({}, ["play b c3"], "lz-genmove_analyze w 100"),
    ({}, ["play b c3", "play w d4"], "clear_board"),
    ({}, ["play b c3"], "boardsize 6"),
    ({}, ["play b c3"], "time_settings 60 5 3"),
    ({}, ["play b c3"], "time_left w 20 0"),
    ({}, ["play b c3"], "gogui-play_sequence w d4 b a1 w b2"),
    ({}, ["play b c3"], "pinchtp-loadboard X.O/.../O.X w"),
    ({}, ["play b c3", "play w d4"], "pinchtp-symmetry rotate"),
    ({}, ["play b c3", "play w d4"], "pinchtp-symmetry transpose"),
    ({}, [], "set_position b c3 w d4"),
    ({"game": "pinch-relocate"}, ["pinchtp-loadboard .../.OX/.X. b"], "play b a1"),
    (
        {"game": "pinch-relocate", "move_parts": True},
        ["pinchtp-loadboard ...../..X../.XO../...../..... b", "play b d3"],
        "genmove b",
    ),
    ({"game": "capture-go"}, [], "set_free_handicap c3 d4"),
]


@pytest.mark.parametrize(("settings", "before", "line"), COMMANDS, ids=[c[2] for c in COMMANDS])
def test_command_out_of_memory_changes_nothing(
    settings: dict[str, Any], before: list[str], line: str
) -> None:
    """Wherever in it memory runs out."""

    def make() -> Server:
        made = server(visits=10, **settings)
        ask_all(made, "time_settings 100 0 0", *before)
        return made

    def do(made: Server) -> str:
        answer = made.answer(line)
        assert answer is not None
        if isinstance(answer.text, str):
            return f"{'=' if answer.ok else '?'} {answer.text}"
        # A stream that has begun can only end early.
        played = [piece for piece in answer.pieces() if "play " in piece]
        return played[0] if played else OUT_OF_MEMORY

    known = None
    for made, outcome in at_each_call(make, do):
        if outcome == OUT_OF_MEMORY or isinstance(outcome, MemoryError):
            known = known or observed(make())
            assert observed(made) == known
            assert ask(made, line).startswith("= ")
        else:
            assert outcome.startswith(("= ", "play "))


def test_change_of_game_out_of_memory_changes_nothing() -> None:
    def make() -> Server:
        made = server(visits=10)
        ask_all(made, "time_settings 100 0 0", "play b c3")
        return made

    for made, answer in at_each_call(make, lambda made: made.answer("pinchtp-game bushka")):
        assert answer.ok or observed(made) == observed(make())


def new_session() -> Session:
    session = Session(GAMES["pinch"], 5, 5)
    session.set_time(TimeControl.absolute(100))
    session.play(Color.BLACK, parse_move("c3", session.position))
    return session


def state(session: Session) -> tuple[object, ...]:
    clocks = [session.clock(color) for color in Color]
    return session.start, list(session.history), session.info, session.control, clocks


OTHER = Session(GAMES["pinch"], 6, 6)
OTHER.play(Color.BLACK, parse_move("a1", OTHER.position))
METHODS: dict[str, Callable[[Session], Any]] = {
    "swap": lambda session: session.play(Color.WHITE, *session.parse("swap")),
    "undo": lambda session: session.undo(),
    "resign": lambda session: session.resign(Color.WHITE),
    "load": lambda session: session.load(OTHER.start, OTHER.history),
    "restart": lambda session: session.restart(6, 6),
    "set_up": lambda session: session.set_up(OTHER.start),
    "set_time": lambda session: session.set_time(TimeControl.fischer(10, 1)),
}


@pytest.mark.parametrize("name", METHODS)
def test_session_out_of_memory_changes_nothing(name: str) -> None:
    known = state(new_session())
    for session, outcome in at_each_call(new_session, METHODS[name]):
        assert (state(session) == known) == isinstance(outcome, MemoryError)
