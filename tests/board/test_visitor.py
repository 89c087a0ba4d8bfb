"""A visitor without a server: jobs and messages."""

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from board.shared import OUR_ENGINE, make_shared
from threads import call_in_new_thread, until

from pinchtp.board import autosave, importing, storage
from pinchtp.board import visitor as visitors
from pinchtp.board.evaluation import Evaluation, JobContext
from pinchtp.board.importing import LoadedGame, read
from pinchtp.board.jobs import ExpectTask, MoveTask, ThinkTask
from pinchtp.board.pages import MOST_WAITING, Page
from pinchtp.board.puzzles import load_puzzles
from pinchtp.board.requests.engines import HOST_COMMANDS
from pinchtp.board.requests.handler import handle
from pinchtp.board.requests.registry import REQUESTS
from pinchtp.board.saved_table import load_table
from pinchtp.board.storage import Library, VisitorStore
from pinchtp.board.table import Table
from pinchtp.board.table_engine import EngineCommand
from pinchtp.board.tree import Node, RequestError
from pinchtp.board.visitor import Visitor
from pinchtp.engine.analysis import Analysis
from pinchtp.games import Color
from pinchtp.gtp import server as _server  # noqa: F401  (registers the commands)
from pinchtp.gtp.commands import COMMANDS


def test_every_request_is_described() -> None:
    assert len(REQUESTS) > 40
    assert all(function.__doc__ for function in REQUESTS.values())


class Recorder(Page):
    """A page that records its messages."""

    def __init__(self, *, is_host: bool) -> None:
        super().__init__(is_host=is_host)
        self.seen: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.seen.append(json.loads(text))

    def types(self) -> list[str]:
        """Returns the types of the messages since the last call."""
        found = [message["type"] for message in self.seen]
        self.seen = []
        return found


FOREIGN_ENGINE = EngineCommand("other", "/secret/path", own=False, memory_mb=100, patience=1.0)

Visit = Callable[[Visitor, Recorder], Awaitable[None]]


def visiting(
    folder: Path,
    visit: Visit,
    *,
    is_host: bool = True,
    engine: EngineCommand = OUR_ENGINE,
    store: type[VisitorStore] = VisitorStore,
) -> None:
    """Runs a visit of a new visitor with one page."""

    async def run() -> None:
        shared = make_shared(folder, engine, store)
        visitor = Visitor(shared, "visitor")
        page = Recorder(is_host=is_host)
        visitor.enter(page)
        try:
            await visit(visitor, page)
        finally:
            visitor.leave(page)
            await visitor.close()
            await shared.pool.close()

    call_in_new_thread(lambda: asyncio.run(run()))


def ask(visitor: Visitor, page: Page, type: str, **fields: Any) -> None:
    """Sends a request that is handled immediately."""
    assert handle(visitor, page, json.dumps({"type": type, "id": 1, **fields})) is None


async def load(visitor: Visitor, page: Page, text: str) -> None:
    rest = handle(visitor, page, json.dumps({"type": "load", "id": 1, "text": text}))
    assert rest is not None
    await rest


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records the names of the messages built."""
    found: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        function = getattr(visitors, name)

        def call(*arguments: Any) -> Any:
            found.append(name)
            return function(*arguments)

        return call

    for name in ("describe_state", "describe_tree", "describe_tree_change"):
        monkeypatch.setattr(visitors, name, counted(name))
    return found


def test_click_builds_state_and_tree_once(tmp_path: Path, built: list[str]) -> None:
    """And once for the engine's reply."""

    async def visit(visitor: Visitor, page: Recorder) -> None:
        players = {"white": {"engine": 0, "level": {"visits": 20}}}
        ask(visitor, page, "new-game", game="pinch", players=players, options={"pie": False})
        built.clear()
        page.types()
        ask(visitor, page, "play", at=40)
        assert built == ["describe_state", "describe_tree_change"]
        assert page.types() == ["state", "tree", "accepted"]
        await until(lambda: page.types()[-1:] == ["tree"])
        assert built == 2 * ["describe_state", "describe_tree_change"]

    visiting(tmp_path, visit)


def test_click_during_tasks_builds_state_and_tree_once(tmp_path: Path, built: list[str]) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "set-options", teach=True)
        ask(visitor, page, "analyze", on=True)
        await asyncio.sleep(0.1)
        built.clear()
        ask(visitor, page, "play", at=40)
        assert built == ["describe_state", "describe_tree_change"]

    visiting(tmp_path, visit)


