"""A visitor without a server: jobs and messages."""

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from board.recorder import ask, load, refusal, visiting
from threads import until

from pinchtp.board import importing
from pinchtp.board import visitor as visitors
from pinchtp.board.engines.evaluation import Evaluation, JobContext
from pinchtp.board.importing import LoadedGame, read
from pinchtp.board.pages import MOST_WAITING, Page
from pinchtp.board.requests.registry import REQUESTS
from pinchtp.board.storage.files import Library
from pinchtp.board.table import Table
from pinchtp.board.tree import Node
from pinchtp.board.visitor import Visitor
from pinchtp.engine.analysis import Analysis
from pinchtp.games import Color


def test_every_request_is_described() -> None:
    assert len(REQUESTS) > 40
    assert all(function.__doc__ for function in REQUESTS.values())


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


async def test_click_builds_state_and_tree_once(tmp_path: Path, built: list[str]) -> None:
    """And once for the engine's reply."""
    async with visiting(tmp_path) as (visitor, page):
        players = {"white": {"engine": 0, "level": {"visits": 20}}}
        ask(visitor, page, "new-game", game="pinch", players=players, options={"pie": False})
        built.clear()
        page.types()
        ask(visitor, page, "play", at=40)
        assert built == ["describe_state", "describe_tree_change"]
        assert page.types() == ["state", "tree", "accepted"]
        await until(lambda: page.types()[-1:] == ["tree"])
        assert built == 2 * ["describe_state", "describe_tree_change"]


async def test_click_during_tasks_builds_state_and_tree_once(
    tmp_path: Path, built: list[str]
) -> None:
    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "set-options", teach=True)
        ask(visitor, page, "analyze", on=True)
        await asyncio.sleep(0.1)
        built.clear()
        ask(visitor, page, "play", at=40)
        assert built == ["describe_state", "describe_tree_change"]


async def test_unchanged_state_is_not_sent(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (visitor, page):
        assert page.types() == ["hello", "state", "tree"]
        ask(visitor, page, "set-options", teach=False)
        ask(visitor, page, "comment", node=0, text="hello")
        ask(visitor, page, "play", at=10**6)
        assert page.types() == ["accepted", "tree", "accepted", "refused"]


async def test_page_that_does_not_read_holds_few_bytes() -> None:
    page = Page()
    for number in range(1000):
        page.send(f'{{"type":"state",{"x" * 100_000}}}')
        page.send(f'{{"type":"notice",{number}}}')
    assert not page.is_slow
    sent = await page.next()
    assert sent.startswith('{"type":"state"')
    while not page.is_slow:
        page.send(f'{{"type":"exported",{"x" * 1_000_000}}}')
    waiting = page._size
    page.send("x" * 1_000_000)
    assert page._size == waiting <= MOST_WAITING + 1_001_000


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
async def test_request_that_unrates_the_game_is_named(
    tmp_path: Path, type: str, fields: dict[str, Any], reason: str
) -> None:
    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "play", at=40)
        assert page.seen[0]["type"] == "hello"
        ask(visitor, page, type, **fields)
        state = next(each for each in page.seen[::-1] if each["type"] == "state")
        assert state["unrated"] == reason


async def test_game_without_a_rated_opponent_is_unrated(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "new-game")
        assert "between a human and an engine" in visitor._explain_unrated()
        ask(visitor, page, "new-game", players={"white": {"engine": 0, "level": {"seconds": 5}}})
        assert "no rating" in visitor._explain_unrated()


