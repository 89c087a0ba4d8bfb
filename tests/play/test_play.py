"""`pinchtp play` at a pseudo-terminal and through pipes."""

from pathlib import Path

import pytest
from clients import run
from terminals import CTRL_C, TAB, UP, Terminal

from pinchtp.base.process import ExitStatus
from pinchtp.games import GAMES, Color
from pinchtp.gtp.engine import GtpEngine
from pinchtp.play import view
from pinchtp.play.game import HumanGame, PlayError
from pinchtp.player.settings import Settings
from pinchtp.records.reader import read_first


def new(game: str = "pinch", size: str = "5", human: Color = Color.BLACK) -> HumanGame:
    settings = Settings(game=game, level=2, seed=1, memory=16)
    settings.set("size", size)
    return HumanGame(GtpEngine(settings), human)


def play(*lines: str, options: tuple[str, ...] = ()) -> str:
    """Returns the output of a game whose input comes from a pipe."""
    sent = "".join(f"{line}\n" for line in lines).encode()
    done = run("play", "--size", "5", "--seed", "1", *options, sent=sent)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def test_terminal_game_has_colors_history_and_completion() -> None:
    with Terminal("play", "--size", "5", "--level", "1", "--no-pie") as terminal:
        opening = terminal.expect("Black> ")
        assert "You are Black, the engine is White (level 1)" in opening
        terminal.enter("c3")
        assert "Last move: black C3" in terminal.expect("White plays ")
        terminal.expect("Black> ")
        terminal.type(f"{UP}\r")
        assert "C3 is occupied" in terminal.expect("Black> ")
        terminal.type(f"und{TAB}\r")
        assert "move 1: black to move" in terminal.expect("Black> ")
        terminal.enter("quit")
        assert terminal.status() == 0
        assert "\x1b[1;36mX" in terminal.output


def test_terminal_without_colors_is_plain() -> None:
    with Terminal("play", "--size", "5", "--level", "1", NO_COLOR="1") as terminal:
        terminal.enter("c3")
        terminal.expect("move 3: black to move")  # White has played or swapped
        terminal.expect("Black> ")
        assert "36m" not in terminal.output


def test_ctrl_c_stops_the_search_then_leaves(tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    options = ("--size", "9", "--time", "1000", "--level", "20", "--record", str(record))
    with Terminal("play", *options) as terminal:
        terminal.expect("Black> ")
        terminal.enter("b2")
        terminal.expect("thinking")
        terminal.type(CTRL_C)
        terminal.expect("White plays ")
        terminal.expect("Black> ")
        assert terminal.interrupt_until_end() == ExitStatus.INTERRUPTED
    assert len(read_first(record.read_bytes()).session().turns()) == 2


def test_ctrl_c_stops_a_hint() -> None:
    with Terminal("play", "--size", "9", "--time", "1000", "--level", "20") as terminal:
        terminal.expect("Black> ")
        terminal.enter("hint")
        terminal.expect("thinking")
        terminal.type(CTRL_C)
        terminal.expect("for black)")
        terminal.expect("Black> ")
        terminal.enter("quit")
        assert terminal.status() == 0


def test_rejected_line_error_names_the_expected_input() -> None:
    said = play("hnt", "x9", "e9", "c3 c4", "level", "level 30", "undo", "level 3", "save", "quit")
    for text in (
        "'hnt': did you mean 'hint'?",
        "no such point on the 5x5 board",
        "'c3 c4' is not a move: use a vertex such as D4, swap or pass, or ? for help",
        "usage: level N",
        "'30': give an integer from 1 to 20",
        "nothing to take back: you have not moved yet",
        "level 3",
        "usage: save FILE",
    ):
        assert text in said


def test_every_command_is_listed_and_works(tmp_path: Path) -> None:
    path = tmp_path / "kept.sgf"
    said = play("?", "c3", "hint", "undo", "time 0.1", "board", "c3", f"save {path}", "new", "quit")
    assert "  save FILE  write the game as SGF" in said
    assert "% for black)" in said
    assert f"The game is in {path}." in said
    assert read_first(path.read_bytes()).session().turns()[0].moves


@pytest.mark.parametrize("change", ["undo", "resign"])
def test_change_after_saving_is_unsaved(tmp_path: Path, change: str) -> None:
    path = tmp_path / "kept.sgf"
    said = play("a1", "e5", f"save {path}", change, "quit", options=("--no-pie",))
    assert said.endswith("The game was not saved (save FILE, or pinchtp play --record FILE).\n")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("swap", "White swaps."), ("resign", "White resigns."), ("C3", "White plays C3.")],
)
def test_reply_names_the_engines_move(text: str, sentence: str) -> None:
    assert view.reply(Color.WHITE, text) == sentence


def test_engine_opens_as_black() -> None:
    said = play("resign", "quit", options=("--black", "engine"))
    assert "You are White" in said
    assert "Black plays " in said
    assert "White resigned: Black has won" in said


