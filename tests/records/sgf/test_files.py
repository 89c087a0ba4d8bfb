"""Records on disk: the commands loadsgf and printsgf, and the file that follows a game."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
from clients import (
    FOLDER,
    PATIENCE,
    Program,
    ask,
    ask_all,
    bounded,
    observed,
    run,
    say,
    server,
)
from record_games import PINCH, loaded, moves, played

from pinchtp.base.clock import TimeControl
from pinchtp.base.files import MOST_FILE_BYTES
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.gtp.server import Server
from pinchtp.records import sgf
from pinchtp.records.errors import RecordError
from pinchtp.records.sgf import SgfAutosave

# --- the commands


@pytest.fixture
def engine() -> Server:
    started = server(5, files=True)
    ask_all(started, "play b c3", "play w swap", "play b b2", "genmove w")
    return started


def test_printed_record_can_be_loaded(engine: Server, tmp_path: Path) -> None:
    before = observed(engine)
    path = tmp_path / "two  blanks and 3.sgf"
    assert ask(engine, f"printsgf {path}") == "= "
    assert list(tmp_path.iterdir()) == [path]
    ask(engine, "boardsize 9")
    assert ask(engine, f"loadsgf {path}") == "= "
    history = engine.engine.session.history
    assert observed(engine)[0] == before[0]
    assert [(turn.color, turn.move, turn.position) for turn in history] == [
        (turn.color, turn.move, turn.position)
        for turn in before[3]  # type: ignore[attr-defined]
    ]


@pytest.mark.slow
def test_long_record_is_loaded_again(engine: Server, tmp_path: Path) -> None:
    path, again = tmp_path / "long.sgf", tmp_path / "again.sgf"
    path.write_text(f"(;SZ[5]RU[pinch];B[cc]C[{'x' * (5 << 18)}])")
    assert ask_all(engine, f"loadsgf {path}", f"printsgf {again}", f"loadsgf {again}") == ["= "] * 3


def test_loaded_rules_are_reported(engine: Server, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5]RU[pinch, no swap];B[cc])")
    ask(engine, f"loadsgf {path}")
    assert ask(engine, "kata-get-rules") == '= {"game": "pinch", "pie": false}'


@pytest.mark.parametrize(("number", "left"), [("", 4), (" 99", 4), (" 5", 4), (" 3", 2), (" 1", 0)])
def test_loadsgf_stops_before_the_given_move(
    engine: Server, tmp_path: Path, number: str, left: int
) -> None:
    path = tmp_path / "a game.sgf"
    ask(engine, f"printsgf {path}")
    assert ask(engine, f"loadsgf {path}{number}") == "= "
    assert len(engine.engine.session.history) == left
    assert ask(engine, f"gg-undo {left}") == "= "
    assert ask(engine, "undo") == "? cannot undo"


@pytest.mark.parametrize("command", ["printsgf", "printsgf -"])
def test_print_into_the_answer(engine: Server, command: str) -> None:
    answer = ask(engine, command)
    assert answer.startswith("= (;FF[4]")
    assert answer.endswith(")")
    assert moves(loaded(answer.removeprefix("= "))) == moves(engine.engine.session)
    assert "DT[20" in answer


def test_engine_continues_a_loaded_game(engine: Server, tmp_path: Path) -> None:
    ask_all(engine, f"printsgf {tmp_path / 'game'}", "clear_board", f"loadsgf {tmp_path / 'game'}")
    assert re.fullmatch("= [A-E][1-5]", ask(engine, "genmove b"))


def test_loading_starts_the_clocks(engine: Server, tmp_path: Path) -> None:
    path = tmp_path / "game"
    ask_all(engine, "time_settings 600 0 0", "time_left b 5 0", f"printsgf {path}")
    ask(engine, f"loadsgf {path}")
    session = engine.engine.session
    assert session.clock(Color.BLACK).left == 600


def missing(path: Path) -> None:
    """There is nothing."""


def huge(path: Path) -> None:
    path.write_bytes(b" " * (MOST_FILE_BYTES + 1))


def unreadable(path: Path) -> None:
    path.symlink_to(path)  # root may read everything else


UNLOADABLE = [
    (missing, "No such file or directory"),
    (Path.mkdir, "not a regular file"),
    (os.mkfifo, "not a regular file"),
    (huge, "longer than 16384 KiB"),
    (unreadable, "Too many levels of symbolic links"),
    (Path.touch, "not an SGF file: no game found, which would begin with '(;'"),
]


@pytest.mark.parametrize(
    ("make", "reason"), UNLOADABLE, ids=[make.__name__ for make, _ in UNLOADABLE]
)
def test_file_that_cannot_be_loaded_is_refused(
    engine: Server, tmp_path: Path, make: object, reason: str
) -> None:
    make(tmp_path / "file")  # type: ignore[operator]
    before = observed(engine)
    assert ask(engine, f"loadsgf {tmp_path / 'file'}") == f"? cannot load file: {reason}"
    assert observed(engine) == before


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        # Sabaki says of every game that it is Go.
        ("(;GM[1]SZ[5];B[cc];W[dd])", ": GM[1] is Go; read as Pinch"),
        ("(;SZ[5]RU[pinch];B[cc])(;SZ[4]RU[pinch])", " has 2 games: loaded the first"),
    ],
)
def test_doubtful_file_is_loaded_with_a_warning(
    engine: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str, warning: str
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(text)
    for command in ("loadsgf", "pinchtp-loadrecord"):
        assert ask(engine, f"{command} {path}") == "= "
        assert capfd.readouterr().err == f"pinchtp: {path}{warning}\n"


UNWRITABLE = [
    ("/dev/null", "not a regular file"),
    ("{folder}", "not a regular file"),
    ("{folder}/none/file", "No such file or directory"),
    ("{folder}/file/file", "Not a directory"),
    ("{folder}/" + 300 * "x", "File name too long"),
]


@pytest.mark.parametrize(("path", "reason"), UNWRITABLE)
def test_file_that_cannot_be_written_is_reported(
    engine: Server, tmp_path: Path, path: str, reason: str
) -> None:
    (tmp_path / "file").touch()
    before = observed(engine)
    answer = ask(engine, "printsgf " + path.format(folder=tmp_path))
    assert answer == f"? cannot save file: {reason}"
    assert observed(engine) == before
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_file_commands_are_disabled(tmp_path: Path) -> None:
    engine = server(5)
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5];B[cc])")
    reason = "file access is not allowed here (--no-files)"
    assert ask(engine, f"loadsgf {path}") == f"? cannot load file: {reason}"
    assert ask(engine, f"printsgf {path}2") == f"? cannot save file: {reason}"
    assert list(tmp_path.iterdir()) == [path]
    assert ask(engine, "printsgf").startswith("= (;")


def test_program_saves_and_loads_any_file_name(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/K\xf6nig 2.sgf"  # no UTF-8
    with Program("--size", "4") as program:
        program.send(b"play b b2\r\nplay w pass\nprintsgf " + name + b"\nboardsize 9\n")
        program.send(b"loadsgf " + name + b"\n1 printsgf\n")
        assert [program.answer() for _ in range(5)] == ["= "] * 5
        answer = program.answer()
    assert Path(os.fsdecode(name)).read_text() == answer.removeprefix("=1 ") + "\n"
    assert moves(loaded(answer)) == ["black B2", "white swap"]


@pytest.mark.parametrize(
    ("lines", "result"),
    [
        (["loadsgf {}"], "B+T"),
        (["loadsgf {} 3"], "B+T"),
        (["loadsgf {} 2"], ""),
        (["pinchtp-loadrecord {} 1"], ""),
        (["loadsgf {}", "undo"], ""),
        (["loadsgf {}", "gg-undo 0"], "B+T"),
        (["loadsgf {}", "play b d4"], ""),
    ],
)
def test_result_belongs_to_the_last_move(
    lines: list[str], result: str, engine: Server, tmp_path: Path
) -> None:
    path = tmp_path / "timeout.sgf"
    path.write_text("(;SZ[5]RU[pinch]RE[B+T];B[cc];W[aa])")
    assert ask_all(engine, *(line.format(path) for line in lines)) == ["= "] * len(lines)
    found = re.search(r"RE\[(.*?)\]", say(engine, "printsgf"))
    assert (found[1] if found else "") == result


# --- the file that follows a game


def on_disk(path: Path) -> list[str]:
    return moves(loaded(path.read_bytes()))


def test_autosave_follows_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    recorder = SgfAutosave(path)
    session = played()
    recorder.update(session)
    assert not path.exists()  # a process that is only asked its name leaves no file
    for move in ["c3", "swap", "b2"]:
        session.play(session.to_move, parse_move(move, session.position))
        recorder.update(session)
        assert on_disk(path) == moves(session)
    session.undo(2)
    recorder.update(session)
    assert on_disk(path) == ["black C3"]
    session.undo()
    recorder.update(session)
    assert on_disk(path) == []
    assert list(tmp_path.iterdir()) == [path]


def test_finished_game_is_kept_until_the_next(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    recorder = SgfAutosave(path)
    session = played("c3", "resign")
    recorder.update(session)
    session.restart(9, 9)
    for _ in range(2):
        recorder.update(session)
        assert on_disk(path) == ["black C3", "white resign"]
    session.play(Color.BLACK, parse_move("a1", session.position))
    recorder.update(session)
    assert on_disk(path) == ["black A1"]


@pytest.mark.parametrize(
    "line",
    [
        *("clear_board", "set_position", "set_position b a1", "gogui-setup_player w"),
        *("pinchtp-loadboard X../.../... w", "pinchtp-loadboard .../.../... b +a1"),
    ],
)
def test_finished_game_is_kept_when_the_next_is_set_up(tmp_path: Path, line: str) -> None:
    path = tmp_path / "game.sgf"
    engine = server(5, files=True, record=path)

    def moves_after(*lines: str) -> list[str]:
        for each in lines:
            assert ask(engine, each).startswith("= ")
            engine.engine.autosave()
        return on_disk(path)

    finished = moves_after("play b c3", "play w resign")
    assert moves_after("clear_board", line) == finished
    color = say(engine, "gogui-rules_side_to_move")
    assert moves_after(f"play {color} b2")[-1] == f"{color} B2"


@pytest.mark.parametrize(("game", "options"), [("bushka", {}), ("capture-go", {"crosscut": True})])
def test_new_game_without_a_move_is_not_saved(
    tmp_path: Path, game: str, options: dict[str, bool]
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("old")
    session = Session(GAMES[game], *GAMES[game].size, **options)
    session.set_up(session.new_start())  # by set_position without stones
    SgfAutosave(path).update(session)
    assert path.read_text() == "old"


def test_autosave_keeps_the_setup(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    session = played()
    session.set_up(PINCH.set_up(5, 5, bytes([1]) + bytes(24), Color.WHITE))
    session.play(Color.WHITE, parse_move("c3", session.position))
    SgfAutosave(path).update(session)
    assert loaded(path.read_bytes()).start == session.start


@pytest.mark.parametrize("text", ["c3 b2", "#game=pinch;5x5;c3.b2", ".../X../... w"])
def test_loaded_game_is_not_saved_before_a_move(tmp_path: Path, text: str) -> None:
    path, other = tmp_path / "game.sgf", tmp_path / "other"
    path.write_text("old")
    other.write_text(text)
    engine = server(5, files=True, record=path)
    assert ask(engine, f"pinchtp-loadrecord {other}") == "= "
    engine.engine.autosave()
    assert path.read_text() == "old"
    engine.engine.session.resign(Color.BLACK)
    engine.engine.autosave()
    assert "RE[W+R" in path.read_text()


def test_loaded_game_is_not_saved_after_a_rejected_sequence(tmp_path: Path) -> None:
    path, other = tmp_path / "game.sgf", tmp_path / "other.sgf"
    path.write_text("old")
    other.write_text("(;SZ[5]RU[pinch];B[cc])")
    engine = server(5, files=True, record=path)
    ask(engine, f"loadsgf {other}")
    assert ask(engine, "gogui-play_sequence w d4 b a1 w ?!").startswith("? ")
    engine.engine.autosave()
    assert path.read_text() == "old"


def test_unchanged_game_is_not_rewritten(tmp_path: Path) -> None:
    recorder = SgfAutosave(tmp_path / "game.sgf")
    session = played("c3")
    recorder.update(session)
    with mock.patch("os.replace") as replaced:
        recorder.update(session)
        assert not replaced.called
        session.set_time(TimeControl.absolute(60))
        recorder.update(session)
        assert replaced.called


def test_unwritable_file_is_reported_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The game continues."""
    folder = tmp_path / "folder"
    folder.mkdir()
    recorder = SgfAutosave(folder / "game.sgf")
    session = played()
    folder.rmdir()

    def told_after(vertex: str) -> str:
        session.play(session.to_move, parse_move(vertex, session.position))
        recorder.update(session)
        return capfd.readouterr().err

    told = f"pinchtp: {folder}/game.sgf: No such file or directory\n"
    assert told_after("c3") == told
    assert told_after("swap") == ""
    folder.mkdir()
    assert told_after("a1") == ""
    shutil.rmtree(folder)
    assert told_after("b1") == told


