"""Games as animated pictures, decoded by the library that others use."""

import io
import random
from pathlib import Path

import pytest
from PIL import Image

from pinchtp.base.process import ExitStatus
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session
from pinchtp.records.command import main
from pinchtp.records.position_line import load_position
from pinchtp.records.sgf import to_sgf
from pinchtp.render import gif
from pinchtp.render.gif import game_gif, picture

# Black's D2 flips D3, D4 and D5, one after another.
CASCADE = "......./..XO.../...OX../..XO.../......./....... b"

# Black's B4 lifts two stones, which it puts down one by one.
RELOCATION = "XO.../..O../..X../...../...XO b"


def random_game(game: str, size: int, turns: int) -> Session:
    session = Session(GAMES[game], size, size)
    source = random.Random(1)
    while len(session.turns()) < turns or session.position.mid_turn:
        session.play(session.to_move, source.choice(session.position.legal_moves()))
    return session


def cascade() -> Session:
    start, _ = load_position(CASCADE, Session(GAMES["pinch"], 7, 6))
    session = Session.at(GAMES["pinch"], start)
    session.play(session.to_move, *session.parse("D2"))
    return session


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    assert image.format == "GIF"
    return image


def last_of(image: Image.Image) -> Image.Image:
    image.seek(getattr(image, "n_frames", 1) - 1)
    return image.convert("RGB")


def test_each_step_of_a_cascade_has_a_frame() -> None:
    image = opened(game_gif(cascade()))
    assert getattr(image, "n_frames", 1) == 2 + 3  # before and after; D2, D3 and D4
    assert image.info["loop"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_last_frame_is_the_still_picture(game: str) -> None:
    session = random_game(game, 10, 12)
    image = opened(game_gif(session))
    still = picture(session).convert("RGB")
    assert getattr(image, "n_frames", 1) >= 1 + 12
    assert image.size == still.size
    assert last_of(image).tobytes() == still.tobytes()


@pytest.mark.parametrize("last_move", [False, True])
@pytest.mark.parametrize("is_resigned", [False, True])
def test_incomplete_last_turn_is_shown(*, is_resigned: bool, last_move: bool) -> None:
    game = GAMES["pinch-relocate"]
    start, _ = load_position(RELOCATION, Session(game, 5, 5))
    session = Session.at(game, start)
    for point in ("b4", "d2"):
        session.play(Color.BLACK, *session.parse(point))
    if is_resigned:
        session.resign(Color.BLACK)
    image = opened(game_gif(session, last_move=last_move))
    assert last_of(image).tobytes() == picture(session).convert("RGB").tobytes()


def test_last_move_alone_ends_with_the_same_picture() -> None:
    session = random_game("pinch", 9, 20)
    image = opened(game_gif(session, last_move=True))
    assert last_of(image).tobytes() == picture(session).convert("RGB").tobytes()
    assert getattr(image, "n_frames", 1) < 10


@pytest.mark.slow
def test_hundred_moves_fit_into_a_message() -> None:
    assert len(game_gif(random_game("pinch", 13, 100))) < 300_000


def test_gif_without_moves_has_one_frame() -> None:
    assert getattr(opened(game_gif(Session(GAMES["pinch"], 5, 5))), "n_frames", 1) == 1


def test_too_long_game_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gif, "MOST_TURNS", 5)
    with pytest.raises(ValueError, match="the game has 6 moves: a GIF can show at most 5"):
        game_gif(random_game("pinch", 5, 6))


def test_convert_writes_a_picture(tmp_path: Path) -> None:
    session = random_game("pinch", 5, 4)
    record, output = tmp_path / "game.sgf", tmp_path / "game.gif"
    record.write_text(to_sgf(session))
    assert main([str(record), "-o", str(output)]) == ExitStatus.SUCCESS
    assert output.read_bytes() == game_gif(session)


def test_convert_refuses_several_games_for_one_picture(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "two.sgf").write_text("(;SZ[5]RU[pinch];B[aa])" * 2)
    with pytest.raises(SystemExit):
        main([str(tmp_path / "two.sgf"), "--to", "gif"])
    assert "a GIF shows one game, but the input has 2" in capfd.readouterr().err
