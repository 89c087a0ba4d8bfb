"""The files that a match writes next to its store, from before its first game to its end."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from duels import FILLER, TWIN, TWO
from match_plans import plan
from match_records import Tracked, finished_games, played, record

from pinchtp import match
from pinchtp.html.document import encode
from pinchtp.match.command import main
from pinchtp.match.progress import MatchProgress
from pinchtp.match.record import GameRecord
from pinchtp.match.results import export
from pinchtp.match.results.export import OutputError, OutputFiles, match_page, page_title
from pinchtp.match.results.store import MatchStore

PLAN = plan("one", "two", games="60", size="5x4")


def started(folder: Path, warnings: list[str]) -> OutputFiles:
    plan = replace(PLAN, page=folder / "x.html", sgf=folder / "games")
    exports = OutputFiles(plan, warnings.append)
    exports.begin(lambda: [played(0, sgf="(;B[aa])")])
    return exports


def files(folder: Path) -> list[str]:
    return sorted(each.name for each in (folder / "games").iterdir())


def test_exports_are_written_after_each_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warnings: list[str] = []
    exports = started(tmp_path, warnings)
    assert files(tmp_path) == ["game-000001.sgf"]
    first = (tmp_path / "x.html").read_text()
    exports.add(played(1, sgf="(;B[bb])"))
    exports.add(record(2, winner=None))  # void
    assert files(tmp_path) == ["game-000001.sgf", "game-000002.sgf"]
    assert (tmp_path / "games" / "game-000002.sgf").read_text() == "(;B[bb])\n"
    assert (tmp_path / "x.html").read_text() == first  # it is too soon
    exports._next_page = 0.0
    exports.add(played(3))
    second = (tmp_path / "x.html").read_text()
    assert second != first
    exports.add(played(4))
    exports.finish()
    last = (tmp_path / "x.html").read_text()
    assert last not in (first, second)
    assert warnings == []
    assert all('<body data-refresh="20">' in each for each in (first, second))
    assert "data-refresh=" not in last


@pytest.mark.parametrize("sgf", [False, True])
def test_exported_games_leave_memory(sgf: bool, tmp_path: Path) -> None:
    plan = replace(PLAN, page=tmp_path / "x.html", sgf=tmp_path / "games" if sgf else None)
    exports = OutputFiles(plan, print)

    def made(number: int) -> GameRecord:
        return Tracked.of(played(number, sgf="(;B[aa])"))

    exports.begin(lambda: map(made, range(5)))
    for number in range(5, 10):
        exports.add(made(number))
    assert Tracked.most_alive <= 2  # the last one, and the next


def test_failed_export_is_repeated_at_the_end(tmp_path: Path) -> None:
    warnings: list[str] = []
    exports = started(tmp_path, warnings)
    shutil.rmtree(tmp_path / "games")
    (tmp_path / "games").write_text("in the way")
    exports.add(played(1, sgf="(;B[bb])"))
    exports._next_page = 0.0  # the page is written all the same
    exports.add(played(2, sgf="(;B[cc])"))
    assert warnings == [f"{tmp_path}/games: Not a directory; it will be tried again"]
    page = (tmp_path / "x.html").read_bytes()
    made = match_page(PLAN, map(played, range(3))).document(page_title(PLAN), refresh=20)
    assert page == encode(made)
    with pytest.raises(OutputError, match="games: Not a directory"):
        exports.finish()
    (tmp_path / "games").unlink()
    exports.add(played(3, sgf="(;B[dd])"))
    assert files(tmp_path) == [f"game-00000{number}.sgf" for number in (2, 3, 4)]
    shutil.rmtree(tmp_path / "games")
    (tmp_path / "games").write_text("in the way again")
    exports.add(played(4, sgf="(;B[ee])"))
    assert len(warnings) == 2
    (tmp_path / "games").unlink()
    exports.finish()
    assert files(tmp_path) == ["game-000005.sgf"]


@pytest.mark.parametrize("page", ["match.db", "./match.db", "link.html", "x.toml", "list.txt"])
def test_page_does_not_overwrite_inputs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list.txt").write_text("d4\n")
    Path("x.toml").write_text("games = 2\n")
    MatchStore.begin("match.db", PLAN).close()
    Path("link.html").hardlink_to("match.db")
    options = [*TWO, "--db", "match.db", "--openings", "list.txt", "--page", page]
    before = Path(page).read_bytes()
    assert main(["x.toml", *options]) == 2
    assert f"page: {Path(page)} is the " in capsys.readouterr().err
    assert Path(page).read_bytes() == before


@pytest.mark.parametrize("openings", ["games", "games/game-000001.sgf"])
def test_sgf_files_do_not_overwrite_openings(
    openings: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("games/game-000001.sgf")
    path.parent.mkdir()
    path.write_text("(;FF[4]SZ[5];B[aa])")
    before = path.read_text()
    assert main([*TWO, "--games", "2", "--openings", openings, "--sgf", "./games"]) == 2
    message = "sgf: games contains the file of openings: give another directory"
    assert message in capsys.readouterr().err
    with pytest.raises(OutputError, match=message):
        match.play({"a": FILLER, "b": TWIN}, size=5, openings=openings, sgf="games")
    assert path.read_text() == before


def test_shown_page_does_not_overwrite_its_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.db"
    MatchStore.begin(path, PLAN).close()
    before = path.read_bytes()
    with pytest.raises(SystemExit) as end:
        main(["show", str(path), "--page", str(path)])
    assert end.value.code == 2
    assert "page: " in capsys.readouterr().err
    assert path.read_bytes() == before


def test_pages_take_little_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exports = started(tmp_path, [])
    times = iter([1000.0, 1002.0])
    monkeypatch.setattr(export, "monotonic", lambda: next(times))
    exports._write_page()
    assert exports._next_page == pytest.approx(1002 + 2 / export.PAGE_SHARE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--page", "no/x.html"], "no/x.html: the directory does not exist"),
        (["--page", "."], "not a regular file"),
        (["--sgf", "file"], "file: Not a directory"),
        (["--sgf", "file/sub"], "file/sub: Not a directory"),
    ],
)
def test_unwritable_file_is_reported_before_games(
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert main([*TWO, "--games", "2", *options]) == 2
    assert message in capsys.readouterr().err
    assert len(finished_games(Path("match.db"))) == 0


def test_unwritable_file_at_end_loses_no_game(tmp_path: Path) -> None:
    engines = {"a": FILLER, "b": TWIN}

    class InTheWay(MatchProgress):
        def show(self, runner: object, pool: object) -> None:
            shutil.rmtree(tmp_path / "games", ignore_errors=True)
            (tmp_path / "games").touch()

    shown = InTheWay(quiet=True)
    result = match.play(engines, size=5, games=2, sgf=tmp_path / "games", progress=shown)
    assert result.is_complete
    assert result.unwritten.endswith("games: Not a directory")
