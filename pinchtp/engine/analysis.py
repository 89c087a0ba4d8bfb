"""Results of searches and of the solver: immutable, and can be compared and pickled."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

from pinchtp._core import Choice, Proof, Report
from pinchtp.games import Color
from pinchtp.games.history import Turn
from pinchtp.games.notation import NotationError, point, split_turns
from pinchtp.games.session import IllegalMove, Session
from pinchtp.games.winrate import EVEN, Winrate
from pinchtp.player.levels import normalized_priors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

SolvedValue = Literal["win", "loss", "draw", "unknown"]

PROOF_WORDS: dict[Proof, SolvedValue] = {
    Proof.WIN: "win",
    Proof.LOSS: "loss",
    Proof.DRAW: "draw",
    Proof.UNKNOWN: "unknown",
}

# Standard deviations from the mean to lcb: the lower end of a 95 % confidence interval.
LCB_DEVIATIONS = 1.96
SHOWN, SHOWN_MOVES = 10, 8  # printed candidates, and printed moves of their variations


def as_pass(move: str) -> str:
    """Returns the text of a move for KataGo's clients, who expect `pass` for a swap."""
    return "pass" if move == "swap" else move


@dataclass(frozen=True)
class Candidate:
    """A move that a search considered, and its evaluation.

    move: the move as text, for Game.play().
    visits: the number of visits of this move.
    winrate: the winrate of the side to move after this move, in [0, 1].
    prior: the probability of this move before the search, in [0, 1]; with a network, that of a swap
    is its winrate; None if not reported.
    lcb: the lower end of the winrate's 95 % confidence interval, or the winrate itself if it is
    proven; None if not reported.
    pv: the principal variation, starting with this move.
    proof: the proven result for the side to move: `win`, `loss` or `draw`; empty if not proven.
    pv_visits: the visits of each move of the principal variation; empty if not reported.
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
    """The result of a search of a position, complete or still running.

    to_move: the side to move.
    candidates: the moves considered, best first; empty after the end of the game.
    winrate: the winrate of the side to move, in [0, 1].
    visits: the number of visits of the position.
    owners: the expected owner of each point at the end of the game, from 1 (black) to -1 (white),
    by rows from the bottom; None if not requested or not reported.
    """

    to_move: Color
    candidates: tuple[Candidate, ...]
    winrate: Winrate
    visits: int
    owners: tuple[tuple[float, ...], ...] | None = field(default=None, compare=False, repr=False)

    @property
    def best(self) -> Candidate:
        """The best candidate. Raises ValueError after the end of the game."""
        if not self.candidates:
            raise ValueError("the game is over: no move can be chosen")
        return self.candidates[0]

    @property
    def pv(self) -> tuple[str, ...]:
        """The principal variation: the expected moves; empty after the end of the game."""
        return self.candidates[0].pv if self.candidates else ()

    @cached_property
    def ownership(self) -> npt.NDArray[np.float32] | None:
        """The owners as float32 [height, width], row 0 at the bottom; None without owners."""
        if self.owners is None:
            return None
        import numpy as np  # noqa: PLC0415  (takes longer to load than the rest)

        return np.array(self.owners, np.float32)

    def line(self, session: Session) -> list[tuple[Color, str]]:
        """Returns the colors and turns of the principal variation; see legal_line().

        session: at the searched position.
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
        """Returns the result of our search; None before its first visit.

        session: at the searched position. owners: the expected owner of each point, 1 for black to
        -1 for white, indexed by move.
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
        """Returns the analysis of a game that is over, without a search."""
        winrate = Winrate.of_result(session.winner, session.to_move)
        return cls(session.to_move, (), winrate, 0)

    @classmethod
    def unknown(cls, session: Session) -> Analysis:
        """Returns the analysis of a search that was too short for a result: an even game."""
        return cls(session.to_move, (), Winrate(EVEN, session.to_move), 0)


def legal_line(session: Session, texts: Iterable[str]) -> list[tuple[Color, str]]:
    """Returns the colors and turns of a line of play, in the notation of Session.format().

    session, texts: see legal_turns().
    """
    notation = session.game.notation
    turns = legal_turns(session, texts)
    return [(turn.color, notation.format(turn.before, turn.moves)) for turn in turns]


def legal_turns(session: Session, texts: Iterable[str]) -> Iterator[Turn]:
    """Yields the turns of a line of play, up to the first illegal turn or the end of the game.

    session: at the start of the line. texts: the turns, or their parts.
    """
    ahead = session.copy()
    with suppress(NotationError, IllegalMove):
        for text in texts:
            if ahead.is_over:
                break
            color, before = ahead.to_move, ahead.position
            moves = ahead.parse(text)
            ahead.play(color, *moves)
            yield Turn(color, moves, before, ahead.position, None, "", after_end=False)


def candidates(session: Session, report: Report, least: int = 1) -> list[Candidate]:
    """Returns the candidates of our search: the moves visited or proven to win, and the best move.

    A move without visits gets its proven winrate, or else the winrate of the position.

    report: of a search that has a winrate. least: minimum number of candidates; other moves are
    added to reach it.
    """
    priors = normalized_priors(report.choices)
    assert report.winrate is not None
    result = []
    for choice in _select_choices(report.choices, least):
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
    """Returns the visits at the first step of each turn of a choice's line.

    Turns are divided as in Session.line_texts(). Empty if the search has no tree.
    """
    if not (session.game.notation.multi_part and choice.line_visits):
        return tuple(choice.line_visits)
    visits = list[int]()
    at = 0
    for before, moves in split_turns(session.position, choice.line):
        visits += choice.line_visits[at : at + (len(moves) if before.mid_turn else 1)]
        at += len(moves)
    return tuple(visits)


def _select_choices(choices: Sequence[Choice], least: int) -> list[Choice]:
    """Returns the choices to report, in the given order; see candidates()."""
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
    """A result of the solver, from this machine or from a cluster."""

    @property
    def value(self) -> Proof: ...
    @property
    def line(self) -> Sequence[int]: ...
    @property
    def nodes(self) -> int: ...


@dataclass(frozen=True)
class Solved:
    """A proven result of a position, or the failure to prove one.

    value: `win`, `loss` or `draw` for the side to move, or `unknown` if the time was too short.
    winner: the winner; None for a draw or an unknown result.
    line: best play to the end of the game, as moves for Game.play().
    nodes: the number of positions expanded.
    """

    value: SolvedValue
    winner: Color | None
    line: tuple[str, ...]
    nodes: int

    @classmethod
    def of(cls, session: Session, solution: AnySolution) -> Solved:
        """Returns the solver's result for the position of a session."""
        line = tuple(text for _, text in session.line_texts(solution.line))
        return cls.at(session, PROOF_WORDS[solution.value], line, solution.nodes)

    @classmethod
    def at(
        cls, session: Session, value: SolvedValue, line: tuple[str, ...] = (), nodes: int = 0
    ) -> Solved:
        """Returns the result for the position of a session, with the winner that it implies."""
        winners = {"win": session.to_move, "loss": session.to_move.opponent}
        return cls(value, winners.get(value), line, nodes)

    @classmethod
    def of_result(cls, session: Session) -> Solved:
        """Returns the result of a game that is over, without a solver."""
        if session.winner is None:
            return cls.at(session, "draw")
        return cls.at(session, "win" if session.winner == session.to_move else "loss")

    @classmethod
    def unknown(cls) -> Solved:
        """Returns the result of a solver that did not start."""
        return cls("unknown", None, (), 0)

    def text(self) -> str:
        """Returns the result as one line, such as `win B2 A1 nodes 120`."""
        return " ".join([self.value, *self.line, "nodes", str(self.nodes)])
