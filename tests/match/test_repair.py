"""Stores in trouble: damaged, read-only, on a full disk. Nothing is lost that can be read."""

import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from clients import FOLDER, PATIENCE
from duels import MATCH, TWO
from match_plans import plan
from match_records import finished_games, scheduled

from pinchtp.base.sqlite import StoreError, StoreWriteError
from pinchtp.match.command import main
from pinchtp.match.plan_file import to_json
from pinchtp.match.repair import Repair, repair
from pinchtp.match.results.store import MatchStore, create_tables

PLAN = plan("one", "two", games="60", size="5x4")
RECORDS = scheduled(PLAN, transcript="x" * 2000)
GAMES = len(RECORDS)
FEW = 4
PAGE = 4096  # bytes
HEADER = 100  # bytes


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of many games, which no test changes."""
    path = tmp_path_factory.mktemp("original") / "match.db"
    with MatchStore.begin(path, PLAN) as store:
        for record in RECORDS:
            store.add(record)
    return path


@pytest.fixture
def path(original: Path, tmp_path: Path) -> Path:
    """A copy of the store."""
    return Path(shutil.copy(original, tmp_path))


def flip(path: Path, seed: int) -> None:
    """Flips a few bits somewhere after the header."""
    rng = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(1 + seed % 8):
        data[rng.randrange(100, len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


@pytest.mark.parametrize("seed", range(8))
def test_flipped_bits_cost_only_their_games(
    path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    flip(path, seed)
    for options in ([], ["--games"], ["--jsonl"], ["--page", f"{path}.html"]):
        if main(["show", str(path), *options]):
            said = capsys.readouterr().err
            assert said.startswith(f"pinchtp match show: {path}")
    before = path.read_bytes()
    status = main(["repair", str(path)])
    assert path.read_bytes() == before
    if status == 2:  # what says which match it is cannot be read
        return
    with MatchStore.open(path.with_stem("match-repaired")) as store:
        records = list(store.records())
        assert store.plan().engines
    assert len(records) >= GAMES - 8
    with MatchStore.begin(path.with_stem("match-repaired"), PLAN) as store:
        assert len(store.finished()) == len({each.game.number for each in records})


def test_zeroed_page_loses_only_its_games(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // PAGE * PAGE
    data[middle : middle + PAGE] = bytes(PAGE)
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"is damaged: .* `pinchtp match repair "):
        MatchStore.begin(path, PLAN)
    with MatchStore.open(path) as store, pytest.raises(StoreError, match="is damaged: "):
        list(store.records())
    assert main(["repair", str(path), "--to", str(path.parent / "new.db")]) == 1
    said = capsys.readouterr().out
    with MatchStore.open(path.parent / "new.db") as store:
        kept = {record.game.number: record for record in store.records()}
    assert f"{len(kept)} games saved in {path.parent / 'new.db'}" in said
    assert GAMES - 5 <= len(kept) < GAMES
    assert all(record == RECORDS[number] for number, record in kept.items())


@pytest.mark.parametrize("kind", [2, 10], ids=["inner", "leaf"])
def test_repair_damaged_index_saves_all(path: Path, tmp_path: Path, kind: int) -> None:
    data = bytearray(path.read_bytes())
    pages = [at for at in range(PAGE, len(data), PAGE) if data[at] == kind]
    for at in pages:
        data[at : at + PAGE] = bytes(PAGE)
    path.write_bytes(data)
    assert repair(path, tmp_path / "new.db") == Repair(GAMES, 0)


def test_repair_damaged_inner_page_is_refused(path: Path, tmp_path: Path) -> None:
    """SQLite reads no games without the root of their tree."""
    data = bytearray(path.read_bytes())
    (root,) = (at for at in range(PAGE, len(data), PAGE) if data[at] == 5)
    data[root : root + PAGE] = bytes(PAGE)
    path.write_bytes(data)
    with pytest.raises(StoreError, match=f"none of {GAMES} games belongs to this match"):
        repair(path, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("damaged", [0x00, 0x20, 0xA2, 0xFF])
def test_repair_damaged_first_page_saves_all(tmp_path: Path, damaged: int) -> None:
    """All bytes, and one: every ninth of the header, and some of the schema."""
    path, new = tmp_path / "match.db", tmp_path / "new.db"
    with MatchStore.begin(path, PLAN) as store:
        for each in RECORDS[:FEW]:
            store.add(each)
    sound = path.read_bytes()
    single = [(at, 1) for at in (*range(damaged % 9, HEADER, 9), *range(HEADER, PAGE, 499))]
    for at, length in ((0, HEADER), (0, PAGE), *single):
        data = sound[:at] + bytes([damaged]) * length + sound[at + length :]
        path.write_bytes(data)
        assert repair(path, new) == Repair(FEW, 0), (at, length)
        assert path.read_bytes() == data
        new.unlink()


@pytest.mark.parametrize("size", [512, 8192, 65536])
def test_repair_other_page_size_is_found(tmp_path: Path, size: int) -> None:
    path = tmp_path / "match.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA page_size = {size}")
        create_tables(connection)
        connection.execute("INSERT INTO match VALUES (1, ?, 0)", (to_json(PLAN),))
        connection.commit()
    with MatchStore.begin(path, PLAN) as store:
        for record in RECORDS:
            store.add(record)
    data = path.read_bytes()
    assert data[16:18] == (size % 65535).to_bytes(2)
    path.write_bytes(bytes(HEADER) + data[HEADER:])
    assert repair(path, tmp_path / "new.db") == Repair(GAMES, 0)


@pytest.mark.parametrize("error", [StoreWriteError("disk full"), KeyboardInterrupt()])
def test_failed_repair_leaves_no_file(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    new = tmp_path / "new.db"
    before = set(tmp_path.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(MatchStore, "add", Mock(side_effect=[None, None, error]))
        with pytest.raises(type(error)):
            repair(path, new)
    assert set(tmp_path.iterdir()) == before
    assert repair(path, new) == Repair(GAMES, 0)


def test_undamaged_store_is_copied_whole(path: Path, tmp_path: Path) -> None:
    assert repair(path, tmp_path / "copy.db") == Repair(GAMES, 0)
    with MatchStore.open(tmp_path / "copy.db") as store:
        assert list(store.records()) == RECORDS
    with pytest.raises(StoreError, match="already exists"):
        repair(path, tmp_path / "copy.db")


CANNOT_READ = """
import os, sys
from pinchtp.match.command import main
os.setuid(65534)
for words in (["show", {path!r}], ["repair", {path!r}]):
    print(main(words), flush=True)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_unreadable_store_is_reported(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:  # pytest's own is for its user alone
        Path(folder).chmod(0o777)
        path = Path(shutil.copy(path, folder))
        path.chmod(0)
        code = CANNOT_READ.format(path=str(path))
        done = subprocess.run(
            [sys.executable, "-P", "-c", code],
            check=False,
            capture_output=True,
            text=True,
            cwd=FOLDER.parent,
        )
    assert done.stderr.splitlines() == [
        f"pinchtp match {word}: {path}: Permission denied" for word in ("show", "repair")
    ]
    assert done.stdout == "2\n2\n"


READS_ONLY = """
import os, sys
sys.path[:0] = [{folder!r}, {folder!r} + '/support']
from pinchtp.match.command import main
from pinchtp.base.sqlite import StoreError
from pinchtp.match.results.store import MatchStore
from match.test_repair import PLAN
os.setuid(65534)
status = main(["show", {path!r}])
with MatchStore.open({path!r}) as store:
    print(len(store.finished()))
print(status, flush=True)
try:
    MatchStore.begin({path!r}, PLAN)
except StoreError as error:
    print(error)
"""


def left_by_a_killed_runner(path: Path, folder: Path) -> Path:
    """Returns a copy of a store whose latest game is still in the journal file."""
    path.unlink()
    with MatchStore.begin(path, PLAN) as store:
        for each in RECORDS[:-1]:
            store.add(each)
    with MatchStore.begin(path, PLAN) as store, sqlite3.connect(path) as reader:
        reader.execute("SELECT count(*) FROM game").fetchone()
        store.add(RECORDS[-1])
        folder.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", folder)
    reader.close()
    return folder / path.name


def test_games_of_the_write_ahead_log_are_saved(path: Path, tmp_path: Path) -> None:
    """Repair saves them too, and leaves both files as they are."""
    left = left_by_a_killed_runner(path, tmp_path / "left")
    before = {each.name: each.read_bytes() for each in left.parent.iterdir()}
    assert len(before) == 2
    assert repair(left, tmp_path / "new.db") == Repair(GAMES, 0)
    assert {each.name: each.read_bytes() for each in left.parent.iterdir()} == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("killed", [False, True])
def test_read_only_store_can_be_shown(path: Path, tmp_path: Path, *, killed: bool) -> None:
    """It can be shown, also where its folder cannot be written; it cannot be played on."""
    if killed:
        path = left_by_a_killed_runner(path, tmp_path / "left")
    with tempfile.TemporaryDirectory() as folder:  # pytest's own is for its user alone
        Path(folder).chmod(0o755)
        for each in path.parent.glob("match.db*"):
            Path(shutil.copy(each, folder)).chmod(0o644)
        path = Path(folder) / path.name
        before = {each.name: each.read_bytes() for each in Path(folder).iterdir()}
        assert len(before) == 1 + killed
        code = READS_ONLY.format(folder=str(FOLDER), path=str(path))
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], check=False, capture_output=True, text=True
        )
        assert {each.name: each.read_bytes() for each in Path(folder).iterdir()} == before
    assert done.stderr == ""
    assert done.stdout.startswith("Results of one vs two (pinch 5x4, ")
    assert done.stdout.splitlines()[-3:] == [
        f"{GAMES}",
        "0",
        f"{path}: Permission denied",
    ]


