"""The library: stored games, and what brings back a game or a branch."""

from pathlib import Path
from time import sleep
from typing import Any
from unittest.mock import patch

import pytest
from board.visits import Visit, engine

from pinchtp.board.importing import read
from pinchtp.board.storage import files as libraries
from pinchtp.board.storage.files import Library
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.board.view import summarize_game


def play(visit: Visit, *moves: str) -> None:
    for text in moves:
        visit.ask("play-turn", "state", text=text)


def games(visit: Visit) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = visit.ask("ask-games", "games", id=1)["games"]
    return found


REPLACEMENTS = {
    "new-game": {"game": "pinch"},
    "set-up": {"cells": [0] * 25, "to_move": "black", "size": [5, 5]},
    "load": {"text": "(;SZ[5]RU[pinch];B[cc])"},
}


@pytest.mark.parametrize("type", REPLACEMENTS)
def test_replaced_game_can_be_brought_back(visit: Visit, type: str) -> None:
    visit.new_game("pinch", 5, options={"pie": False})
    play(visit, "c3", "d4")
    stored = visit.ask(type, "game-stored", **REPLACEMENTS[type])["game"]
    (summary,) = games(visit)
    assert summary["id"] == stored
    assert (summary["moves"], summary["result"], summary["width"]) == (2, "", 5)
    assert summary["board"] is None
    picture = visit.ask("ask-picture", "game-picture", game=summary["id"])
    assert picture["board"]["width"] == 5
    visit.send("open-game", game=stored)
    state = visit.wait("state", where=lambda state: state["number"] == 2)
    assert state["options"]["pie"] is False
    assert not state["live"]
    assert visit.moves() == ["C3", "D4"]