def test_lost_game_names_the_turning_point() -> None:
    game = new(human=Color.WHITE)
    for at, text in enumerate("c3 a1 c2 a2 c4 a3 c5".split()):  # noqa: SIM905
        game.session.play(Color(at % 2), *game.session.parse(text))
    game.session.play(Color.WHITE, *game.session.parse("a4"))
    game.session.play(Color.BLACK, *game.session.parse("c1"))
    assert game.is_lost
    with pytest.raises(PlayError, match="the game is over"):
        game.play("b1")
    move = game.turning_point(lambda done, total: None)
    assert move is not None
    assert move.color == Color.WHITE
    assert f"move {move.number}, {move.text}: your winrate fell from" in view.turning_point(move)


def test_swap_is_a_move_and_shows_the_sides() -> None:
    game = new(human=Color.WHITE)
    game.session.play(Color.BLACK, *game.session.parse("c3"))
    game.play("swap")
    assert "White (O) joins top and bottom, Black (X) left and right" in view.board(game).plain


def test_steps_are_asked_for_one_by_one() -> None:
    game = new("pinch-relocate")
    for text in ("a1", "b1", "b2", "d4", "c1"):
        if game.session.position.mid_turn:
            break
        game.session.play(game.session.to_move, *game.session.parse(text))
    assert game.session.position.mid_turn
    assert view.prompt(game) == "Black, step 2> "
    assert "To be put down: O" in view.board(game).plain
    game.undo()
    assert not game.session.position.mid_turn
    assert view.prompt(game) == "Black> "


@pytest.mark.parametrize("name", GAMES)
def test_undo_takes_back_turn_and_reply(name: str) -> None:
    """Undo takes back a turn with all its parts, and the reply to it."""
    game = new(name, "10" if name == "bushka" else "4", GAMES[name].first)
    while not game.session.is_over:
        if game.is_engines_turn:
            game.reply(lambda: False)
            assert not game.session.position.mid_turn
        while not game.session.is_over and not game.is_engines_turn:
            position = game.session.position
            legal = position.legal_moves()
            move = legal[len(game.session.history) * 7 % len(legal)]
            game.play(game.session.game.notation.format(position, (move,)))
            assert not view.board(game).plain.startswith("\n")
        if len(game.session.history) > 60:
            break
    turns = game.session.turns()
    game.undo()
    own = [at for at, turn in enumerate(turns) if turn.color == game.human]
    assert len(game.session.turns()) == own[-1]
    assert not game.session.position.mid_turn


def test_record_is_continued(tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    play("c3", "quit", options=("--record", str(record)))
    said = play("quit", options=("--record", str(record), "--size", "5"))
    assert "Pinch 5x5, move 3: black to move" in said
    play("resign", "quit", options=("--record", str(record)))
    done = run("play", "--record", str(record))
    assert done.returncode == 2
    assert done.stderr == (
        f"pinchtp play: --record {record}: the game in it is over; give another file\n"
    )


def test_new_game_has_a_record_of_its_own(tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    said = play("c3", "new", "new", "b2", "quit", options=("--record", str(record)))
    assert f"This game is recorded in {tmp_path / 'game-1.sgf'}." in said
    files = sorted(tmp_path.glob("*.sgf"))
    assert [file.name for file in files] == ["game-1.sgf", "game.sgf"]
    for file, first in zip(files, ("B[bd]", "B[cc]"), strict=True):
        assert first in file.read_text()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("shopping\n", "not an SGF file"),
        ("e5 swap c3\n", "not an SGF file"),
        ("(;RU[pinch];B[cc])(;RU[pinch])", "saving would keep one of its 2 games; give another"),
    ],
)
def test_record_that_saving_would_destroy_is_refused(tmp_path: Path, text: str, why: str) -> None:
    record = tmp_path / "game.sgf"
    record.write_text(text)
    done = run("play", "--game", "pinch", "--record", str(record))
    assert done.returncode == 2
    assert done.stderr.startswith(f"pinchtp play: --record {record}: {why}")
    assert record.read_text() == text


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--size 9", "the game in it is Pinch 5x5, which has another value of --size: omit that"),
        ("--game bushka --search alpha-beta", "another value of --game"),
        ("--no-pie", "another value of --pie"),
        ("--black engine", "the engine is white in it: give --black me"),
    ],
)
def test_options_that_contradict_the_record_are_refused(
    tmp_path: Path, options: str, why: str
) -> None:
    record = tmp_path / "game.sgf"
    play("c3", "quit", options=("--record", str(record)))
    before = record.read_text()
    done = run("play", *options.split(), "--record", str(record))
    assert done.returncode == 2
    assert f"pinchtp play: --record {record}: " in done.stderr
    assert why in done.stderr
    assert record.read_text() == before


def test_record_without_a_game_is_of_the_game_of_the_options(tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;SZ[5];B[cc];W[dd])")
    assert "does not name its game" in run("play", "--record", str(record)).stderr
    said = play("quit", options=("--game", "pinch", "--record", str(record)))
    assert "Pinch 5x5, move 3: black to move" in said
