"""Damages match databases at random and measures what `pinchtp match repair` recovers.

    python tests/long/damage.py --stores 1000
    python tests/long/damage.py --stores 100 --bytes 1 --within 100      the header of the file only
    python tests/long/damage.py --stores 1000 --games 400 --seed 5

Each database has one to three damaged bytes, or up to --bytes. It is shown, resumed and repaired;
if the plan is lost as well, repaired again with a match file. Invariants: no traceback, the damaged
file is unchanged, and the repaired database can be shown and resumed.
"""

import argparse
import io
import random
import sys
import tempfile
from collections import Counter
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "support")]

from match_plans import engines  # noqa: E402  (found through the path above)
from match_records import scheduled  # noqa: E402

from pinchtp.base.sqlite import StoreError  # noqa: E402
from pinchtp.base.terminal import with_progress  # noqa: E402
from pinchtp.match import command  # noqa: E402
from pinchtp.match.plan import MatchPlan  # noqa: E402
from pinchtp.match.record import GameRecord  # noqa: E402
from pinchtp.match.results.store import MatchStore  # noqa: E402

SHOWN: tuple[list[str], ...] = (
    [],
    ["--games"],
    ["--game", "2"],
    ["--jsonl"],
    ["--page", "page.html"],
    ["--sgf", "games"],
)
FULL = 3000  # characters of a transcript, so that some rows exceed a page


class Fault(AssertionError):
    """A violated invariant."""


@dataclass
class Figures:
    """The results of a run.

    games: in all databases. saved: of them, after the repair. changed: saved games with altered
    content, such as a damaged letter. whole: databases that lost no game. unaided: databases
    repaired without a match file.
    """

    stores: int = 0
    games: int = 0
    saved: int = 0
    changed: int = 0
    whole: int = 0
    unaided: int = 0
    losses: Counter[int] = field(default_factory=Counter)  # stores, by games lost

    def __str__(self) -> str:
        losses = ", ".join(f"{lost} in {count}" for lost, count in sorted(self.losses.items()))
        return (
            f"{self.stores} stores, {self.unaided} repaired without a match file\n"
            f"{self.saved} of {self.games} games saved ({self.saved / self.games:.2%}), "
            f"{self.changed} of them changed by the damage\n"
            f"{self.whole} stores lost no game; games lost: {losses or 'none'}"
        )


class Hunt:
    """An intact database; copies of it in a folder are damaged one after another."""

    def __init__(self, folder: Path, games: int, rng: random.Random) -> None:
        self._rng = rng
        self._plan = MatchPlan(engines("one", "two"), games=games, size=(5, 4))
        self._records = [
            structs.replace(each, transcript="x" * FULL) if number % 8 == 0 else each
            for number, each in enumerate(scheduled(self._plan))
        ]
        self._folder = folder
        self._path, self._new = folder / "match.db", folder / "new.db"
        with MatchStore.begin(self._path, self._plan) as store:
            for record in self._records:
                store.add(record)
        self._sound = self._path.read_bytes()
        self._file = folder / "match.toml"
        names = "\n".join(f"{name} = './{name}'" for name in ("one", "two"))
        self._file.write_text(f"size = '5x4'\ngames = {games}\n[engines]\n{names}\n")
        self.figures = Figures()

    def damage(self, most: int, within: int | None) -> None:
        """Damages and repairs one database. most: bytes. within: limits it to the first bytes."""
        data = bytearray(self._sound)
        for _ in range(self._rng.randint(1, most)):
            data[self._rng.randrange(within or len(data))] = self._rng.randrange(256)
        self._path.write_bytes(data)
        try:
            self._try()
        except Exception as error:
            changes = [(at, new) for at, new in enumerate(data) if new != self._sound[at]]
            raise Fault(f"damaged at {changes}: {error!r}") from error

    def _try(self) -> None:
        damaged = self._path.read_bytes()
        for options in SHOWN:
            self._run("show", self._path, *options)
        kept = self._repaired()
        if self._path.read_bytes() != damaged:
            raise Fault("the damaged file was changed")
        with suppress(StoreError):
            MatchStore.begin(self._path, self._plan).close()
        lost = len(self._records) - len(kept)
        self.figures.stores += 1
        self.figures.games += len(self._records)
        self.figures.saved += len(kept)
        self.figures.changed += sum(each not in self._records for each in kept)
        self.figures.whole += not lost
        if lost:
            self.figures.losses[lost] += 1

    def _repaired(self) -> list[GameRecord]:
        """Returns the saved games; uses a match file if the plan is lost or wrong."""
        for match_file in ([], [self._file]):
            status = self._run("repair", self._path, *match_file, "--to", self._new)
            if status == 2:
                continue
            plan, kept = self._contents()
            if (status == 0) != (len(kept) == len(self._records)):
                raise Fault(f"exit status {status} with {len(kept)} games saved")
            if match_file or plan == self._plan:
                self.figures.unaided += not match_file
                return kept
        return []

    def _contents(self) -> tuple[MatchPlan, list[GameRecord]]:
        """Shows the repaired database, opens it as for resuming, and removes it."""
        for options in SHOWN:
            self._run("show", self._new, *options)
        with MatchStore.open(self._new) as store:
            plan = store.plan()
        with MatchStore.begin(self._new, plan) as store:
            kept = list(store.records())
        self._new.unlink()
        return plan, kept

    def _run(self, *words: object) -> int:
        """Returns the exit status of `pinchtp match`."""
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), chdir(self._folder):
            return command.main([str(word) for word in words])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stores", type=int, default=1000)
    parser.add_argument("--games", type=int, default=100, help="games per database")
    parser.add_argument("--bytes", type=int, default=3, help="damaged bytes, at most")
    parser.add_argument("--within", type=int, help="damage only this many first bytes")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        hunt = Hunt(Path(folder), asked.games, random.Random(asked.seed))
        for _ in with_progress(range(asked.stores), "databases"):
            hunt.damage(asked.bytes, asked.within)
        print(hunt.figures)


if __name__ == "__main__":
    main()
