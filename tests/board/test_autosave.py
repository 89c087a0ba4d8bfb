"""The saving of a table, without a visitor."""

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path

import pytest
from threads import until

from pinchtp.board.protocol.answers import Notice
from pinchtp.board.protocol.players import PlayerChoice, Players
from pinchtp.board.protocol.review import Review
from pinchtp.board.rating import Ratings
from pinchtp.board.storage import autosave
from pinchtp.board.storage.autosave import Autosave
from pinchtp.board.storage.files import TableFile, VisitorStore
from pinchtp.board.table import Table
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import cell_of
from pinchtp.games.session import Session


class Disk(TableFile):
    """A file that counts its saves, on a disk that may be full."""

    saves = 0
    is_full = False

    def save(self, table: Table, ratings: Ratings) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().save(table, ratings)
        self.saves += 1


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(VisitorStore(tmp_path), "visitor")


def saving(disk: Disk, table: Table, *, is_new: bool = False) -> tuple[Autosave, list[Notice]]:
    """Returns the saving of a table, and the list of its reports."""
    reports: list[Notice] = []
    return Autosave(disk, table, Ratings(), is_new=is_new, report=reports.append), reports


def set_field(name: str, value: object) -> Callable[[Table], None]:
    """Returns an edit of a table."""
    return lambda table: setattr(table, name, value)


EDITS: dict[str, Callable[[Table], None]] = {
    "move": lambda table: table.play_text("e5"),
    "position": lambda table: table.show(table.tree.root),
    "comment": lambda table: table.tree.comment(table.node, "Why?"),
    "deletion": lambda table: table.tree.delete(table.node),
    "resignation": lambda table: table.resign(Color.BLACK),
    "pause": lambda table: table.pause(),
    "rematch": lambda table: table.rematch(),
    "players": set_field("players", Players(white=PlayerChoice(name="Bo"))),
    "review": set_field("review", Review(0, 9, running=True, worst=[], own=[], forced=[])),
    "solved puzzle": lambda table: table.solved.add("1234"),
    "teach": set_field("teach", True),
    "pace": set_field("pace", 0.0),
    "unrated": set_field("unrated", "an engine gave help"),
    "counted": set_field("counted", True),
    "friend": set_field("friend", Color.WHITE),
    "invitation": set_field("invitation", "1"),
    "puzzle": set_field("puzzle", "1"),
}


@pytest.mark.parametrize("name", EDITS)
async def test_edit_is_saved_at_once(disk: Disk, name: str) -> None:
    table = Table()
    table.play_text("d4")
    file, _ = saving(disk, table)
    assert not file.save_edits()
    EDITS[name](table)
    assert file.save_edits()
    assert not file.save_edits()
    assert disk.saves == 1


async def test_step_of_a_move_is_saved_at_once(disk: Disk) -> None:
    table = Table()
    table.begin(Session(GAMES["bushka"], *GAMES["bushka"].size))
    file, _ = saving(disk, table)
    table.play_part(cell_of(table.session.position.legal_moves()[0], 10))
    assert table.chosen
    assert file.save_edits()


async def test_evaluations_are_saved_together(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "SAVE_AFTER", 0.05)

    table = Table()
    file, _ = saving(disk, table)
    for visits in (1, 2, 3):
        table.tree.set_winrate(table.node, 0.1 * visits, visits)
        assert not file.save_edits()
        file.save_soon()
    assert disk.saves == 0
    await until(lambda: disk.saves)
    await asyncio.sleep(0.1)
    assert disk.saves == 1


async def test_new_table_gets_no_file_before_the_first_edit(disk: Disk) -> None:
    table = Table()
    file, _ = saving(disk, table, is_new=True)
    assert not file.save_edits()
    file.close()
    assert disk.saves == 0
    table.play_text("e5")
    assert file.save_edits()


async def test_changes_lost_at_the_end_are_reported(
    disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table()
    file, _ = saving(disk, table)
    disk.is_full = True
    table.play_text("e5")
    file.save_edits()
    assert "without" not in capsys.readouterr().err
    file.close()
    assert "closed without its latest changes" in capsys.readouterr().err