def test_unchanged_state_is_not_sent(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        assert page.types() == ["hello", "state", "tree"]
        ask(visitor, page, "set-options", teach=False)
        ask(visitor, page, "comment", node=0, text="hello")
        ask(visitor, page, "play", at=10**6)
        assert page.types() == ["accepted", "tree", "accepted", "refused"]

    visiting(tmp_path, visit)


def test_failed_job_is_not_restarted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    async def fail(context: object, job: visitors.Job[ExpectTask]) -> None:
        started.append(job.task.kind)
        raise visitors.EngineFailed("no engine")

    monkeypatch.setitem(visitors.WORK, ExpectTask, fail)

    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "set-options", teach=True)
        for _ in range(3):
            await asyncio.sleep(0)
            visitor.update()
        assert started == ["expect"]

    visiting(tmp_path, visit)


def refusal(visitor: Visitor, page: Recorder, type: str, **fields: Any) -> str:
    """Sends a request that must be rejected, perhaps with other messages; returns the reason."""
    page.seen.clear()
    ask(visitor, page, type, **fields)
    (found,) = (each["text"] for each in page.seen if each["type"] == "refused")
    return str(found)


@pytest.mark.parametrize(
    "line",
    [
        "printsgf /tmp/x",
        "loadsgf /tmp/x",
        "pinchtp-loadrecord /tmp/x",
        "7 printsgf /tmp/x",
        "print\u0001sgf /tmp/x",
        "PRINTSGF /tmp/x",
        "\tprintsgf /tmp/x",
        "pinchtp-param threads 3",
        "kata-set-param numSearchThreads 3",
        "quit",
    ],
)
def test_console_of_a_guest_rejects_files_and_limits(tmp_path: Path, line: str) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        assert "reserved for the host" in refusal(visitor, page, "console-command", line=line)
        assert list(visitor.wishes) == []

    visiting(tmp_path, visit, is_host=False)


