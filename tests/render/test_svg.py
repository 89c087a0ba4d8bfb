"""Boards as SVG: complete documents, and pictures in pages."""

import re
import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from boards import pinch, random_game
from clients import PACKAGE

from pinchtp._core import PASS
from pinchtp.base.text import visible
from pinchtp.games import GAMES, Color
from pinchtp.games.notation import format_move, random_turn
from pinchtp.games.session import GameHeader, Session
from pinchtp.render.ground import FRAME, GRID, INK
from pinchtp.render.svg import (
    BAND,
    CELL,
    STONE,
    CellMark,
    board_svg,
    ground_svg,
    marks_svg,
    position_svg,
)

PINCH = GAMES["pinch"]
PICTURES = Path(__file__).parents[2] / "tools" / "pictures.py"
EVIL = "</script><script>evil()</script><!-- \" ' & \x1b[31m"

SIZES = [(2, 2), (3, 5), (5, 4), (9, 9), (25, 25), (2, 25)]
EACH_SIZE = pytest.mark.parametrize(
    ("width", "height"), SIZES, ids=[f"{width}x{height}" for width, height in SIZES]
)


def drawing(session: Session) -> ET.Element:
    text = board_svg(session)
    assert "\n\n" not in text
    assert text == text.strip()
    return ET.fromstring(text)


def of_class(picture: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in picture.iter() if each.get("class") == name]


def places(elements: list[ET.Element]) -> set[tuple[str | None, str | None]]:
    return {(each.get("cx"), each.get("cy")) for each in elements}


@EACH_SIZE
def test_drawing_shows_the_game(width: int, height: int) -> None:
    *_, over = (None, *random_game("pinch", width, height, 2))
    assert over is not None
    for count in range(0, len(over.history) + 1, max(1, len(over.history) // 6)):
        session = pinch(width, height, " ".join(map(format_move, over.moves[:count])))
        picture = drawing(session)
        cells = session.position.cells()
        for color in Color:
            assert len(of_class(picture, str(color))) == cells.count(color + 1)
        stones = of_class(picture, "black") + of_class(picture, "white")
        assert len(places(stones)) == len(stones)
        last = session.last_move
        assert len(of_class(picture, "last")) == (last is not None and last < PASS)
        assert places(of_class(picture, "last") + of_class(picture, "flipped")) <= places(stones)
        assert len(of_class(picture, "flipped")) == len(session.captured_points())
        assert len(of_class(picture, "chain")) == session.is_over


@EACH_SIZE
def test_everything_lies_within_a_drawing(width: int, height: int) -> None:
    picture = drawing(pinch(width, height, "a1 b2"))
    left, top, right, bottom = map(float, (picture.get("viewBox") or "").split())
    assert (left, top) == (0, 0)
    for name, most in (("x", right), ("cx", right), ("y", bottom), ("cy", bottom)):
        values = [float(each.get(name, "0")) for each in picture.iter()]
        assert all(0 <= value <= most for value in values)


@EACH_SIZE
def test_coordinates_stand_at_every_side(width: int, height: int) -> None:
    labels = [
        each.text for each in drawing(pinch(width, height)).iter() if each.tag.endswith("text")
    ]
    assert len(labels) == 2 * (width + height)
    assert labels.count("A") == labels.count(str(height)) == 2


def test_letters_can_be_read_in_a_small_picture() -> None:
    """360 pixels wide, letters of 9 pixels or more: also on the largest board."""
    for size in (2, 9, 13, 19, 25):
        picture = drawing(pinch(size, size))
        letter = max(float(each.get("font-size", "0")) for each in picture.iter())
        assert letter / float(picture.get("width", "0")) * 360 >= 9


def test_sides_have_their_owners_colors() -> None:
    fills = [
        [each.get("fill") for each in drawing(session).iter() if each.tag.endswith("polygon")]
        for session in (pinch(5, 5, "c3"), pinch(5, 5, "c3 swap"))
    ]
    top, bottom, left, right = fills[0]
    assert top == bottom != left == right
    assert fills[1] == [left, left, top, top]


def test_title_shows_status() -> None:
    assert "<title>Pinch 5x4: White to move</title>" in board_svg(pinch(5, 4, "c3"))


def test_title_escapes_the_result_of_a_record() -> None:
    session = pinch(5, 4, "c3")
    session.info = GameHeader(result=EVIL)
    assert drawing(session)[0].text == visible(f"Pinch 5x4: White to move; recorded result: {EVIL}")


def test_pictures_are_up_to_date() -> None:
    pictures = runpy.run_path(str(PICTURES))["pictures"]()
    folder = PICTURES.with_suffix("")
    assert {path.name for path in folder.iterdir()} == set(pictures)
    for name, text in pictures.items():
        assert (folder / name).read_text("utf-8") == text, "run tools/pictures.py"


# --- in pages


def texts(picture: ET.Element) -> list[str]:
    return [each.text or "" for each in picture.iter("text")]


def test_scripts_draw_no_ground() -> None:
    script = (PACKAGE / "html" / "board.js").read_text("utf-8")
    assert [color for color in (FRAME, GRID, INK) if color in script] == []


def test_ground_for_scripts_has_the_classes_of_style_sheets() -> None:
    picture = ET.fromstring(f"<svg>{ground_svg(pinch(5, 4, 'c3 swap'))}</svg>")
    names = [each.get("class") for each in picture if each.tag != "defs"]
    sides = ["white-side", "white-side", "black-side", "black-side"]  # top, bottom, left, right
    assert names == ["frame", "wood", *sides, "grid-lines", "coordinate"]


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.places_stones])
def test_ground_for_scripts_depends_on_swaps_alone(game: str) -> None:
    grounds: dict[bool, set[str]] = {}
    for session in random_game(game, 5, 4, seed=3):
        grounds.setdefault(session.position.swapped, set()).add(ground_svg(session))
    assert [len(each) for each in grounds.values()] == [1] * len(grounds)


