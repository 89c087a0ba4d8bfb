"""The visitors of a server: loading, unloading, and sockets that are refused."""

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest
from board.shared import make_shared
from threads import until

from pinchtp.board import server
from pinchtp.board.rating import Ratings
from pinchtp.board.storage import autosave
from pinchtp.board.storage.files import VisitorStore
from pinchtp.board.storage.saved_table import save_table
from pinchtp.board.table import Table
from pinchtp.board.visitor import Visitor


@asynccontextmanager
async def serving(folder: Path, *, most: int = 4) -> AsyncIterator[server.Visitors]:
    """A server's visitors. most: how many may be loaded."""
    loaded = server.Visitors(lambda: make_shared(folder), most)
    try:
        yield loaded
    finally:
        await loaded.close()


def opened() -> AsyncMock:
    """Returns the WebSocket of a page."""
    return AsyncMock(scope={"is_host": True, "address": ""})


async def test_refused_socket_leaves_the_timer_of_the_visitor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page too many does not keep the table loaded for good."""
    monkeypatch.setattr(server, "IDLE", 0.01)
    monkeypatch.setattr(server, "MOST_PAGES", 0)
    closed: list[Visitor] = []

    async def close(visitor: Visitor) -> None:
        closed.append(visitor)

    monkeypatch.setattr(Visitor, "close", close)
    async with serving(tmp_path) as loaded:
        assert await loaded.draw_board("host")
        websocket = AsyncMock()
        await server.visit(websocket, loaded, "host")
        websocket.close.assert_awaited_once()
        await until(lambda: closed)
        await asyncio.sleep(0.1)
        assert len(closed) == 1


async def test_visitor_that_fails_to_close_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def close(visitor: Visitor) -> None:
        raise RuntimeError("stuck")

    monkeypatch.setattr(Visitor, "close", close)
    async with serving(tmp_path, most=1) as loaded:
        assert await loaded.find("one")
        assert await loaded.find("other")
    assert "RuntimeError: stuck" in capsys.readouterr().err


async def test_unsaved_visitor_stays_until_it_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "IDLE", 0.01)
    monkeypatch.setattr(autosave, "RETRY_AFTER", 0.01)

    failing = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))

    async with serving(tmp_path, most=1) as loaded:
        with monkeypatch.context() as full:
            full.setattr(VisitorStore, "save", failing)
            visitor = await loaded.find("one")
            assert visitor
            visitor.table.play_text("e5")
            visitor.update()
            loaded.unload_later("one")
            await asyncio.sleep(0.1)
            assert await loaded.find("other") is None
            websocket = AsyncMock()
            await server.visit(websocket, loaded, "other")
            assert "cannot save games" in websocket.close.await_args[0][1]
            assert await loaded.find("one") is visitor
            loaded.unload_later("one")
        await until(lambda: VisitorStore(tmp_path).load("one"))
        assert await loaded.find("other")
        again = await loaded.find("one")
        assert again is not visitor
        assert again
        assert again.table.node.text == "E5"


async def test_page_that_cannot_enter_is_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = Mock(side_effect=RuntimeError("broken"))

    async with serving(tmp_path) as loaded:
        with monkeypatch.context() as broken:
            broken.setattr(Visitor, "_make_state", failing)
            with pytest.raises(RuntimeError):
                await server.visit(opened(), loaded, "host")
        assert not loaded._here["host"].presence.is_visited
        assert "host" in loaded._leaving


async def test_ended_invitation_does_not_load_the_host(tmp_path: Path) -> None:
    async with serving(tmp_path) as loaded:
        websocket = opened()
        await server.visit(websocket, loaded, "host", "friend", "ended")
        websocket.close.assert_awaited_once_with(1008, "This invitation has ended.")
        assert not loaded._here


async def test_invitation_that_ends_while_the_host_is_loaded_admits_nobody(tmp_path: Path) -> None:
    """The last line names the invitation, but the damaged table is replaced by a new one."""
    table = Table()
    table.invitation = "open"
    (tmp_path / "host.jsonl").write_bytes(b"{}\n" + save_table(table, Ratings()))

    async with serving(tmp_path) as loaded:
        websocket = opened()
        await server.visit(websocket, loaded, "host", "friend", "open")
        websocket.close.assert_awaited_once_with(1008, "This invitation has ended.")


async def test_unreadable_game_is_refused_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "host.jsonl"
    file.write_bytes(save_table(Table(), Ratings()) + b"\n")

    failing = Mock(side_effect=OSError(errno.EMFILE, "Too many open files"))

    async with serving(tmp_path) as loaded:
        websocket = opened()
        with monkeypatch.context() as full:
            full.setattr(VisitorStore, "load", failing)
            assert await loaded.draw_board("host") == ""
            await server.visit(websocket, loaded, "host")
        websocket.close.assert_awaited_once_with(1013, "Cannot read the game: Too many open files.")
        assert list(tmp_path.iterdir()) == [file]
        assert await loaded.draw_board("host")
    assert "Too many open files" in capsys.readouterr().err


async def test_damaged_game_that_cannot_be_set_aside_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "host.jsonl"
    file.write_bytes(b"{}")

    failing = Mock(side_effect=OSError(errno.EROFS, "Read-only file system"))

    async with serving(tmp_path) as loaded:
        websocket = opened()
        with monkeypatch.context() as full:
            full.setattr(Path, "replace", failing)
            await server.visit(websocket, loaded, "host")
        websocket.close.assert_awaited_once_with(
            1013, "Cannot read the game: Read-only file system."
        )
        assert file.read_bytes() == b"{}"
    assert "Read-only file system" in capsys.readouterr().err


async def test_server_closes_others_after_a_visitor_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    closed: list[Visitor] = []

    async def close(visitor: Visitor) -> None:
        closed.append(visitor)
        raise RuntimeError("stuck")

    monkeypatch.setattr(Visitor, "close", close)

    async with serving(tmp_path) as loaded:
        assert await loaded.find("one")
        assert await loaded.find("other")
    assert len(closed) == 2
    assert "RuntimeError: stuck" in capsys.readouterr().err
