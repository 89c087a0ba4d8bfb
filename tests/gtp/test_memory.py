"""Memory exhaustion: no command is left half done, and the program continues."""

import sys
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from clients import ask, ask_all, observed, server

try:
    import _testcapi
except ImportError:  # some builds of Python leave it out
    _testcapi = None

from pinchtp._core import Position, Search
from pinchtp.base.clock import TimeControl
from pinchtp.cli import main
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.gtp import OUT_OF_MEMORY
from pinchtp.gtp.input import write_text
from pinchtp.gtp.server import Server
from pinchtp.player.player import Limits

FIRST_ALLOCATION = 10  # later than those for the call of the test itself
ENOUGH = 20  # allocations that are not missed, one after another: it needs no further one

FREE = ("__exit__", "restore", "pieces")  # calls and resumptions that need no memory


class Shortage:
    """Raises MemoryError at one call in pinchtp, counted from 1. come: there was such a call."""

    def __init__(self, number: int) -> None:
        self.come = False
        self._left = number

    def __enter__(self) -> "Shortage":
        sys.setprofile(self._look)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)

    def _look(self, frame: FrameType, event: str, arg: Any) -> None:
        is_ours = frame.f_globals.get("__name__", "").startswith("pinchtp.")
        is_free = frame.f_code.co_name in FREE
        if not is_ours or is_free or event not in ("call", "c_call"):
            return
        self._left -= 1
        if self._left == 0:
            self.come = True
            raise MemoryError


def at_each_call(make: Callable[[], Any], do: Callable[[Any], Any], step: int = 1) -> Any:
    """Applies `do` to a new object with a shortage at each call in it, one after another, until it
    succeeds; yields the object and whether `do` succeeded. step: of the numbers of calls.
    """
    for number in count(2, step):  # the first is the one that does it
        made = make()
        with Shortage(number) as shortage:
            try:
                is_done = do(made)
            except MemoryError:
                is_done = False
        yield made, is_done
        if not shortage.come:
            return


def at_each_allocation(make: Callable[[], Any], do: Callable[[Any], Any]) -> Any:
    """The same with a shortage at each allocation of Python's.

    Any thread may meet it: one of pytest-xdist would end the whole run.
    """
    passed = 0
    for number in count(FIRST_ALLOCATION):
        made = make()
        _testcapi.set_nomemory(number, number + 1)
        try:
            is_done = do(made)
        except MemoryError:
            is_done = False
        finally:
            _testcapi.remove_mem_hooks()
        yield made, is_done
        passed = passed + 1 if is_done else 0
        if passed == ENOUGH:
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
    ({}, [], "set_position b c3 w d4"),
    ({"game": "pinch-relocate"}, ["pinchtp-loadboard .../.OX/.X. b"], "play b a1"),
    (
        {"game": "pinch-relocate", "move_parts": True},
        ["pinchtp-loadboard ...../..X../.XO../...../..... b", "play b d3"],
        "genmove b",
    ),
    ({"game": "capture-go"}, [], "set_free_handicap c3 d4"),
]