def test_ground_for_scripts_does_not_depend_on_men() -> None:
    session = Session(GAMES["bushka"], *GAMES["bushka"].size)
    before = ground_svg(session)
    session.play(session.to_move, *random_turn(session.position, min))
    assert ground_svg(session) == before


def test_marks_svg_shows_each_mark_with_its_title() -> None:
    marks = {0: CellMark.share(0.25, "1 game"), 7: CellMark.share(1, "<b>")}
    picture = ET.fromstring(marks_svg(pinch(5, 4), marks, "First moves"))
    groups = {each.get("data-vertex"): each for each in picture.iter("g")}
    titles = {name: group.findtext("title") for name, group in groups.items() if name}
    assert titles == {"A1": "A1: 1 game", "C2": "C2: <b>"}
    assert [text for text in texts(picture) if text not in "ABCDE1234"] == ["25", "100"]
    assert picture.get("aria-label") == "First moves"


def test_share_colors_run_from_blue_to_orange() -> None:
    fills = [CellMark.share(share, "").fill for share in (0, 0.5, 1)]
    assert fills == ["#6caae8", "#faf6ec", "#f49634"]
    assert [CellMark.shade(weight, "", "").fill for weight in (0, 1)] == ["#faf6ec", "#4ca86a"]


@pytest.mark.parametrize("game", GAMES)
def test_position_svg_has_all_stones(game: str) -> None:
    session = Session(GAMES[game], *GAMES[game].size)
    start = session.copy()
    session.play(session.to_move, session.position.legal_moves()[0])
    cells = session.position.cells()
    picture = ET.fromstring(position_svg(start, cells, {}, ""))
    stones = of_class(picture, "black") + of_class(picture, "white")
    assert len(stones) == sum(value in b"\1\2\3\4" for value in cells)


def test_grid_covers_points_only() -> None:
    """Each run of points is one line; the board of Bushka has holes."""
    start = Session(GAMES["bushka"], 10, 10)
    text = position_svg(start, start.position.cells(), {}, "")
    path: Any = next(each.get("d") for each in ET.fromstring(text).iter("path"))
    lines = re.findall(r"M([0-9.]+) ([0-9.]+)([VH])([0-9.]+)", path)
    ends = [(float(y if kind == "V" else x), float(end)) for x, y, kind, end in lines]
    cells = start.position.cells()
    points = sum(value != 255 for value in cells)
    assert sum(end - begin for begin, end in ends) == 2 * points * CELL


def test_position_svg_escapes_written_text() -> None:
    session = pinch(5, 4, "b2 c3")
    text = position_svg(pinch(5, 4), session.position.cells(), {6: "1", 12: EVIL}, EVIL)
    assert texts(ET.fromstring(text)) == ["1", EVIL.replace("\x1b", "\N{SYMBOL FOR ESCAPE}")]


def test_script_draws_boards_of_the_same_dimensions() -> None:
    """Otherwise stones change their size when the script replaces the server's picture."""
    script = (PACKAGE / "html" / "board.js").read_text("utf-8")
    lengths = dict(re.findall(r"const (UNIT|RADIUS|BAND) = ([\d.]+);", script))
    assert {name: float(value) for name, value in lengths.items()} == {
        "UNIT": CELL,
        "RADIUS": STONE,
        "BAND": BAND,
    }
