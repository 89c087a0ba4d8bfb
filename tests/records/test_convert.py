"""`pinchtp convert`, and records over GTP, in Python and on the board."""

import io
import json
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest
from clients import FOLDER, ask, observed, server

import pinchtp
from pinchtp.base.process import ExitStatus
from pinchtp.board.importing import read
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.games.session import Session
from pinchtp.records import command
from pinchtp.records.command import main
from pinchtp.records.game import UnreadGame
from pinchtp.records.reader import read as read_games
from pinchtp.records.reader import read_sgf

THEIRS = FOLDER / "data" / "abstract-play" / "pinch.json"


def text(move: Any) -> Any:
    """Returns the text of a move, which may stand beside its results."""
    return move["move"] if isinstance(move, dict) else move


def moves(game: UnreadGame) -> tuple[int, ...]:
    return game.read().session().moves


def test_list_survives_conversion_to_sgf(tmp_path: Path) -> None:
    games = read_games(THEIRS.read_bytes())
    sgf = tmp_path / "all.sgf"
    again = tmp_path / "all.json"
    assert main([str(THEIRS), "-o", str(sgf)]) == ExitStatus.SUCCESS
    assert main([str(sgf), "-o", str(again)]) == ExitStatus.SUCCESS
    back = read_games(again.read_bytes())
    assert [moves(each) for each in back] == [moves(each) for each in games]
    assert len(back) == len(games) > 5


@pytest.mark.parametrize("name", ["again.sgf", "game.sgf"])
def test_ending_of_the_output_is_its_format(tmp_path: Path, name: str) -> None:
    source = tmp_path / "game.sgf"
    source.write_text("(;SZ[5]RU[pinch];B[cc]C[Why?](;W[aa])(;W[ab]))")
    assert main([str(source), "-o", str(tmp_path / name)]) == ExitStatus.SUCCESS
    written = (tmp_path / name).read_text()
    assert written.startswith("(;")
    assert "C[Why?]" in written
    assert "W[ab]" in written


@pytest.mark.parametrize(
    ("root", "note", "lost"),
    [
        ("", "", ""),
        ("", "C[Why?]", "comments"),
        ("C[Final]", "", "comments"),
        ("", "(;W[aa])(;W[ab])", "variations"),
        ("TM[600]", "", "times"),
        ("", "BL[590]", "times"),
        ("WR[2k]", "C[Why?]", "comments, ranks"),
        ("AP[pinchtp:1]", "SBKV[40.00]", "winrates"),
        ("DT[2024-05-01,2024-05-02]", "", ""),
        ("DT[May 2024]", "", "the date"),
        ("AP[Sabaki:1]ST[2]EV[Open]", "", "other properties"),
        ("", "TR[ee]", "other properties"),
        ("N[start]", ";TR[ee]", "other properties"),
    ],
)
def test_what_abstract_play_lacks_causes_a_warning(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], root: str, note: str, lost: str
) -> None:
    source, target = tmp_path / "game.sgf", tmp_path / "game.json"
    end = "" if "W" in note else ";W[aa];N[black resigns]"
    source.write_text(f"(;SZ[9]RU[pinch]RE[W+R]{root};B[ee]{note}{end})")
    assert main([str(source), "-o", str(target)]) == ExitStatus.SUCCESS
    warning = "game 1: left out, since Abstract Play records cannot contain them: "
    error = capfd.readouterr().err
    assert error.endswith(f"{warning}{lost}\n") if lost else not error


@pytest.mark.parametrize("target", ["sgf", "abstract-play"])
def test_games_are_converted_one_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    alive: WeakSet[Session] = WeakSet()
    convert = command._convert

    def count(session: Session, target: str) -> bytes:
        alive.add(session)
        assert len(alive) <= 2  # the last one, and this one
        return convert(session, target)

    monkeypatch.setattr(command, "_convert", count)
    assert main([str(THEIRS), "--to", target, "-o", str(tmp_path / "x")]) == ExitStatus.SUCCESS


def test_games_that_wait_are_kept_as_text() -> None:
    first, *later = read_sgf("(;SZ[5]RU[pinch];B[aa])(;SZ[5]RU[pinch];B[bb])" * 2)
    assert first.parsed is not None
    assert [each.parsed for each in later] == [None] * 3
    assert [each.read().session().moves for each in (first, later[1])] == [moves(first)] * 2