def test_guest_gets_no_console_of_a_foreign_engine(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        (info,) = page.seen[0]["engines"]
        assert not info["console"]
        assert "/secret/path" not in json.dumps(page.seen)
        assert "reserved" in refusal(visitor, page, "console-command", line="name")
        page.watches_engines = True
        page.seen.clear()
        visitor._traffic(0, "<", "/secret/file")
        assert page.seen == []

    visiting(tmp_path, visit, is_host=False, engine=FOREIGN_ENGINE)


def test_guest_has_less_thinking_time(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        players = {"white": {"engine": 0, "level": {"seconds": 61}}}
        assert "at most 60 s" in refusal(visitor, page, "new-game", players=players)
        assert "at most 60 s" in refusal(visitor, page, "set-players", players=players)
        assert "at most 60 s" in refusal(visitor, page, "solve", seconds=61)
        slow = {"players": {"white": {"engine": 0}}, "time": {"main": 1e6}}
        assert "at most 60 s" in refusal(visitor, page, "new-game", **slow)
        ask(visitor, page, "new-game", time={"main": 1e6})

    visiting(tmp_path, visit, is_host=False)


def test_console_command_that_takes_long_is_shown_and_stopped(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "console-command", line="pinchtp-perft 9")
        await until(lambda: visitor.wishes.list_kinds() == ["console"])
        assert "another command" in refusal(visitor, page, "console-command", line="name")
        assert visitor.wishes.list_kinds() == ["console"]
        ask(visitor, page, "stop", task="console")
        ask(visitor, page, "console-command", line="name")
        await until(lambda: any("= pinchtp" in str(each) for each in page.seen))

    visiting(tmp_path, visit)


def test_console_command_of_a_guest_ends_in_time(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        visitor.think = 0.5
        ask(visitor, page, "console-command", line="pinchtp-perft 9")
        await until(lambda: any("engine restarted" in str(each) for each in page.seen))

    visiting(tmp_path, visit, is_host=False)


class FullDisk(VisitorStore):
    """A store whose disk is full."""

    is_full = True

    def save(self, visitor: str, line: bytes) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().save(visitor, line)


def test_full_disk_is_reported_before_the_move_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(autosave, "RETRY_AFTER", 0.05)

    async def visit(visitor: Visitor, page: Recorder) -> None:
        page.seen.clear()
        ask(visitor, page, "play", at=40)
        notice, state = page.seen[:2]
        assert notice["text"] == "Cannot save the game: No space left on device."
        assert not state["saved"]
        ask(visitor, page, "undo")
        assert [each["type"] for each in page.seen].count("notice") == 1
        monkeypatch.setattr(FullDisk, "is_full", False)
        await until(lambda: page.seen[-1].get("saved"))
        assert "saved again" in next(e["text"] for e in page.seen[::-1] if e["type"] == "notice")

    visiting(tmp_path, visit, store=FullDisk)
    assert "No space left" in capsys.readouterr().err


def test_move_is_on_disk_when_pages_show_it(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        assert list(tmp_path.iterdir()) == []  # nothing was played yet
        ask(visitor, page, "play", at=40)
        (file,) = tmp_path.iterdir()
        assert load_table(file.read_bytes())[0].node.text == "E5"

    visiting(tmp_path, visit)


def test_click_is_saved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[str] = []
    monkeypatch.setattr(autosave, "SAVE_AFTER", 0.0)
    monkeypatch.setattr(VisitorStore, "save", lambda store, name, data: saved.append(name))

    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "play", at=40)
        await asyncio.sleep(0.01)  # no engine replies so soon
        assert len(saved) == 1

    visiting(tmp_path, visit)


def test_killed_server_loses_little_clock_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "CLOCK_SAVED_AFTER", 0.05)

    async def visit(visitor: Visitor, page: Recorder) -> None:
        options = {"pie": False}
        ask(visitor, page, "new-game", game="pinch", options=options, time={"main": 60.0})
        ask(visitor, page, "play", at=40)
        (file,) = tmp_path.iterdir()

        def left_on_disk() -> float:
            killed, *_ = load_table(file.read_bytes())
            return killed.clock(Color.WHITE).left

        await until(lambda: left_on_disk() < 60 - 0.3)
        lost = left_on_disk() - visitor.table.clock(Color.WHITE).left
        assert 0 <= lost < 5  # 60 without saving the clock

    visiting(tmp_path, visit)


def test_page_that_does_not_read_holds_few_bytes() -> None:
    page = Page()
    for number in range(1000):
        page.send(f'{{"type":"state",{"x" * 100_000}}}')
        page.send(f'{{"type":"notice",{number}}}')
    assert not page.is_slow
    sent = call_in_new_thread(lambda: asyncio.run(page.next()))
    assert sent.startswith('{"type":"state"')
    while not page.is_slow:
        page.send(f'{{"type":"exported",{"x" * 1_000_000}}}')
    waiting = page._size
    page.send("x" * 1_000_000)
    assert page._size == waiting <= MOST_WAITING + 1_001_000


@pytest.mark.parametrize("type", ["think", "analyze", "ask-hint", "ask-review", "console-command"])
def test_engine_number_below_zero_is_rejected(tmp_path: Path, type: str) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        needed = {"analyze": {"on": True}, "console-command": {"line": "name"}}
        page.seen.clear()
        ask(visitor, page, type, engine=-1, **needed.get(type, {}))
        assert page.seen[-1]["text"] == "engine: expected at least 0"

    visiting(tmp_path, visit)


@pytest.mark.parametrize(
    ("type", "fields", "reason"),
    [
        ("ask-overlay", {"command": "pinchtp-winrates"}, "an engine gave help"),
        ("analyze", {"on": True}, "an engine gave help"),
        ("think", {}, "an engine moved for the player"),
        ("set-players", {"players": {}}, "the players were changed"),
        ("undo", {}, "a move was taken back"),
        ("set-options", {"pace": 1}, ""),
    ],
)
def test_request_that_unrates_the_game_is_named(
    tmp_path: Path, type: str, fields: dict[str, Any], reason: str
) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "play", at=40)
        assert page.seen[0]["type"] == "hello"
        ask(visitor, page, type, **fields)
        state = next(each for each in page.seen[::-1] if each["type"] == "state")
        assert state["unrated"] == reason

    visiting(tmp_path, visit)


def test_game_without_a_rated_opponent_is_unrated(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "new-game")
        assert "between a human and an engine" in visitor._explain_unrated()
        ask(visitor, page, "new-game", players={"white": {"engine": 0, "level": {"seconds": 5}}})
        assert "no rating" in visitor._explain_unrated()

    visiting(tmp_path, visit)


def test_loaded_names_become_players(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        await load(visitor, page, "(;SZ[5]RU[pinch]PB[Ada]PW[pinchtp];B[cc])")
        players = visitor.table.players
        assert (players.black.name, players.black.engine, players.white.engine) == ("Ada", None, 0)
        assert visitor.names(visitor.table) == ("Ada", "pinchtp")

    visiting(tmp_path, visit)


def test_closed_visitor_is_not_updated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    updates = list[Visitor]()

    def update(visitor: Visitor) -> None:
        updates.append(visitor)

    async def visit(visitor: Visitor, _: Recorder) -> None:
        visitor.update_soon()
        monkeypatch.setattr(Visitor, "update", update)
        await visitor.close()
        visitor.update_soon()
        await asyncio.sleep(0.01)  # nothing follows

    visiting(tmp_path, visit)
    assert len(updates) == 1  # by `leave`


def test_large_file_of_a_visitor_does_not_stop_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Event()

    def wait_for_reading(text: str, table: Table) -> LoadedGame:
        assert reading.wait(10)  # until another request has been handled
        return read(text, table)

    monkeypatch.setattr(importing, "read", wait_for_reading)

    async def visit(visitor: Visitor, page: Recorder) -> None:
        text = "(;SZ[5]RU[pinch];B[cc](;W[aa])(;W[cc];B[cc];W[cc]))"
        loading = asyncio.create_task(load(visitor, page, text))
        await asyncio.sleep(0.01)
        ask(visitor, page, "play", at=40)
        reading.set()
        await loading
        assert visitor.table.tree.start.width == 5
        (notice,) = (each["text"] for each in page.seen if each["type"] == "notice")
        assert notice == (
            "Variations kept in the file, but not shown: 1. The first one: move 3: C3 is occupied."
        )
        reading.clear()
        loading = asyncio.create_task(load(visitor, page, "c3 d4"))
        await asyncio.sleep(0.01)
        ask(visitor, page, "new-game", size=[4, 4])
        reading.set()
        await loading
        assert page.seen[-1]["text"].startswith("another game was started")
        assert len(visitor.table.tree) == 1

    visiting(tmp_path, visit)


def test_deletion_during_a_review_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        reached, deleted = asyncio.Event(), asyncio.Event()

        async def evaluate(
            context: JobContext, engine: int, node: Node, visits: int, *_: object, **__: object
        ) -> Evaluation:
            if node.text == "D4":
                reached.set()
                await deleted.wait()
            context.table.tree.set_winrate(node, 0.5, visits)
            return Evaluation(Analysis.unknown(context.table.tree.session(node)))

        monkeypatch.setattr(JobContext, "evaluate", evaluate)
        ask(visitor, page, "new-game")
        for text in ("c3", "d4"):
            ask(visitor, page, "play-turn", text=text)
        ask(visitor, page, "ask-review")
        await reached.wait()
        ask(visitor, page, "delete", node=2)
        deleted.set()
        while visitor.wishes.list_kinds():
            await asyncio.sleep(0)
        last = next(each for each in page.seen[::-1] if each["type"] == "review")
        assert (last["running"], last["done"], last["total"]) == (False, 2, 2)
        assert visitor.table.review is None
        ask(visitor, page, "step", by=-1)
        assert page.seen[-1]["type"] == "accepted"

    visiting(tmp_path, visit)


@pytest.mark.parametrize(
    ("type", "fields", "reason"),
    [
        ("answer-teaching", {"take_back": True}, "there is no warning to answer"),
        ("rematch", {}, "the game is not over"),
    ],
)
def test_repeated_request_changes_nothing(
    tmp_path: Path, type: str, fields: dict[str, Any], reason: str
) -> None:
    """The second click of a double click."""

    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "new-game")
        ask(visitor, page, "play-turn", text="c3")
        assert refusal(visitor, page, type, **fields) == reason
        assert visitor.table.node.text == "C3"

    visiting(tmp_path, visit)


def test_invitation_ends_the_evaluation_of_a_move(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "new-game")
        ask(visitor, page, "play-turn", text="c3")
        visitor.table.to_judge = visitor.table.node
        ask(visitor, page, "invite", color="white")
        assert visitor.table.to_judge is None

    visiting(tmp_path, visit)


def test_friend_keeps_the_invitation_if_a_new_game_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "new-game")
        ask(visitor, page, "invite", color="white")
        invitation = visitor.table.invitation
        ask(visitor, page, "play-turn", text="c3")
        monkeypatch.setattr(Library, "save", fail)
        players = {"white": {"engine": 0}}
        assert "No space left" in refusal(visitor, page, "new-game", players=players)
        assert (visitor.table.friend, visitor.table.invitation) == (Color.WHITE, invitation)
        ask(visitor, page, "resign")
        assert "No space left" in refusal(visitor, page, "rematch")
        assert visitor.table.friend == Color.WHITE

    visiting(tmp_path, visit)


