"""Reads SGF files and mutations of them, writes them again, and counts what was lost.

    python tests/long/records.py FOLDER --mutants 1337 --seed 1

Each text that is SGF is read as every game that takes it, and written by the engine and by the
board. Invariants: errors are RecordErrors in a printable line; properties, variations, results and
comments are written back. A result may give way to the one that the board shows.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "support")]

from record_games import from_sgf, texts_in  # noqa: E402  (found through the path above)

from pinchtp.board.importing import read, sgf_of  # noqa: E402
from pinchtp.board.table import Table  # noqa: E402
from pinchtp.board.tree import RequestError  # noqa: E402
from pinchtp.games import GAMES, GameType  # noqa: E402
from pinchtp.games.session import Session  # noqa: E402
from pinchtp.records.errors import RecordError  # noqa: E402
from pinchtp.records.sgf import to_sgf  # noqa: E402
from pinchtp.records.sgf.syntax import decode, parse  # noqa: E402

INSERTED = b"] [ ) ( ; \\ C[x] XX[a] \xff RE[B+T] \n (;W[aa]C[y]) \x00 \xe2\x80\xae".split(b" ")
RESPELLED = {"B", "W", "MV", "SZ", "HA", "TM", "OT", "SBKV"}  # written from what was read


class Fault(AssertionError):
    """A violated invariant."""


@dataclass
class Figures:
    """The results of a run.

    texts: all. parsed: those that are SGF. loaded: by the games that took them, and "board".
    results: those that gave way to the result of the moves.
    """

    texts: int = 0
    parsed: int = 0
    results: int = 0
    loaded: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        loaded = ", ".join(f"{count} {name}" for name, count in self.loaded.items())
        return (
            f"{self.texts} texts, {self.parsed} of them SGF; loaded: {loaded}; "
            f"{self.results} results gave way to those of the moves"
        )


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Returns a text with one to three insertions, deletions or other bytes."""
    mutant = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(mutant) + 1)
        match rng.randrange(3):
            case 0:
                mutant[at:at] = rng.choice(INSERTED)
            case 1:
                del mutant[at : at + rng.randint(1, 3)]
            case _:
                mutant[at : at + 1] = bytes([rng.randrange(256)])
    return bytes(mutant)


def try_text(data: bytes, figures: Figures) -> None:
    """Reads and writes a text in every way. Raises Fault."""
    figures.texts += 1
    try:
        next(parse(data))
    except RecordError as error:
        _check_message(error)
        return
    figures.parsed += 1
    for name, written in _rewritten(data):
        figures.loaded[name] += 1
        for lost in _lost(data, written):
            if lost[0] != "RE":
                raise Fault(f"{name} lost {lost} of {data!r}")
            figures.results += 1


def _rewritten(data: bytes) -> Iterator[tuple[str, str]]:
    """Yields the text as each game writes it that takes it, and as the board does."""
    for name, game in GAMES.items():
        try:
            yield name, _by_engine(data, game)
        except RecordError as error:
            _check_message(error)
    try:
        loaded = read(decode(data), Table())
    except RequestError as error:
        _check_message(error)
        return
    table = Table()
    table.load(loaded.tree, loaded.node, loaded.options, loaded.header)
    yield "board", sgf_of(table, ("", ""))


def _by_engine(data: bytes, game: GameType) -> str:
    record = from_sgf(data, game)
    session = Session.at(game, record.start)
    record.load_into(session)
    return to_sgf(session)


def _lost(data: bytes, written: str) -> list[tuple[str, str]]:
    """Returns names and texts of the values that are missing."""
    before, after = texts_in(data), texts_in(written)
    comments = "\n".join(text for name, text in after if name == "C")
    kept = {(name, _plain(text)) for name, text in after}
    return [
        (name, text)
        for name, text in before - after
        if name not in RESPELLED and text.strip()
        if (text not in comments if name == "C" else (name, _plain(text)) not in kept)
    ]


def _plain(text: str) -> str:
    """Returns a number in one spelling, and any other text in one line."""
    with suppress(ValueError):
        return f"{float(text):.3f}"
    return " ".join(text.split())


def _check_message(error: Exception) -> None:
    if not str(error).isprintable():
        raise Fault(f"unprintable: {error!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="with SGF files")
    parser.add_argument("--mutants", type=int, default=1000, help="(default: 1000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = [each.read_bytes() for each in sorted(options.folder.rglob("*.sgf"))]
    rng = random.Random(options.seed)
    mutants = [mutate(rng.choice(files), rng) for _ in range(options.mutants)]
    for name, texts in (("files", files), ("mutants", mutants)):
        figures = Figures()
        for text in texts:
            try_text(text, figures)
        print(f"{name}: {figures}")


if __name__ == "__main__":
    main()
