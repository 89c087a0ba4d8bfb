"""One game looked at closely: what each turn decided."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from pinchtp.games import Color
from pinchtp.games.cells import BANNED
from pinchtp.games.session import Session
from pinchtp.player.player import Limits, Player
from pinchtp.report.evidence import Measurements
from pinchtp.report.experiments.experiment import Experiment, WorkUnit
from pinchtp.report.experiments.games import StrongGames
from pinchtp.report.playing import Cancelled, StopCheck
from pinchtp.report.subject import ReportSubject

GAME = 0  # the unit of the strong games that is looked at
BLOCK = 5  # turns of a unit
ROUNDS = 10  # searches of every turn, at the most


class SampleExperiment(Experiment):
    """Each unit searches some turns of the game: as it is, without the best move, and with the
    opponent to move instead. All turns have had a search before any has its next.
    """

    name: ClassVar[str] = "sample"
    what: ClassVar[str] = "searches of every turn of a sample game"
    weight: ClassVar[float] = 6
    least: ClassVar[int] = 30

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        game = measurements.done(StrongGames.name).get(GAME)
        if game is None:
            return None
        blocks = -(-len(game["turns"]) // BLOCK)
        number = self.free_number(measurements, running, ROUNDS * blocks)
        return None if number is None else self.unit(number, game["turns"])

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        turns = unit.task
        blocks = -(-len(turns) // BLOCK)
        begin = unit.number % blocks * BLOCK
        session = subject.session()
        found = []
        for number, moves in enumerate(turns[: begin + BLOCK]):
            if number >= begin:
                seed = subject.unit_seed(self.name, unit.number, number)
                found.append({"turn": number, **_values(subject, session, seed, stop)})
            session.play(session.to_move, *moves)
        return {"turns": found}


def _values(
    subject: ReportSubject, session: Session, seed: int, stop: StopCheck
) -> dict[str, float | None]:
    """The mover's chances with the best move, the best other one, and no move at all."""
    legal = session.position.legal_moves()
    player = Player(subject.settings())

    def searched(where: Session, allowed: Collection[int] = ()) -> tuple[int, float]:
        player.forget(seed)
        limits = Limits(visits=subject.visits, should_stop=stop, allowed=tuple(allowed))
        report = player.think(where, limits)
        if stop():
            raise Cancelled
        assert report.winrate is not None  # it had its visits
        return report.choices[0].move, report.winrate

    best, chance = searched(session)
    others = [move for move in legal if move != best]
    null = null_move(subject, session)
    return {
        "best": round(chance, 4),
        "second": round(searched(session, others)[1], 4) if others else None,
        "null": None if null is None else round(1 - searched(null)[1], 4),
    }


def null_move(subject: ReportSubject, session: Session) -> Session | None:
    """The position with the opponent to move; None if the game knows no such position."""
    position = session.position
    if position.mid_turn or position.swap_open:
        return None
    cells = position.cells().translate(_WITHOUT_BANS)
    opponent = Color(position.to_move).opponent
    try:
        turned = subject.entry.set_up(
            position.width,
            position.height,
            cells,
            opponent,
            swapped=position.swapped,
            options=subject.entry.rules_of(position),
        )
    except ValueError:
        return None
    return None if turned.result is not None else Session.at(subject.entry, turned)


_WITHOUT_BANS = bytes(0 if cell == BANNED else cell for cell in range(256))