@pytest.mark.parametrize("is_night", [False, pytest.param(True, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(("settings", "before", "line"), COMMANDS, ids=[c[2] for c in COMMANDS])
def test_command_out_of_memory_changes_nothing(
    settings: dict[str, Any], before: list[str], line: str, is_night: bool
) -> None:
    """Wherever in it memory runs out."""

    def make() -> Server:
        made = server(visits=10, **settings)
        ask_all(made, "time_settings 100 0 0", *before)
        return made

    def do(made: Server) -> bool:
        """Whether it was accepted. Takes no memory itself."""
        answer = made.answer(line)
        assert answer is not None
        if isinstance(answer.text, str):
            # CPython itself loses an error here and there: "error return without exception set".
            assert answer.ok or answer.text in (OUT_OF_MEMORY, "internal error: SystemError")
            return answer.ok
        return "play " in "".join(answer.pieces())  # a stream can only end early

    shortages = at_each_call(make, do, 1 if is_night else 3)
    if is_night and _testcapi is not None and "genmove" not in line:
        shortages = chain(shortages, at_each_allocation(make, do))
    known = None
    for made, is_accepted in shortages:
        if not is_accepted:
            known = known or observed(make())
            assert observed(made) == known
            assert ask(made, line).startswith("= ")


def test_change_of_game_out_of_memory_changes_nothing() -> None:
    def make() -> Server:
        made = server(visits=10)
        ask_all(made, "time_settings 100 0 0", "play b c3")
        return made

    known = observed(make())
    for made, is_done in at_each_call(make, lambda made: made.answer("pinchtp-game bushka").ok):
        assert is_done != (observed(made) == known)


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
    do = METHODS[name]
    for session, is_done in at_each_call(new_session, lambda session: do(session) is None):
        assert is_done != (state(session) == known)


# --- outside commands


def no_memory(*arguments: object, **options: object) -> Any:
    raise MemoryError


def no_thread(*arguments: object, **options: object) -> Any:
    raise RuntimeError("can't start new thread")


@pytest.mark.parametrize(
    ("name", "failing"),
    [
        ("pinchtp._core.Search.run", no_memory),
        ("pinchtp.player.player.Player._search_at", no_memory),
        ("threading.Thread.start", no_thread),
    ],
)
def test_pondering_without_memory_ends_quietly(
    name: str, failing: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next move is found all the same."""
    made = server(visits=10, ponder=True)
    assert ask(made, "genmove b").startswith("= ")
    with monkeypatch.context() as patched:
        patched.setattr(name, failing)
        made.engine.ponder()
        made.engine.player.stop_pondering()
    assert ask(made, "genmove w").startswith("= ")


def test_tree_that_cannot_follow_all_moves_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory runs out after the first of two moves: the tree stays at that move."""
    made = server(visits=10)
    ask(made, "genmove b")
    player = made.engine.player
    session = made.engine.session
    ask_all(made, "play w d4", "play b a1")
    advance = Search.advance
    calls = list[int]()

    def first_only(search: Search, move: int) -> None:
        calls.append(move)
        if len(calls) > 1:
            raise MemoryError
        advance(search, move)

    with monkeypatch.context() as patched:
        patched.setattr(Search, "advance", first_only)
        with pytest.raises(MemoryError):
            player.search(session, Limits(visits=20))
    best = player.search(session, Limits(visits=20)).choices[0].move
    assert session.position.is_legal(best)
    assert player._root == (session.start, session.moves)


def test_new_tree_is_made_when_the_old_one_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both together would take twice the memory."""
    made = server(visits=10)
    ask_all(made, "play b c3", "genmove w")
    player = made.engine.player
    new = player.new_search
    kept = list[object]()

    def noted(position: Position) -> Search:
        kept.append(player._search)
        return new(position)

    monkeypatch.setattr(player, "new_search", noted)
    ask_all(made, "gg-undo 2", "genmove b")
    assert kept == [None]


def test_record_without_memory_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    made = server(record=tmp_path / "game.sgf")
    monkeypatch.setattr("pinchtp.records.sgf.files.to_sgf", no_memory)
    list(made.answers(["play b c3", "play w d4"]))
    assert capfd.readouterr().err == f"pinchtp: {tmp_path / 'game.sgf'}: out of memory\n"


def test_too_large_response_is_rejected(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Such as the list of all turns."""

    def small_only(descriptor: int, text: str) -> None:
        if len(text) > 100:
            raise MemoryError
        write_text(descriptor, text)

    monkeypatch.setattr("pinchtp.cli.write_text", small_only)
    assert main(["-e", "7 list_commands", "-e", "name"]) == 0
    assert capfd.readouterr() == ("?7 out of memory\n\n= pinchtp\n\n", "")


def test_program_without_memory_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pinchtp.cli.GtpEngine", no_memory)
    assert main(["-e", "name"]) == 1
    assert capfd.readouterr() == ("", "pinchtp: out of memory\n")
