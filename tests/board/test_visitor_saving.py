"""What a visitor's games survive: a full disk, a killed server, files that cannot be read."""

import asyncio
import errno
import json
from pathlib import Path

import pytest
from board.recorder import ask, refusal, visiting
from threads import until

from pinchtp.board.puzzles import load_puzzles
from pinchtp.board.requests.handler import handle
from pinchtp.board.storage import autosave, files
from pinchtp.board.storage.files import Library, VisitorStore
from pinchtp.board.storage.saved_table import load_table
from pinchtp.games import Color


class FullDisk(VisitorStore):
    """A store whose disk is full."""

    is_full = True

    def save(self, visitor: str, line: bytes) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().save(visitor, line)


async def test_full_disk_is_reported_before_the_move_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(autosave, "RETRY_AFTER", 0.05)

    async with visiting(tmp_path, store=FullDisk) as (visitor, page):
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
    assert "No space left" in capsys.readouterr().err


async def test_move_is_on_disk_when_pages_show_it(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (visitor, page):
        assert list(tmp_path.iterdir()) == []  # nothing was played yet
        ask(visitor, page, "play", at=40)
        (file,) = tmp_path.iterdir()
        assert load_table(file.read_bytes())[0].node.text == "E5"


async def test_click_is_saved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[str] = []
    monkeypatch.setattr(autosave, "SAVE_AFTER", 0.0)
    monkeypatch.setattr(VisitorStore, "save", lambda store, name, data: saved.append(name))

    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "play", at=40)
        await asyncio.sleep(0.01)  # no engine replies so soon
        assert len(saved) == 1


async def test_killed_server_loses_little_clock_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "CLOCK_SAVED_AFTER", 0.05)

    async with visiting(tmp_path) as (visitor, page):
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


async def test_opened_game_keeps_the_settings_of_the_visitor(tmp_path: Path) -> None:
    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "new-game")
        ask(visitor, page, "play-turn", text="c3")
        game = visitor.table.id
        ask(visitor, page, "new-game")
        ask(visitor, page, "set-options", teach=True, pace=5)
        ask(visitor, page, "open-game", game=game)
        assert (visitor.table.node.text, visitor.table.live) == ("C3", False)
        assert (visitor.table.teach, visitor.table.pace) == (True, 5)


@pytest.mark.parametrize("action", ["rename", "delete", "restore"])
async def test_library_request_that_fails_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Library, action, fail)

    async with visiting(tmp_path) as (visitor, page):
        fields = {"title": "First"} if action == "rename" else {}
        reason = refusal(visitor, page, f"{action}-game", game="0" * 16, **fields)
        assert reason == f"cannot {action} this game: Input/output error"


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
async def test_game_that_cannot_be_read_now_is_not_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, type: str, named: str
) -> None:
    """It was said not to be in the library, and puzzles did not return to it."""

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    async with visiting(tmp_path) as (visitor, page):
        ask(visitor, page, "play-turn", text="c3")
        puzzle = next(iter(load_puzzles()))
        ask(visitor, page, "open-puzzle", puzzle=puzzle)
        before = visitor.table.before
        assert before
        monkeypatch.setattr(files, "read_file", fail)
        monkeypatch.setattr(Path, "glob", fail)
        fields = {} if type in ("leave-puzzle", "ask-games") else {"game": before}
        fields |= {"kind": "sgf"} if type == "export" else {}
        rest = handle(visitor, page, json.dumps({"type": type, "id": 1, **fields}))
        if rest is not None:
            await rest
        does = f"open {named}" if named else "list your games"
        assert page.seen[-1]["text"] == f"cannot {does}: Input/output error"
        assert (visitor.table.puzzle, visitor.table.before) == (puzzle, before)
