"""Results of searches and of the solver: immutable, comparable, with pickles."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

from pinchtp._core import Choice, Proof, Report
from pinchtp.games import Color
from pinchtp.games.notation import NotationError, point, split_turns
from pinchtp.games.session import IllegalMove, Session
from pinchtp.games.winrate import EVEN, Winrate
from pinchtp.player.levels import normalized_priors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

SolvedValue = Literal["win", "loss", "draw", "unknown"]

PROOF_WORDS: dict[Proof, SolvedValue] = {
    Proof.WIN: "win",
    Proof.LOSS: "loss",
    Proof.DRAW: "draw",
    Proof.UNKNOWN: "unknown",
}

# Standard deviations below the mean at which lcb lies: 95 % of a normal curve.
LCB_DEVIATIONS = 1.96
SHOWN, SHOWN_MOVES = 10, 8  # candidates, and moves of their variations


@dataclass(frozen=True)
class Candidate:
    """A move that was considered.

    move: as Game.play() takes it. winrate, lcb: of the side to move; lcb is a lower bound of the
    winrate with 95 %, the winrate itself if that is proven, None if not reported. prior: the
    evaluator's share of this move before the search, of a swap its winrate, None if not reported.
    pv: the principal variation, this move first. proof: `win`, `loss` or `draw` for the side to
    move, empty unless proven. pv_visits: of each move of the variation, empty if not reported.
    """

    move: str
    visits: int
    winrate: Winrate
    prior: float | None
    lcb: Winrate | None
    pv: tuple[str, ...]
    proof: str = ""
    pv_visits: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<Candidate {self.move}: {self.winrate:.1%}, {self.visits:,} visits>"


@dataclass(frozen=True)
class Analysis:
    """The result of a search of a position, complete or under way.

    candidates: the best first; empty once the game is over. winrate: of the position. visits: in
    all. owners: rows from the bottom, each point from 1 (black at the end) to -1 (white); None if
    it was not requested or the engine does not report it.
    """

    to_move: Color
    candidates: tuple[Candidate, ...]
    winrate: Winrate
    visits: int
    owners: tuple[tuple[float, ...], ...] | None = field(default=None, compare=False, repr=False)

    @property
    def best(self) -> Candidate:
        """The best move. Raises ValueError after the end of the game."""
        if not self.candidates:
            raise ValueError("the game is over: no move can be chosen")
        return self.candidates[0]

    @property
    def pv(self) -> tuple[str, ...]:
        """The principal variation: the moves that the search expects; empty after the end."""
        return self.candidates[0].pv if self.candidates else ()

    @cached_property
    def ownership(self) -> npt.NDArray[np.float32] | None:
        """The owners as float32 [height, width], row 0 at the bottom."""
        if self.owners is None:
            return None
        import numpy as np  # noqa: PLC0415  (takes longer to load than all the rest)

        return np.array(self.owners, np.float32)

    def line(self, session: Session) -> list[tuple[Color, str]]:
        """Returns colors and turns of the variation as legal_line() does.

        session: with the searched position.
        """
        return legal_line(session, self.pv)

    def __repr__(self) -> str:
        best = f", best {self.best.move}" if self.candidates else ""
        return f"<Analysis {self._summary}{best}>"

    def __str__(self) -> str:
        lines = [self._summary]
        for candidate in self.candidates[:SHOWN]:
            pv = " ".join(candidate.pv[:SHOWN_MOVES])
            lines.append(f"{candidate.winrate:6.1%} {candidate.visits:8,} visits  {pv}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from pinchtp.html.notebook import html_table  # noqa: PLC0415  (for notebooks only)

        rows = (
            (
                candidate.move,
                f"{candidate.winrate:.1%}",
                f"{candidate.visits:,}",
                " ".join(candidate.pv[:SHOWN_MOVES]),
            )
            for candidate in self.candidates[:SHOWN]
        )
        return html_table(self._summary, ("move", "winrate", "visits", "variation"), rows)

    @property
    def _summary(self) -> str:
        return f"{self.to_move.title}: {self.winrate:.1%}, {self.visits:,} visits"

    @classmethod
    def of(
        cls, session: Session, report: Report, owners: Sequence[float] | None = None
    ) -> Analysis | None:
        """Returns the result of our search, None before its first visit.

        owners: for Black, indexed like moves.
        """
        if report.winrate is None:
            return None
        color = session.to_move
        height, width = session.position.height, session.position.width
        rows = None
        if owners is not None:
            rows = tuple(tuple(owners[point(x, y)] for x in range(width)) for y in range(height))
        moves = tuple(candidates(session, report))
        return cls(color, moves, Winrate(report.winrate, color), report.visits, rows)

    @classmethod
    def of_result(cls, session: Session) -> Analysis:
        """Returns the result of a game that is over, which needs no search."""
        winrate = Winrate.of_result(session.winner, session.to_move)
        return cls(session.to_move, (), winrate, 0)

    @classmethod
    def unknown(cls, session: Session) -> Analysis:
        """Returns the analysis of a search that was too short for a result: an even game."""
        return cls(session.to_move, (), Winrate(EVEN, session.to_move), 0)


def legal_line(session: Session, texts: Iterable[str]) -> list[tuple[Color, str]]:
    """Returns colors and turns of a line from a position, up to the first that is not legal.

    Turns are spelled as Session.format() does.
    """
    ahead = session.copy()
    line = []
    with suppress(NotationError, IllegalMove):
        for text in texts:
            color = ahead.to_move
            moves = ahead.parse(text)
            spelled = ahead.format(moves)
            ahead.play(color, *moves)
            line.append((color, spelled))
    return line


def candidates(session: Session, report: Report, least: int = 1) -> list[Candidate]:
    """Returns the best moves of our search, whose winrate has to be known.

    These are the moves that were visited or are proven to win, and the best one. A move that was
    not visited has its proven winrate, or that of the position. least: how many moves to fill up to
    with others.
    """
    priors = normalized_priors(report.choices)
    assert report.winrate is not None
    result = []
    for choice in _shown(report.choices, least):
        winrate = report.winrate if choice.winrate is None else choice.winrate
        line = tuple(text for _, text in session.line_texts(choice.line))
        candidate = Candidate(
            move=line[0],
            visits=choice.visits,
            winrate=Winrate(winrate, session.to_move),
            prior=priors[choice.move],
            lcb=Winrate(_lower_bound(choice, winrate), session.to_move),
            pv=line,
            proof="" if choice.proof is Proof.UNKNOWN else PROOF_WORDS[choice.proof],
            pv_visits=_visits_of_turns(session, choice)[: len(line)],
        )
        result.append(candidate)
    return result


def _visits_of_turns(session: Session, choice: Choice) -> tuple[int, ...]:
    """Returns the visits of each turn of a choice's line, at its first step.

    Turns are those of Session.line_texts(); empty if the search has no tree.
    """
    if not (session.game.notation.multi_part and choice.line_visits):
        return tuple(choice.line_visits)
    visits = list[int]()
    at = 0
    for before, moves in split_turns(session.position, choice.line):
        visits += choice.line_visits[at : at + (len(moves) if before.mid_turn else 1)]
        at += len(moves)
    return tuple(visits)


def _shown(choices: Sequence[Choice], least: int) -> list[Choice]:
    """Returns the choices to show, in their order; see candidates()."""
    searched = [choice.visits > 0 or choice.proof is Proof.WIN for choice in choices]
    others = max(least - sum(searched), 0 if searched[0] else 1)
    shown = []
    for choice, is_searched in zip(choices, searched, strict=True):
        if is_searched or others > 0:
            shown.append(choice)
            others -= not is_searched
    return shown


def _lower_bound(choice: Choice, winrate: float) -> float:
    """Returns the lower end of a winrate's confidence interval, at least 0."""
    if choice.proof is not Proof.UNKNOWN:
        return winrate
    spread = math.sqrt(winrate * (1 - winrate) / choice.visits) if choice.visits else 0.5
    return max(0.0, winrate - LCB_DEVIATIONS * spread)


