"""The gate: a match that a new network must win to become the best one."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from pinchtp.base.ratings import elo_of, score_interval
from pinchtp.base.sqlite import StoreError
from pinchtp.games import PIE
from pinchtp.match import play
from pinchtp.match.make_openings import OpeningSearch, balanced_openings
from pinchtp.match.option_types import FAILURES
from pinchtp.match.playing.preflight import EngineRejected
from pinchtp.match.record import Opening
from pinchtp.match.results.stats import PairStats
from pinchtp.match.results.store import MatchStore, OtherMatch

from .files import RESUMES, RunError, store
from .plan import Plan, size_of

NEW, BEST = "new", "best"
WINDOW = 0.45  # allowed bias of an opening, which is played with both colors


@dataclass(frozen=True)
class Verdict:
    """The result of a match.

    pairs: numbers of game pairs by points of the new network: 0, 1/2, 1, 3/2, 2; empty without an
    opponent. boards: the new network's points and games on each board.
    """

    pairs: list[int] = field(default_factory=list)
    boards: dict[str, list[float]] = field(default_factory=dict)
    is_accepted: bool = True

    @property
    def score(self) -> float:
        """Returns the new network's share of points."""
        total = sum(self.pairs)
        return float(np.dot(self.pairs, (0, 0.25, 0.5, 0.75, 1))) / total if total else 0.5

    @property
    def elo(self) -> float:
        """Returns the Elo difference, with half a drawn pair added to keep it finite."""
        total = sum(self.pairs)
        return elo_of((self.score * total + 0.25) / (total + 0.5))

    def __str__(self) -> str:
        outcome = "accepted" if self.is_accepted else "not accepted"
        if not self.pairs:
            return f"{outcome}: no match"
        low, high = score_interval(self.pairs)
        boards = ", ".join(f"{board} {won:g}/{of:g}" for board, (won, of) in self.boards.items())
        return f"{outcome}: {self.score:.1%} ({low:.1%} to {high:.1%}); {boards}"


def hold(plan: Plan, folder: Path, best: bytes) -> Verdict:
    """Plays or resumes the match of folder/candidate.network against the best network.

    Raises RunError, also if games could not be played.
    """
    other = folder / "best.network"
    store(other, best)
    pairs = np.zeros(5, int)
    boards = {}
    for board in plan.gate.boards:
        try:
            pairing = _match(plan, folder, board, other)
        except OtherMatch as error:
            advice = "or move it away to start over"
            raise RunError(f"the match on {board}: {error}, {advice}") from None
        except (StoreError, EngineRejected) as error:
            raise RunError(f"the match on {board}: {error}") from None
        pairs += np.array(pairing.pairs)
        boards[board] = [pairing.points, float(pairing.games)]
    verdict = Verdict(pairs.tolist(), boards)
    return replace(verdict, is_accepted=verdict.score > plan.gate.score)


def _match(plan: Plan, folder: Path, board: str, best: Path) -> PairStats:
    gate = plan.gate
    size = size_of(board)
    search = OpeningSearch(
        plan.game,
        size,
        {PIE.name: False},
        plies=gate.plies,
        visits=100,
        window=WINDOW,
        seed=plan.seed,
    )
    openings = [text for text, _ in balanced_openings(search, gate.pairs)]
    engines = {NEW: command_of(folder / "candidate.network", plan), BEST: command_of(best, plan)}
    db = folder / f"gate-{board}.match"
    openings = _update_plan(db, engines, openings)
    result = play(
        engines,
        db=db,
        openings=openings,
        game=plan.game,
        size=size,
        time="none",  # visits limit the moves
        games=2 * max(len(openings), 1),  # more would be the same games again
        pie=False,
        void=FAILURES,  # a game that an engine lost by failing says nothing about its network
    )
    if not result.is_complete:
        raise RunError(
            f"the match on {board}: {result.unplayed} of {result.total} games could not be played: "
            f"mend what the messages above say, then {RESUMES}"
        )
    return result.report.pairings[0]


def _update_plan(db: Path, commands: Mapping[str, str], openings: list[str]) -> list[str]:
    """Gives an earlier match the current commands, since the run or Python may have moved, and
    further openings. Returns all its openings, which may be more than those given.
    """
    with suppress(StoreError):  # play() reports it
        with MatchStore.open(db) as known:
            plan = known.plan()
        engines = [replace(engine, command=commands[engine.name]) for engine in plan.engines]
        earlier = [" ".join(opening.moves) for opening in plan.openings]
        shared = list(zip(openings, earlier, strict=False))
        if shared and all(one == other for one, other in shared):
            openings = max(openings, earlier, key=len)
            earlier = openings
        kept = tuple(Opening(moves=tuple(text.split())) for text in earlier)
        with MatchStore.begin(db, plan) as store:
            store.replace_plan(replace(plan, engines=tuple(engines), openings=kept))
    return openings


def command_of(network: Path, plan: Plan) -> str:
    """Returns the command line of the engine that plays with a network in the match."""
    program = [sys.executable, "-P", "-m", "pinchtp", "--game", plan.game, "--no-pie"]
    limits = ["--network", str(network), "--visits", str(plan.gate.visits), "--seed", "1"]
    return shlex.join(program + limits)