def test_opened_game_keeps_the_settings_of_the_visitor(tmp_path: Path) -> None:
    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "new-game")
        ask(visitor, page, "play-turn", text="c3")
        game = visitor.table.id
        ask(visitor, page, "new-game")
        ask(visitor, page, "set-options", teach=True, pace=5)
        ask(visitor, page, "open-game", game=game)
        assert (visitor.table.node.text, visitor.table.live) == ("C3", False)
        assert (visitor.table.teach, visitor.table.pace) == (True, 5)

    visiting(tmp_path, visit)


@pytest.mark.parametrize("action", ["rename", "delete", "restore"])
def test_library_request_that_fails_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Library, action, fail)

    async def visit(visitor: Visitor, page: Recorder) -> None:
        fields = {"title": "First"} if action == "rename" else {}
        reason = refusal(visitor, page, f"{action}-game", game="0" * 16, **fields)
        assert reason == f"cannot {action} this game: Input/output error"

    visiting(tmp_path, visit)


@pytest.mark.parametrize(
    ("type", "named"),
    [
        ("open-game", "this game"),
        ("ask-picture", "this game"),
        ("export", "this game"),
        ("leave-puzzle", "your game"),
        ("ask-games", ""),
    ],
)
def test_game_that_cannot_be_read_now_is_not_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, type: str, named: str
) -> None:
    """It was said not to be in the library, and puzzles did not return to it."""

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "play-turn", text="c3")
        puzzle = next(iter(load_puzzles()))
        ask(visitor, page, "open-puzzle", puzzle=puzzle)
        before = visitor.table.before
        assert before
        monkeypatch.setattr(storage, "read_file", fail)
        monkeypatch.setattr(Path, "glob", fail)
        fields = {} if type in ("leave-puzzle", "ask-games") else {"game": before}
        fields |= {"kind": "sgf"} if type == "export" else {}
        rest = handle(visitor, page, json.dumps({"type": type, "id": 1, **fields}))
        if rest is not None:
            await rest
        does = f"open {named}" if named else "list your games"
        assert page.seen[-1]["text"] == f"cannot {does}: Input/output error"
        assert (visitor.table.puzzle, visitor.table.before) == (puzzle, before)

    visiting(tmp_path, visit)