async def test_loaded_names_become_players(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (visitor, page):
        await load(visitor, page, "(;SZ[5]RU[pinch]PB[Ada]PW[pinchtp];B[cc])")
        players = visitor.table.players
        assert (players.black.name, players.black.engine, players.white.engine) == ("Ada", None, 0)
        assert visitor.names(visitor.table) == ("Ada", "pinchtp")


async def test_closed_visitor_is_not_updated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    updates = list[Visitor]()

    def update(visitor: Visitor) -> None:
        updates.append(visitor)

    async with visiting(tmp_path) as (visitor, _):
        visitor.update_soon()
        monkeypatch.setattr(Visitor, "update", update)
        await visitor.close()
        visitor.update_soon()
        await asyncio.sleep(0.01)  # nothing follows
    assert len(updates) == 1  # by `leave`


async def test_large_file_of_a_visitor_does_not_stop_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Event()

    def wait_for_reading(text: str, table: Table) -> LoadedGame:
        assert reading.wait(10)  # until another request has been handled
        return read(text, table)

    monkeypatch.setattr(importing, "read", wait_for_reading)

    async with visiting(tmp_path) as (visitor, page):
        text = "(;SZ[5]RU[pinch];B[cc](;W[aa])(;W[cc];B[cc];W[cc]))(;SZ[4]RU[pinch])"
        loading = asyncio.create_task(load(visitor, page, text))
        await asyncio.sleep(0.01)
        ask(visitor, page, "play", at=40)
        reading.set()
        await loading
        assert visitor.table.tree.start.width == 5
        assert [each["text"] for each in page.seen if each["type"] == "notice"] == [
            "There are 2 games: the first was loaded.",
            "Variations kept in the file, but not shown: 1. The first one: move 3: C3 is occupied.",
        ]
        reading.clear()
        loading = asyncio.create_task(load(visitor, page, "c3 d4"))
        await asyncio.sleep(0.01)
        ask(visitor, page, "new-game", size=[4, 4])
        reading.set()
        await loading
        assert page.seen[-1]["text"].startswith("another game was started")
        assert len(visitor.table.tree) == 1


async def test_deletion_during_a_review_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with visiting(tmp_path) as (visitor, page):
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
        while visitor.pending.list_kinds():
            await asyncio.sleep(0)
        last = next(each for each in page.seen[::-1] if each["type"] == "review")
        assert (last["running"], last["done"], last["total"]) == (False, 2, 2)
        assert visitor.table.review is None
        ask(visitor, page, "step", by=-1)
        assert page.seen[-1]["type"] == "accepted"


@pytest.mark.parametrize(
    ("type", "fields", "reason"),
    [
        ("answer-teaching", {"take_back": True}, "there is no warning to answer"),
        ("rematch", {}, "the game is not over"),
    ],
)
async def test_repeated_request_changes_nothing(
    tmp_path: Path, type: str, fields: dict[str, Any], reason: str
) -> None:
    """The second click of a double click."""
    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "new-game")
        ask(visitor, page, "play-turn", text="c3")
        assert refusal(visitor, page, type, **fields) == reason
        assert visitor.table.node.text == "C3"


async def test_invitation_ends_the_evaluation_of_a_move(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "new-game")
        ask(visitor, page, "play-turn", text="c3")
        visitor.table.to_judge = visitor.table.node
        ask(visitor, page, "invite", color="white")
        assert visitor.table.to_judge is None


async def test_friend_keeps_the_invitation_if_a_new_game_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with visiting(tmp_path) as (visitor, page):
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


@pytest.mark.parametrize("type", ["analysis", "review"])
async def test_message_about_a_state_follows_it(type: str) -> None:
    page = Page()
    page.send(f'{{"type":"{type}","game":1}}')
    page.send('{"type":"state","game":2}')
    page.send(f'{{"type":"{type}","game":2}}')
    sent = [await page.next(), await page.next()]
    assert sent == ['{"type":"state","game":2}', f'{{"type":"{type}","game":2}}']
    assert page._size == 0


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
async def test_input_ends_the_idle_time(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    type: str,
    fields: dict[str, Any],
    is_input: bool,
) -> None:
    monkeypatch.setattr(Visitor, "_run", lambda *_: None)  # the engine

    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "new-game")
        ask(visitor, page, "play-turn", text="c3")
        visitor.presence._touched = -1e6
        ask(visitor, page, type, **fields)
        assert (visitor.presence.until_idle > 0) == is_input