class AnySolution(Protocol):
    """What the solver found, here or on a cluster."""

    @property
    def value(self) -> Proof: ...
    @property
    def line(self) -> Sequence[int]: ...
    @property
    def nodes(self) -> int: ...


@dataclass(frozen=True)
class Solved:
    """A proven result, or the failure to prove one.

    value: `win`, `loss` or `draw` for the side to move, or `unknown` if it was not found in time.
    winner: None for a draw and if not found. line: best play to the end. nodes: positions expanded.
    """

    value: SolvedValue
    winner: Color | None
    line: tuple[str, ...]
    nodes: int

    @classmethod
    def of(cls, session: Session, solution: AnySolution) -> Solved:
        """Returns what the solver found of a session's position."""
        winners = {Proof.WIN: session.to_move, Proof.LOSS: session.to_move.opponent}
        return cls(
            PROOF_WORDS[solution.value],
            winners.get(solution.value),
            tuple(text for _, text in session.line_texts(solution.line)),
            solution.nodes,
        )

    @classmethod
    def of_result(cls, session: Session) -> Solved:
        """Returns the result of a game that is over, which needs no solver."""
        if session.winner is None:
            return cls("draw", None, (), 0)
        return cls("win" if session.winner == session.to_move else "loss", session.winner, (), 0)

    @classmethod
    def unknown(cls) -> Solved:
        """Returns the failure of a solver that did not even begin."""
        return cls("unknown", None, (), 0)

    def text(self) -> str:
        """Returns it as one line, such as `win B2 A1 nodes 120`."""
        return " ".join([self.value, *self.line, "nodes", str(self.nodes)])