def test_refused_engine_move_is_no_longer_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(context: object, job: object) -> None:
        raise RequestError("too many moves")

    monkeypatch.setitem(visitors.WORK, MoveTask, refuse)

    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "new-game")
        ask(visitor, page, "think")
        assert ThinkTask in visitor.wishes
        while visitor._tasks:
            await asyncio.sleep(0)
        assert ThinkTask not in visitor.wishes
        await asyncio.sleep(0)
        last = next(each for each in page.seen[::-1] if each["type"] == "state")
        assert last["thinking"] is None

    visiting(tmp_path, visit)


@pytest.mark.parametrize("type", ["analysis", "review"])
def test_message_about_a_state_follows_it(type: str) -> None:
    page = Page()
    page.send(f'{{"type":"{type}","game":1}}')
    page.send('{"type":"state","game":2}')
    page.send(f'{{"type":"{type}","game":2}}')

    async def receive() -> list[str]:
        return [await page.next(), await page.next()]

    sent = call_in_new_thread(lambda: asyncio.run(receive()))
    assert sent == ['{"type":"state","game":2}', f'{{"type":"{type}","game":2}}']
    assert page._size == 0


def test_commands_with_files_are_reserved_for_the_host() -> None:
    with_files = {name for name, command in COMMANDS.items() if "--no-files" in command.fails}
    assert len(with_files) >= 4
    assert with_files <= HOST_COMMANDS <= COMMANDS.keys()


@pytest.mark.parametrize(
    ("type", "fields", "is_input"),
    [
        ("ping", {}, False),
        ("ask-overlay", {"command": "pinchtp-winrates"}, False),
        ("judge-move", {}, False),
        ("set-visible", {"visible": False}, False),
        ("set-visible", {"visible": True}, True),
        ("undo", {}, True),
    ],
)
def test_input_ends_the_idle_time(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    type: str,
    fields: dict[str, Any],
    is_input: bool,
) -> None:
    monkeypatch.setattr(Visitor, "_run", lambda *_: None)  # the engine

    async def visit(visitor: Visitor, page: Recorder) -> None:
        ask(visitor, page, "new-game")
        ask(visitor, page, "play-turn", text="c3")
        visitor.presence._touched = -1e6
        ask(visitor, page, type, **fields)
        assert (visitor.presence.until_idle > 0) == is_input

    visiting(tmp_path, visit)