def test_invalid_record_of_a_list_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    records = json.loads(THEIRS.read_text())
    del records[2]["moves"]
    (tmp_path / "x.json").write_text(json.dumps(records))
    with pytest.raises(SystemExit):
        main([str(tmp_path / "x.json")])
    assert "record 3: Object missing required field `moves`" in capfd.readouterr().err


def test_single_game_goes_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    earlier = FOLDER / "data" / "sgf" / "earlier-pinch.sgf"
    assert main([str(earlier), "--to", "sgf"]) == ExitStatus.SUCCESS
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"(;")
    assert out.endswith(b")\n")
    assert not err


def test_standard_input_is_read(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(THEIRS.read_bytes())))
    assert main(["-"]) == ExitStatus.SUCCESS
    assert capfdbinary.readouterr().out.count(b"(;") == len(read_games(THEIRS.read_bytes()))


def test_overlong_standard_input_is_refused(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "MOST_INPUT_BYTES", 2048)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"[" + b" " * 2048)))
    with pytest.raises(SystemExit) as end:
        main(["-"])
    assert end.value.code == ExitStatus.WRONG_USE
    assert "longer than 2 KiB" in capfd.readouterr().err


def test_other_format_is_named_where_a_game_has_no_place(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "small.sgf"
    source.write_text("(;SZ[5]RU[pinch]RE[W+R];B[cc])")
    assert main([str(source)]) == ExitStatus.FAILURE
    said = capfd.readouterr().err
    assert f"{source}: game 1: Abstract Play has no 5x5 board" in said
    assert "use --to sgf" in said
    source.write_text("(;SZ[9]RU[pinch, no swap];B[cc];W[cc])")
    assert main([str(source)]) == ExitStatus.FAILURE
    said = capfd.readouterr().err
    assert said == f"pinchtp convert: {source}: game 1: move 2: C7 is occupied\n"


def test_invalid_games_are_skipped_and_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    records = json.loads(THEIRS.read_text())
    records[1]["moves"][0][1] = records[1]["moves"][0][0]
    source, target = tmp_path / "some.json", tmp_path / "some.sgf"
    source.write_text(json.dumps(records))
    assert main([str(source), "-o", str(target)]) == ExitStatus.FAILURE
    assert len(read_games(target.read_bytes())) == len(records) - 1
    assert f"pinchtp convert: {source}: game 2: move 2, " in capfd.readouterr().err


def test_unusable_input_is_wrong_use(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.json").write_text("{}")
    for name, text in [("x.json", "not a record of Abstract Play"), ("y", "No such file")]:
        with pytest.raises(SystemExit) as end:
            main([str(tmp_path / name)])
        assert end.value.code == ExitStatus.WRONG_USE
        assert text in capfd.readouterr().err


def test_reason_of_many_games_is_told_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.sgf"
    file.write_text("(;RU[pinch]SZ[5];B[cc])" * 7 + "(;RU[pinch]SZ[9];B[cc])")
    assert main([str(file)]) == ExitStatus.FAILURE
    first, other, advice = capfd.readouterr().err.splitlines()
    assert f"{file}: games 1, 2, 3 and 4 more: Abstract Play has no 5x5 board" in first
    assert f"{file}: game 8: the game is not over" in other
    assert "use --to sgf" in advice


@pytest.mark.parametrize(
    ("games", "target"),
    [
        ("(;RU[pinch]SZ[5];B[cc])(;RU[pinch]SZ[5];B[cc];W[dd];B[dd])", "sgf"),
        ("(;RU[pinch]SZ[5];B[cc]C[Why?])", "abstract-play"),
    ],
)
def test_input_is_not_replaced_by_less(
    games: str, target: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.sgf"
    file.write_text(games)
    assert main([str(file), "--to", target, "-o", str(file)]) == ExitStatus.FAILURE
    assert f"{file}: not replaced, since it is the input" in capfd.readouterr().err
    assert file.read_text() == games


def test_output_is_checked_before_the_games(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "none" / "x.sgf"
    with pytest.raises(SystemExit) as end:
        main([str(tmp_path / "y"), "-o", str(target)])
    assert end.value.code == ExitStatus.WRONG_USE
    said = capfd.readouterr().err
    assert said == f"pinchtp convert: --output: {target}: the directory does not exist\n"


def test_gtp_loads_and_prints_them(tmp_path: Path) -> None:
    engine = server(9, game="pinch-relocate", files=True)
    path = tmp_path / "all.json"
    first = next(r for r in json.loads(THEIRS.read_text()) if "original" not in str(r))
    path.write_text(json.dumps(first))
    assert ask(engine, f"pinchtp-loadrecord {path}") == "= "
    assert len(engine.engine.session.turns()) == sum(map(len, first["moves"]))
    (written,) = json.loads(f"[{ask(engine, 'pinchtp-printrecord')[2:]}]")
    assert written["moves"] == [[text(move) for move in turn] for turn in first["moves"]]
    assert ask(engine, f"pinchtp-loadrecord {path} 3") == "= "
    before = observed(engine)
    for line, reason in [
        ("pinchtp-printrecord", "cannot save file: the game is not over"),
        (f"pinchtp-loadrecord {tmp_path}", "cannot load file: not a regular file"),
        (f"pinchtp-loadrecord {path}x", "cannot load file: No such file or directory"),
    ]:
        assert ask(engine, line).startswith(f"? {reason}"), line
    other = server(9, game="pinch", files=True)
    assert ask(other, f"pinchtp-loadrecord {path}") == (
        "? cannot load file: a record of pinch-relocate, not of pinch; "
        "pinchtp-game pinch-relocate changes the game"
    )
    assert observed(engine) == before


def test_gtp_prints_a_record_by_the_rules_of_its_game(tmp_path: Path) -> None:
    """Not by those of the engine."""
    path = tmp_path / "game.json"
    path.write_text(
        json.dumps(next(r for r in json.loads(THEIRS.read_text()) if "orig" not in str(r)))
    )
    engine = server(9, game="pinch-relocate", files=True, pie=False)
    assert ask(engine, f"pinchtp-loadrecord {path}") == "= "
    assert ask(engine, "pinchtp-printrecord").startswith("= {")
    for line in ("clear_board", "play b resign"):
        assert ask(engine, line) == "= "
    reason = "Abstract Play has no games without the pie rule"
    assert ask(engine, "pinchtp-printrecord") == f"? cannot save file: {reason}"


@pytest.mark.parametrize(
    ("options", "size"), [(["--size", "9"], "9"), (["--size", "9x7"], "9:7"), ([], "11")]
)
def test_moves_are_on_the_board_of_the_options(
    options: list[str], size: str, tmp_path: Path
) -> None:
    path, output = tmp_path / "moves.txt", tmp_path / "game.sgf"
    path.write_text("e5 swap c3")
    assert main([str(path), "--game", "pinch", *options, "-o", str(output)]) == 0
    assert f"SZ[{size}]" in output.read_text()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--size", "9"], "--size needs --game"),
        (["--game", "bushka", "--size", "9"], "Bushka is played on 10x10"),
        ([], "a list of moves needs its game: give it with --game"),
    ],
)
def test_moves_need_a_game_and_one_of_its_boards(
    options: list[str], why: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "moves.txt"
    path.write_text("e5 swap c3")
    with pytest.raises(SystemExit, match="2"):
        main([str(path), *options])
    assert why in capfd.readouterr().err


def test_board_reads_them_as_text() -> None:
    first = json.dumps(json.loads(THEIRS.read_text())[0])
    loaded = read(first, Table())
    assert loaded.tree.game.name == "pinch"
    assert (loaded.header.black, loaded.header.name) == ("Two", "Abstract Play abc6")
    with pytest.raises(RequestError, match="not a record of Abstract Play"):
        read("{}", Table())


def test_python_reads_and_writes_them(tmp_path: Path) -> None:
    game = pinchtp.Game("pinch-relocate", size=9, moves="e5 swap c3 resign")
    path = tmp_path / "game.json"
    path.write_text(game.to_abstract_play())
    assert pinchtp.read_record(path).moves == ("E5", "swap", "C3", "resign")
    with pytest.raises(pinchtp.RecordError, match=r"nothing\.json: No such file"):
        pinchtp.read_record(tmp_path / "nothing.json")


def test_python_reads_moves_on_a_given_board(tmp_path: Path) -> None:
    path = tmp_path / "moves.txt"
    path.write_text("e5 c3")
    game = pinchtp.read_record(path, game="pinch", size=(9, 7), pie=False)
    assert (game.size, game.rules) == ((9, 7), {"pie": False})
    assert pinchtp.read_record(path, game="pinch").size == (11, 11)
    with pytest.raises(ValueError, match="size: 9: give the game too, such as game='pinch'"):
        pinchtp.read_record(path, size=9)
    with pytest.raises(ValueError, match="size: 99: Pinch has 2 to 25 columns"):
        pinchtp.read_record(path, game="pinch", size=99)