def test_game_before_a_rematch_can_be_brought_back(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    play(visit, "c3", "d4")
    visit.ask("resign", "state")
    stored = visit.ask("rematch", "game-stored")["game"]
    visit.ask("open-game", "state", game=stored)
    assert visit.moves() == ["C3", "D4", "black resigns"]


@pytest.mark.parametrize(
    ("goes_on", "fields"), [("resume", {}), ("undo", {}), ("delete", {"node": 3})]
)
def test_finished_game_stays_when_it_goes_on(
    visit: Visit, goes_on: str, fields: dict[str, int]
) -> None:
    """It was the same game afterwards, with another end."""
    visit.new_game("pinch", 5, options={"pie": False}, players={"white": engine()})
    play(visit, "c3")
    visit.until(lambda state: state["number"] == 2)
    visit.send("resign")
    visit.until(lambda state: bool(state["result"]))
    if goes_on == "resume":
        visit.ask("go", "state", node=2)
    stored = visit.ask(goes_on, "game-stored", **fields)["game"]
    state = visit.until(lambda state: not state["ended"])
    assert state["unrated"] == "it continues a finished game"
    (summary,) = games(visit)
    assert (summary["id"], summary["moves"], summary["winner"]) == (stored, 2, "white")
    visit.ask("new-game", "game-stored", game="bushka")
    (continued,) = (each for each in games(visit) if each["id"] != stored)
    assert (continued["result"], continued["moves"]) == ("", 2)


def test_game_keeps_the_time_of_its_last_move(visit: Visit) -> None:
    """Opened and stored again later, it had been played then."""
    visit.new_game("pinch", 5)
    play(visit, "c3")
    first = visit.ask("new-game", "game-stored", game="bushka")["game"]
    (summary,) = games(visit)
    sleep(1.1)
    visit.ask("open-game", "state", game=first)
    visit.ask("new-game", "game-stored", game="bushka")
    (again,) = games(visit)
    assert again["played"] == summary["played"] > 0
    assert again["stored"] > summary["stored"]


def test_game_without_moves_is_not_stored(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    visit.new_game("bushka")
    assert games(visit) == []
    assert "not in the library" in visit.refused("open-game", game="../../secret")
    assert "not in the library" in visit.refused("delete-game", game="0" * 16)


def test_stored_game_is_renamed_exported_and_deleted(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    play(visit, "c3")
    visit.send("resign")
    visit.wait("state", where=lambda state: bool(state["result"]))
    game = visit.ask("new-game", "game-stored", game="bushka")["game"]
    visit.ask("rename-game", "accepted", game=game, title="First win", id=2)
    (summary,) = games(visit)
    assert (summary["title"], summary["result"]) == ("First win", "Black wins: White has resigned")
    record = visit.ask("export", "exported", kind="sgf", game=game)
    assert "GN[First win]" in record["text"]
    assert record["name"].startswith("pinch-")
    assert visit.state["game"] == "bushka"
    visit.ask("delete-game", "accepted", game=game, id=3)
    assert games(visit) == []
    visit.ask("restore-game", "accepted", game=game, id=4)
    assert [each["title"] for each in games(visit)] == ["First win"]


def test_opened_game_is_not_listed_twice(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    play(visit, "c3")
    first = visit.ask("new-game", "game-stored", game="pinch", size=[5, 5])["game"]
    play(visit, "d4")
    second = visit.ask("open-game", "game-stored", game=first)["game"]
    assert [each["id"] for each in games(visit)] == [second]
    visit.ask("open-game", "game-stored", game=second)
    assert [each["id"] for each in games(visit)] == [first]


def test_reopened_record_is_still_a_loaded_one(visit: Visit) -> None:
    visit.ask("load", "state", text="(;GM[1]SZ[5];B[cc])")
    assert visit.state["loaded"]
    assert visit.seen["notice"]["serial"] == visit.state["serial"]
    stored = visit.ask("new-game", "game-stored", game="bushka")["game"]
    assert not visit.wait("state")["loaded"]
    assert visit.ask("open-game", "state", game=stored)["loaded"]


def test_stored_copy_does_not_replace_the_game_on_the_board(visit: Visit) -> None:
    """Another tab still lists the game that this one has opened and continued."""
    visit.new_game("pinch", 5, options={"pie": False})
    play(visit, "c3")
    game = visit.ask("new-game", "game-stored", game="bushka")["game"]
    visit.ask("open-game", "state", game=game)
    play(visit, "d4")
    visit.ask("open-game", "accepted", game=game, id=2)
    visit.ask("rename-game", "accepted", game=game, title="First", id=3)
    assert ";W[" in visit.ask("export", "exported", kind="sgf", game=game)["text"]
    visit.ask("delete-game", "accepted", game=game, id=4)
    visit.ask("new-game", "game-stored", game="bushka")
    visit.ask("restore-game", "accepted", game=game, id=5)
    (summary,) = games(visit)
    assert (summary["moves"], summary["title"]) == (2, "First")


def test_deleted_branch_can_be_brought_back(visit: Visit) -> None:
    visit.new_game("pinch", 5)
    play(visit, "c3", "d4", "a1")
    assert visit.moves()[2:] == ["A1"]
    tree = visit.seen["tree"]
    visit.ask("delete", "state", node=2)
    visit.ask("undelete", "state")
    assert visit.moves() == ["C3", "D4", "A1"]
    assert visit.seen["tree"]["nodes"] == tree["nodes"]
    assert visit.refused("undelete") == "nothing to restore"


def test_library_is_bounded_and_drops_deleted_games_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library(tmp_path / "games")
    table = Table()
    ids = []
    for number in range(10):
        table.load(*_loaded(table))
        table.header = table.header.__class__(name=f"{number}")
        library.save(summarize_game(table, ("", "")), b"{}")
        ids.append(table.id)
        if number == 6:
            library.delete(ids[6])
            size = sum(file.stat().st_size for file in (tmp_path / "games").iterdir())
            monkeypatch.setattr(libraries, "MOST_BYTES", size)
    left = {each.id for each in library.games()[0]}
    assert ids[9] in left
    assert len(left) <= 7
    with pytest.raises(RequestError):
        library.restore(ids[6])


def test_saving_looks_at_all_files_once(tmp_path: Path) -> None:
    library = Library(tmp_path / "games")
    table = Table()
    with patch.object(Path, "iterdir", autospec=True, side_effect=Path.iterdir) as looked:
        for _ in range(10):
            table.load(*_loaded(table))
            library.save(summarize_game(table, ("", "")), b"{}")
    assert len(library.games()[0]) == 10
    assert looked.call_count == 1


def _loaded(table: Table) -> tuple[Any, ...]:
    loaded = read("(;SZ[5]RU[pinch];B[cc])", table)
    return loaded.tree, loaded.node, loaded.options, loaded.header
