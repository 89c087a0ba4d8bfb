"""Winrates that know their side, and that nothing else turns one to the other side."""

import ast
import re
from collections.abc import Iterator

import pytest
from clients import PACKAGE

from pinchtp.games import Color
from pinchtp.games.winrate import Winrate

TURNED = re.compile(r"winrate|chance|points|won\b|\brate\b|\.value\b")

# A variance, how open a game is for either side, the other player's score: these have no color.
WITHOUT_COLOR = {"engine/analysis.py", "player/timed_search.py", "report/sections/balance.py"}
# blackShare() of the board, blackWinrate() of a match
IN_SCRIPTS = ["board/page/overlays.js", "match/results/page.js"]


@pytest.mark.parametrize(("winner", "score"), [(Color.BLACK, 1), (Color.WHITE, 0), (None, 0.5)])
def test_score_of_a_result(winner: Color | None, score: float) -> None:
    assert Winrate.of_result(winner, Color.BLACK) == score


def expressions(near: str) -> Iterator[tuple[str, ast.expr]]:
    """Yields the expressions of the package's files that match a pattern, and the files' names."""
    for source in sorted(PACKAGE.rglob("*.py")):
        text = source.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if re.search(near, text) else ():
            if isinstance(node, ast.expr):
                yield source.relative_to(PACKAGE).as_posix(), node


def is_turned(node: ast.expr) -> bool:
    """Returns whether an expression is 1 or 100 less a winrate."""
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub)
        and isinstance(node.left, ast.Constant)
        and node.left.value in (1, 100)
        and bool(TURNED.search(ast.unparse(node.right)))
    )


def is_score(node: ast.expr) -> bool:
    """Returns whether an expression is 1/2 without a winner."""
    return (
        isinstance(node, ast.IfExp)
        and isinstance(node.body, ast.Constant)
        and node.body.value == 0.5
        and "winner" in ast.unparse(node.test)
    )


def test_only_winrate_turns_a_winrate() -> None:
    places = [name for name, node in expressions(r"\b1(00)? - ") if is_turned(node)]
    assert set(places) == WITHOUT_COLOR
    assert len(places) == len(WITHOUT_COLOR)


def test_one_function_of_a_page_turns_winrates() -> None:
    places = [
        script.relative_to(PACKAGE).as_posix()
        for script in sorted(PACKAGE.rglob("*.js"))
        for _ in re.findall(r"\b1(?:00)? - (?!COLORS)", script.read_text("utf-8"))
    ]
    assert places == IN_SCRIPTS


def test_only_winrate_scores_a_result() -> None:
    assert [name for name, node in expressions("0.5 if") if is_score(node)] == []


@pytest.mark.parametrize("text", ["1 - winrate", "1 - each.chance", "100 - won", "1 - f(rate)"])
def test_turned_winrates_are_found(text: str) -> None:
    assert is_turned(ast.parse(text, mode="eval").body)


def test_scores_are_found() -> None:
    text = "0.5 if session.winner is None else float(session.winner == color)"
    assert is_score(ast.parse(text, mode="eval").body)
