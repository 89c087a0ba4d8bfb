"""Reads SGF files by a Python library: `python sgf_readers.py NAME FILE...`.

It runs with the library only, without pinchtp. Writes one JSON object: by file, the text as the
library saves it, the last board as rows of `.XO` from the top if the library has one, or its error.
"""

import io
import json
import sys
from collections.abc import Callable

Result = dict[str, object]


def sgf(text: str) -> Result:
    import sgf  # noqa: PLC0415

    saved = io.StringIO()
    sgf.parse(text).output(saved)
    return {"saved": saved.getvalue()}


def pysgf(text: str) -> Result:
    import pysgf  # noqa: PLC0415

    reader = pysgf.SGF if hasattr(pysgf, "SGF") else pysgf.GoGame
    return {"saved": reader.parse(text).sgf()}


def sgflib(text: str) -> Result:
    import sgflib  # noqa: PLC0415

    return {"saved": sgflib.SGFParser(text).parse_collection().sgf}


def sgfutil(text: str) -> Result:
    from sgfutil.parser import SgfParser  # noqa: PLC0415

    SgfParser().sgf_parse(text)
    return {}


def sgfmill(text: str) -> Result:
    from sgfmill import boards, sgf  # noqa: PLC0415

    game = sgf.Sgf_game.from_string(text)
    board = boards.Board(game.get_size())
    for node in game.get_main_sequence():
        color, move = node.get_move()
        if move is not None:
            board.play(*move, color)
        for points, stone in zip(node.get_setup_stones(), ("b", "w", None), strict=True):
            for row, column in points:
                board.board[row][column] = stone
    signs = {"b": "X", "w": "O", None: "."}
    rows = ["".join(signs[stone] for stone in row) for row in reversed(board.board)]
    return {"saved": game.serialise().decode(), "board": rows}


def katagoanal(text: str) -> Result:
    from KataGoAnal.sgf_io import Game  # noqa: PLC0415

    game = Game.from_bytes(text.encode())
    _ = game.initial_stones, game.mainline_moves  # what it sends to KataGo
    return {"saved": game.serialise().decode()}


def renju(text: str) -> Result:
    from renju.board import RenjuBoard  # noqa: PLC0415

    return {"saved": RenjuBoard.from_sgf(text).to_sgf()}


def tree_sitter_sgf(text: str) -> Result:
    import tree_sitter_sgf  # noqa: PLC0415
    from tree_sitter import Language, Parser  # noqa: PLC0415

    tree = Parser(Language(tree_sitter_sgf.language())).parse(text.encode())
    if tree.root_node.has_error:
        raise ValueError("the tree has errors")
    return {}


READERS: dict[str, Callable[[str], Result]] = {
    each.__name__: each
    for each in (sgf, pysgf, sgflib, sgfutil, sgfmill, katagoanal, renju, tree_sitter_sgf)
}


def read(name: str, path: str) -> Result:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        return READERS[name](text)
    except (Exception, SystemExit) as error:
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    output, sys.stdout = sys.stdout, sys.stderr  # some libraries print
    json.dump({path: read(sys.argv[1], path) for path in sys.argv[2:]}, output)
