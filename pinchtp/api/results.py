"""Results of searches and of the solver: immutable, comparable, with pickles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from pinchtp._core import Proof, Solution
from pinchtp.api.notebook import html_table
from pinchtp.games import Color
from pinchtp.games.notation import point
from pinchtp.games.session import Session
from pinchtp.player.candidates import candidates

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from pinchtp._core import Report
    from pinchtp.client.analysis import AnalysisLine, MoveInfo

SHOWN, SHOWN_MOVES = 10, 8  # candidates, and moves of their variations


def read_color(color: Color | str) -> Color:
    """Returns a color or the color of a word. Raises ValueError."""
    try:
        return color if isinstance(color, Color) else Color.read(str(color))
    except ValueError:
        raise ValueError(f"{color!r} is not a color; give 'black' or 'white'") from None


class Winrate(float):
    """The chance to win, in [0, 1], of the side to move; a draw counts half.

    As a number it is that of `to_move`; black(), white() and pov() return that of a color.
    """

    __slots__ = ("to_move",)

    to_move: Color

    def __new__(cls, value: float, to_move: Color) -> Self:
        self = super().__new__(cls, value)
        self.to_move = to_move
        return self

    def pov(self, color: Color | str) -> float:
        """Returns the chance of a color. Raises ValueError for another word."""
        return float(self) if read_color(color) == self.to_move else 1 - float(self)

    def black(self) -> float:
        """Returns Black's chance."""
        return self.pov(Color.BLACK)

    def white(self) -> float:
        """Returns White's chance."""
        return self.pov(Color.WHITE)

    def __repr__(self) -> str:
        return f"Winrate({float(self):.4f}, {str(self.to_move)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (float(self), self.to_move)


@dataclass(frozen=True)
class Candidate:
    """A move that was considered.

    move: as Game.play() takes it. winrate, lcb: of the side to move; lcb is a lower bound of the
    winrate with 95 %, None if not reported. prior: the evaluator's share of this move before the
    search, None if not reported. pv: the principal variation, this move first. proof: `win`, `loss`
    or `draw` for the side to move, empty unless proven.
    """

    move: str
    visits: int
    winrate: Winrate
    prior: float | None
    lcb: Winrate | None
    pv: tuple[str, ...]
    proof: str = ""

    @property
    def text(self) -> str:
        """The move, as Game.play() takes it."""
        return self.move

    def __repr__(self) -> str:
        return f"<Candidate {self.move}: {self.winrate:.1%}, {self.visits:,} visits>"


@dataclass(frozen=True)
class Analysis:
    """The result of a search of a position, complete or under way.

    candidates: the best first. winrate: of the position. visits: in all. ownership: float32
    [height, width], row 0 at the bottom: from 1 (black at the end) to -1 (white); None if it was
    not asked for or the engine does not report it.
    """

    to_move: Color
    candidates: tuple[Candidate, ...]
    winrate: Winrate
    visits: int
    ownership: npt.NDArray[np.float32] | None = field(default=None, compare=False, repr=False)

    @property
    def best(self) -> Candidate:
        """The best move."""
        return self.candidates[0]

    @property
    def pv(self) -> tuple[str, ...]:
        """The principal variation: the moves that the search expects."""
        return self.best.pv

    def __repr__(self) -> str:
        return f"<Analysis {self._summary}, best {self.best.move}>"

    def __str__(self) -> str:
        lines = [
            f"{each.winrate:6.1%} {each.visits:8,} visits  {' '.join(each.pv[:SHOWN_MOVES])}"
            for each in self.candidates[:SHOWN]
        ]
        return "\n".join([self._summary, *lines])

    def _repr_html_(self) -> str:
        rows = (
            (each.move, f"{each.winrate:.1%}", f"{each.visits:,}", " ".join(each.pv[:SHOWN_MOVES]))
            for each in self.candidates[:SHOWN]
        )
        return html_table(self._summary, ("move", "winrate", "visits", "variation"), rows)

    @property
    def _summary(self) -> str:
        return f"{self.to_move.title}: {self.winrate:.1%}, {self.visits:,} visits"

    @classmethod
    def of(
        cls, session: Session, report: Report, ownership: Sequence[float] | None = None
    ) -> Analysis | None:
        """Returns the result of our own search, None before its first visit.

        ownership: for Black, indexed like moves.
        """
        if report.winrate is None:
            return None
        color = session.to_move
        moves = tuple(
            Candidate(
                each.line[0],
                each.visits,
                Winrate(each.winrate, color),
                each.prior,
                Winrate(each.lcb, color),
                each.line,
                "" if each.proof is Proof.UNKNOWN else each.proof.name.lower(),
            )
            for each in candidates(session, report)
        )
        height, width = session.position.height, session.position.width
        rows = None
        if ownership is not None:
            rows = [[ownership[point(x, y)] for x in range(width)] for y in range(height)]
        return cls(color, moves, Winrate(report.winrate, color), report.visits, _array(rows))

    @classmethod
    def of_line(cls, session: Session, line: AnalysisLine) -> Analysis:
        """Returns the result that a GTP engine reports in a line."""
        color = session.to_move
        height, width = session.position.height, session.position.width
        values = line.ownership
        lines = [values[y * width :][:width] for y in reversed(range(height))]
        moves = tuple(_candidate(info, color) for info in line.infos)
        return cls(
            color,
            moves,
            moves[0].winrate,
            line.visits,
            _array(lines if len(values) == width * height else None),
        )


def _candidate(info: MoveInfo, color: Color) -> Candidate:
    lcb = None if info.lcb is None else Winrate(info.lcb, color)
    return Candidate(info.move, info.visits, Winrate(info.winrate, color), info.prior, lcb, info.pv)


def _array(rows: Sequence[Sequence[float]] | None) -> npt.NDArray[np.float32] | None:
    if not rows:
        return None
    import numpy as np  # noqa: PLC0415  (takes longer to load than all the rest)

    return np.array(rows, np.float32)


@dataclass(frozen=True)
class PlayResult:
    """A move that an engine chose; Game.play() makes it.

    move: `resign` if it gives up. winrate: None if the engine does not report it. seconds: that the
    choice took.
    """

    move: str
    winrate: Winrate | None
    seconds: float


@dataclass(frozen=True)
class Solved:
    """A proven result, or the failure to prove one.

    value: `win`, `loss` or `draw` for the side to move, or `unknown` if it was not found in time.
    winner: None for a draw and if not found. line: best play to the end. nodes: positions expanded.
    """

    value: str
    winner: Color | None
    line: tuple[str, ...]
    nodes: int

    @classmethod
    def of(cls, session: Session, solution: Solution) -> Solved:
        """Returns what the solver found of a session's position."""
        winners = {Proof.WIN: session.to_move, Proof.LOSS: session.to_move.opponent}
        return cls(
            solution.value.name.lower(),
            winners.get(solution.value),
            tuple(text for _, text in session.line_texts(solution.line)),
            solution.nodes,
        )
