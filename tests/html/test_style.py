"""The colors of all pages, in light and dark."""

import re
from importlib.resources import files
from itertools import pairwise

from pinchtp.render.svg import DEFINITIONS


def luminance(color: str) -> float:
    """Relative luminance by the Web Content Accessibility Guidelines 2.1."""
    digits = color.removeprefix("#")
    digits = "".join(2 * each for each in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, two: str) -> float:
    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


def test_marks_are_seen_on_each_ground() -> None:
    """3 for marks on the ground and on stones, as the guidelines ask."""
    package = files("pinchtp")
    look = package.joinpath("board/page/look.css").read_text("utf-8")
    usual = _read_colors(package.joinpath("html/board.css").read_text("utf-8"))
    wood = re.findall(r'stop-color="(#\w+)"', DEFINITIONS)[:2]
    boards = {"wood": [usual | {"wood": each} for each in wood]}
    for names, style in re.findall(r"^(.*data-board.*)\.board \{([^}]*)", look, re.MULTILINE):
        for name in re.findall(r'data-board="?(\w+)', names):
            [known] = boards.setdefault(name, [usual])
            boards[name] = [known | _read_colors(style)]
    assert boards.keys() == {"wood", "paper", "green", "slate", "clear"}
    for name, variants in boards.items():
        for colors in variants:
            for mark in ("mark", "banned", "won", "note", "line"):
                assert contrast(colors[mark], colors["wood"]) >= 3, (name, mark)
            for stone in ("black-stone", "white-stone"):
                assert contrast(colors["last"], colors[stone]) >= 3, (name, stone)


def _read_colors(style: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#\w+);", style))


def test_contrast_in_light_and_dark() -> None:
    """4.5 for text and 3 for lines, as the guidelines ask; each theme has all its colors."""
    style = files("pinchtp.html").joinpath("style.css").read_text("utf-8")
    colors = re.findall(r"--(\w+): light-dark\((#\w+), (#\w+)\)", style)
    assert len(colors) == style.count("  --") + style.count("; --")
    for at in (1, 2):
        theme = {color[0]: color[at] for color in colors}
        for text in ("ink", "faint", "accent", "good", "bad"):
            for ground in ("paper", "card"):
                assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
        assert contrast(theme["ink"], theme["soft"]) >= 4.5
        assert contrast(theme["card"], theme["accent"]) >= 4.5  # the current move
        for line in range(8):
            assert contrast(theme[f"c{line}"], theme["card"]) >= 3
        assert all(
            theme[one] != theme[two] for one, two in pairwise(["c0", "c1", "c2", "c3", "c4"])
        )