def test_failed_autosave_is_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "game.sgf"
    path.parent.mkdir()
    recorder = SgfAutosave(path)
    session = played("c3", "resign")
    path.parent.rmdir()
    recorder.update(session)
    path.parent.mkdir()
    recorder.update(session)
    assert on_disk(path) == moves(session)


def test_second_process_does_not_record_to_the_same_file(tmp_path: Path) -> None:
    """GoGui starts its ruler and its player by the same command line."""
    path, link = tmp_path / "game.sgf", tmp_path / "link.sgf"
    link.symlink_to(path)
    script = ("-e", "play b a1")
    recorder = SgfAutosave(path)
    recorder.update(played("c3"))
    for name in (path, link):
        second = run("--size", "5", "--record", str(name), *script)
        assert (second.returncode, second.stdout) == (0, "= \n\n")
        why = "another pinchtp records its game there, so this one does not"
        assert second.stderr == f"pinchtp: {name}: {why}\n"
        assert on_disk(path) == ["black C3"]
    del recorder
    assert run("--size", "5", "--record", str(path), *script).stderr == ""
    assert on_disk(path) == ["black A1"]


def test_symbolic_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    sgf.write_file(str(tmp_path / "link"), "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "text\n"


@pytest.mark.parametrize("mode", [0o600, 0o666])
def test_permissions_survive_rewrite(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)
    sgf.write_file(str(path), "text")
    assert path.read_text() == "text\n"
    assert path.stat().st_mode & 0o777 == mode


def test_read_only_file_stays_unchanged(tmp_path: Path) -> None:
    """Also one with several names; no copy is left next to it."""
    path = tmp_path / "file"
    path.write_text("old")
    with (
        mock.patch("os.access", lambda name, mode: not (name == str(path) and mode == os.W_OK)),
        pytest.raises(RecordError, match="Permission denied"),
    ):
        sgf.write_file(str(path), "text")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_hard_links_stay_linked(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    path.write_text("a longer text than the new one")
    other.hardlink_to(path)
    sgf.write_file(str(path), "text")
    assert other.read_text() == path.read_text() == "text\n"
    assert path.samefile(other)
    assert {each.name for each in tmp_path.iterdir()} == {"file", "other"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_failed_overwrite_loses_no_text(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    (tmp_path / "other").hardlink_to(path)
    opened = open

    def to_a_full_disk(name: str, mode: str) -> object:
        return opened("/dev/full" if name == str(path) else name, mode)

    with (
        mock.patch("builtins.open", to_a_full_disk),
        pytest.raises(RecordError, match="No space left on device; the text is in ") as refusal,
    ):
        sgf.write_file(str(path), "text")
    assert Path(str(refusal.value).partition("is in ")[2]).read_text() == "text\n"


def test_file_may_have_the_longest_name(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    for text in ("one", "two"):
        sgf.write_file(str(path), text)
        assert path.read_text() == f"{text}\n"
    assert list(tmp_path.iterdir()) == [path]


def test_autosave_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="the directory does not exist"):
        SgfAutosave(tmp_path / "none" / "game.sgf")


def test_autosave_needs_a_regular_file(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path, reason in (
        (tmp_path, "not a regular file"),
        (Path("/"), "not a regular file"),
        (loop, "Too many levels of symbolic links"),
    ):
        with pytest.raises(RecordError, match=reason):
            SgfAutosave(path)


def test_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("old")
    with (
        mock.patch("os.replace", side_effect=OSError(28, "No space left on device")),
        pytest.raises(RecordError, match="No space left on device"),
    ):
        sgf.write_file(str(path), "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


WRITER = """
import sys
from pathlib import Path
from pinchtp.games import GAMES
from pinchtp.records.sgf import SgfAutosave
from pinchtp.games.session import Session

session = Session(GAMES["pinch"], 19, 19, pie=False)
recorder = SgfAutosave(Path(sys.argv[1]))
while True:
    session.restart()
    while not session.is_over:
        session.play(session.to_move, session.position.legal_moves()[0])
        recorder.update(session)
        print(flush=True)
"""


def test_killed_program_leaves_a_complete_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    for updates in (1, 100):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd=FOLDER
        ) as writer:
            assert writer.stdout is not None
            with bounded(writer):
                for _ in range(updates):
                    assert writer.stdout.readline() == b"\n"
            writer.send_signal(signal.SIGKILL)
            assert writer.wait(PATIENCE) == -signal.SIGKILL
        assert len(on_disk(path)) > 0
