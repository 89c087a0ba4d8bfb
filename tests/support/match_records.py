"""Generated match games, and chances of pairs of games, for tests of matches."""

import json
import random
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar
from weakref import ref

import numpy as np
import numpy.typing as npt
import pytest
from msgspec import structs

from pinchtp._core import SWAP
from pinchtp.base.ratings import expected_score
from pinchtp.games import GAMES, Color
from pinchtp.games.session import Session
from pinchtp.html.document import write_document
from pinchtp.match.command import main
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import DRAW, GameRecord, MoveRecord, ScheduledGame, Termination, Winner
from pinchtp.match.results.page import MatchPage
from pinchtp.match.results.stats import MatchStats
from pinchtp.match.results.store import MatchStore
from pinchtp.match.runner import Schedule

PAIR_POINTS = np.arange(5) / 4  # of a pair of games, in shares


def record(  # noqa: PLR0913
    number: int = 0,
    black: str = "one",
    white: str = "two",
    winner: Winner | None = Color.BLACK,
    moves: str = "",
    *,
    pair: int | None = None,
    termination: Termination = Termination.RULES,
    failed: Color | None = None,
    times: Sequence[float] = (),
    **others: Any,
) -> GameRecord:
    """Returns a game; its moves are text separated by spaces, black's first."""
    texts = moves.split()
    spent = [*times, *[0.0] * (len(texts) - len(times))]
    made = tuple(MoveRecord(Color(at % 2), text, spent[at]) for at, text in enumerate(texts))
    place = number if pair is None else 2 * pair + number % 2
    pairing = (black, white) if place % 2 == 0 else (white, black)
    game = ScheduledGame(pairing, place, display_number=number + 1)
    return GameRecord(game, winner, termination, failed=failed, moves=made, **others)


def random_records(engines: Sequence[str], count: int, seed: int) -> list[GameRecord]:
    """Returns paired games of random engines with all kinds of terminations, in order."""
    rng = random.Random(seed)
    records = []
    for number in range(count):
        if number % 2 == 0:
            black, white = rng.sample(list(engines), 2)
        else:
            black, white = white, black
        winner = rng.choice([Color.BLACK, Color.WHITE, DRAW, None])
        failed = rng.choice([Color.BLACK, Color.WHITE, None, None])
        termination = (
            rng.choice(list(Termination)) if failed or winner is None else Termination.RULES
        )
        length = rng.randrange(12)
        moves = " ".join(rng.choice("ABC") + "123"[at % 3] for at in range(length))
        times = [rng.random() for _ in range(length)]
        records.append(
            record(
                number,
                black,
                white,
                winner,
                moves,
                termination=termination,
                failed=failed,
                times=times,
            )
        )
    return records


def played(number: int = 0, size: tuple[int, int] = (5, 4), **others: Any) -> GameRecord:
    """Returns a complete random game of Pinch with evaluations; odd numbers have a swap."""
    rng = random.Random(number)
    session = Session(GAMES["pinch"], *size, pie=True)
    moves: list[MoveRecord] = []
    while not session.is_over:
        color = session.to_move
        legal = session.position.legal_moves()
        move = SWAP if session.position.swap_open and number % 2 else rng.choice(legal)
        text = session.format([move])
        session.play(color, move)
        moves.append(
            MoveRecord(
                color,
                text,
                round(rng.random(), 3),
                round(rng.random(), 3) if len(moves) > 2 else None,
                book=len(moves) < 2,
            )
        )
    names = ("one", "two") if number % 2 == 0 else ("two", "one")
    game = record(number, *names).game
    return GameRecord(game, session.winner, Termination.RULES, moves=tuple(moves), **others)


def scheduled(plan: MatchPlan, **others: Any) -> list[GameRecord]:
    """Returns all games of a match between `one` and `two`; see played()."""
    return [
        structs.replace(played(at, **others), game=structs.replace(game, display_number=at + 1))
        for at, game in enumerate(Schedule(plan))
    ]


def finished_games(db: Path) -> list[int]:
    """Returns the numbers of the games in a store, in order, while another process writes it."""
    if not db.exists():
        return []
    connection = sqlite3.connect(db)
    try:
        return sorted(number for (number,) in connection.execute("SELECT number FROM game"))
    except sqlite3.OperationalError:  # it has no tables yet
        return []
    finally:
        connection.close()


def write_page(records: Iterable[GameRecord], path: Path, *, title: str, plan: MatchPlan) -> int:
    """Writes the page of a match with these games; returns its size in bytes."""
    page = MatchPage(plan)
    for each in records:
        page.add(each)
    return write_document(path, page.document(title))


def pair_chances(elo: float, *, draw: float, bias: float) -> npt.NDArray[np.float64]:
    """Returns the chances of PAIR_POINTS for a pair of games at a true difference in Elo.

    draw: the chance of a draw in each game. bias: Elo points that the opening gives one color, so
    that the games of a pair are not alike.
    """

    def game(elo: float) -> npt.NDArray[np.float64]:
        score = expected_score(elo)
        drawn = draw * 4 * score * (1 - score)
        return np.array([1 - score - drawn / 2, drawn, score - drawn / 2])

    low, high = -2000.0, 2000.0  # of the difference without bias that gives the mean score wanted
    for _ in range(60):
        middle = (low + high) / 2
        chances = np.convolve(game(middle + bias), game(middle - bias))
        if chances @ PAIR_POINTS < expected_score(elo):
            low = middle
        else:
            high = middle
    return chances


class Tracked(GameRecord, frozen=True, weakref=True):
    """A game that counts how many of its kind are alive."""

    most_alive: ClassVar[int] = 0
    _games: ClassVar[list[ref["Tracked"]]] = []

    @classmethod
    def of(cls, game: GameRecord) -> "Tracked":
        tracked = cls(**structs.asdict(game))
        cls._games.append(ref(tracked))
        cls.most_alive = max(cls.most_alive, sum(each() is not None for each in cls._games))
        return tracked


def assert_complete(db: Path, games: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Asserts that every game is stored once, and that statistics equal the store's."""
    connection = sqlite3.connect(db)
    numbers = [number for (number,) in connection.execute("SELECT number FROM game")]
    connection.close()
    assert sorted(numbers) == list(range(games))
    summary = MatchStats(["a", "b"])
    with MatchStore.open(db) as store:
        for record in store.records():
            summary.add(record)
    capsys.readouterr()
    assert main(["show", str(db), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    state = {"total": games, "unplayed": 0, "sprt": None}
    assert report == json.loads(json.dumps(summary.report().as_json() | state))
    assert (report["games"], report["void"], report["failures"]) == (games, 0, [])
