"""What holds for every game of a match: the game, the clock, deadlines, and when to step in.

Plain values, which can be sent to another process or machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pinchtp.base.clock import LAG, TimeControl
from pinchtp.match.record import Cause


@dataclass(frozen=True)
class Deadlines:
    """Seconds that an engine may take before it counts as hung.

    startup: from its start to its first answer, and for each startup command. command: any other
    command that needs no thought. move: genmove without a clock. grace: genmove beyond its clock,
    in which it has lost already but may still answer and live on.
    """

    startup: float = 30.0
    command: float = 30.0
    move: float = 600.0
    grace: float = 5.0


@dataclass(frozen=True)
class Adjudication:
    """When a game is ended before the rules end it; all of it is off unless asked for.

    resign: the winrate, in [0, 1], which the loser's evaluations do not exceed, and the winner's
    its complement, in `agreed` moves of each in a row. move_cap: moves after which a game is drawn,
    those of the opening among them. solver: seconds that our solver may look for a proof, again
    and again in the course of the game. draw_margin: how far from 1/2 the evaluations of both may
    be in `drawn` moves of each in a row, none of them before move `draw_begin`, for a draw.
    """

    resign: float | None = None
    agreed: int = 3
    move_cap: int | None = None
    solver: float | None = None
    draw_margin: float | None = None
    drawn: int = 5
    draw_begin: int = 1

    def __post_init__(self) -> None:
        if self.resign is not None and not 0 <= self.resign < 0.5:
            raise ValueError(f"resign must be at least 0 and less than 0.5, not {self.resign:g}")
        if self.draw_margin is not None and not 0 <= self.draw_margin < 0.5:
            margin = f"{self.draw_margin:g}"
            raise ValueError(f"draw_margin must be at least 0 and less than 0.5, not {margin}")
        if self.drawn < 1 or self.draw_begin < 1:
            raise ValueError("drawn and draw_begin must be 1 or more")
        if self.agreed < 1:
            raise ValueError(f"agreed must be 1 or more, not {self.agreed}")
        if self.move_cap is not None and self.move_cap < 1:
            raise ValueError(f"move_cap must be 1 or more, not {self.move_cap}")
        if self.solver is not None and not self.solver > 0:
            raise ValueError(f"solver must be more than 0 s, not {self.solver:g}")


@dataclass(frozen=True)
class GameRules:
    """How all games of a match are played.

    game: a game of ours, or without a referee any word. width, height: of the board. options: the
    game's rule options that are not as usual, as texts; without a referee each is sent to the
    engines as a command, such as `komi` with `6.5`.
    control: the clock of engines that have none of their own. lag: seconds by which a flag falls
    late; those used in main time do not come back, an overtime period brings fresh ones.
    referee: whether our rules judge. evaluations: whether engines are asked what they think of
    their moves. memory_mb: what each engine may use with all that it started. nodes, ponder: what
    engines are told that have no such option of their own; None: nothing. void: causes by which a
    game does not count and is played again, instead of lost by the side at fault.
    """

    game: str
    width: int
    height: int
    options: Mapping[str, str] = field(default_factory=dict)
    control: TimeControl = TimeControl.none()  # noqa: RUF009
    lag: float = LAG
    referee: bool = True
    evaluations: bool = True
    adjudication: Adjudication = Adjudication()
    deadlines: Deadlines = Deadlines()
    memory_mb: int | None = None
    nodes: int | None = None
    ponder: bool | None = None
    void: frozenset[Cause] = frozenset()