def test_full_disk_keeps_finished_games(tmp_path: Path) -> None:
    """Simulated by a limit on file sizes."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    def run(games: int, **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*MATCH, *TWO, "--games", f"{games}"],
            check=False,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,
            **options,  # type: ignore[call-overload]
        )

    done = run(200, preexec_fn=limit)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "cannot be written: " in done.stderr
    kept = len(finished_games(tmp_path / "match.db"))
    assert kept > 0
    again = run(kept + 2)
    assert again.returncode == 0
    assert "cannot be written" not in again.stderr
    assert len(finished_games(tmp_path / "match.db")) == kept + 2


def test_unreadable_plan_is_reported(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(path, tmp_path / "x.db")
    with sqlite3.connect(tmp_path / "x.db") as connection:
        connection.execute("UPDATE match SET plan = '{'")
    connection.close()
    with MatchStore.open(tmp_path / "x.db") as store, pytest.raises(StoreError, match="is damaged"):
        store.plan()
    assert main(["repair", str(tmp_path / "x.db")]) == 2
    said = capsys.readouterr().err
    assert "the plan of the match cannot be read" in said
    assert "pinchtp match repair " not in said
    engines = "\n".join(f"{name} = './{name}'" for name in ("one", "two"))
    (tmp_path / "x.toml").write_text(f"size = '5x4'\ngames = 60\n[engines]\n{engines}\n")
    shutil.copy(path, tmp_path / "y.db")
    with sqlite3.connect(tmp_path / "y.db") as connection:
        connection.execute("UPDATE match SET plan = '{'")
    connection.close()
    assert main(["repair", str(tmp_path / "y.db"), str(tmp_path / "x.toml")]) == 0
    with MatchStore.open(tmp_path / "y-repaired.db") as store:
        assert (len(store.finished()), store.plan()) == (GAMES, PLAN)


def changed(path: Path, assignment: str, number: int) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE game SET {assignment} WHERE number = ?", (number,))
    connection.close()


@pytest.mark.parametrize(
    "assignment",
    [
        "record = json_set(record, '$.game.pairing[0]', 'onf')",
        "record = json_set(record, '$.game.pairing[0]', 'two')",
        "record = json_set(record, '$.game.number', 'x')",
        "record = json_set(record, '$.game.number', 10000000)",
        "record = json_set(record, '$.seconds', 'abc')",
        "record = json_set(record, '$.started', 1e300)",
        "record = json_set(record, '$.moves', json('[[0]]'))",
        "record = json_set(record, '$.moves', json('[[0, 5, 0.0, null, false]]'))",
        "record = json_set(record, '$.moves', json('[[0, \"A1\", 0.0, 2.5, false]]'))",
        "record = json_set(record, '$.winner', 'unknown')",
        "record = CAST(CAST(record AS BLOB) || x'ff00fe' AS TEXT)",
        "sgf = x'00'",
    ],
)
def test_impossible_game_counts_as_damage(
    assignment: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(path, assignment, 3)
    assert main(["show", str(path)]) == 2
    said = capsys.readouterr().err
    assert f"{path} is damaged: " in said
    assert f"`pinchtp match repair {path}`" in said
    assert main(["repair", str(path)]) == 1
    assert "\n1 game lost; " in capsys.readouterr().out


@pytest.mark.parametrize("assignment", ["number = 'x'", "number = 'x', is_void = 1"])
def test_begin_number_of_other_type_is_damage(assignment: str, path: Path) -> None:
    changed(path, assignment, 3)
    with pytest.raises(StoreError, match=r"is damaged: .* `pinchtp match repair "):
        MatchStore.begin(path, PLAN)


@pytest.mark.parametrize(
    "assignment",
    [
        *("number = 1000", "number = 1 << 60", "attempt = 7", "is_void = 1", "first = 'two'"),
        "record = json_set(record, '$.game.opening.moves', json('[\"A1\"]'))",
    ],
)
def test_repair_game_not_scheduled_is_lost(assignment: str, path: Path, tmp_path: Path) -> None:
    changed(path, assignment, 3)
    assert repair(path, tmp_path / "new.db") == Repair(GAMES - 1, 1)
    with MatchStore.begin(tmp_path / "new.db", PLAN) as store:
        assert store.finished() == {
            record.game.key for record in RECORDS if record.game.number != 3
        }


def test_repair_preserves_damaged_text(path: Path, tmp_path: Path) -> None:
    changed(path, "detail = 'a' || CAST(x'ff' AS TEXT)", 3)
    assert repair(path, tmp_path / "new.db") == Repair(GAMES, 0)
    with MatchStore.open(tmp_path / "new.db") as store:
        assert [each.detail for each in store.records()][3] == "a\ufffd"


def test_show_reports_damaged_table_name(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SQLite quotes the name in its message, which then is not UTF-8."""
    path.write_bytes(path.read_bytes().replace(b"indexfinished", b"indexfinish\x87d", 1))
    assert main(["show", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"pinchtp match show: {path} ")
    with pytest.raises(StoreError, match=r"is damaged: .* `pinchtp match repair"):
        MatchStore.begin(path, PLAN)
    assert main(["repair", str(path)]) == 0


@pytest.mark.parametrize("name", ["/", ".", "", "none.db"])
def test_repair_of_missing_file_fails(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repair", name]) == 2
    assert capsys.readouterr().err.endswith(": no such file\n")
