"""What the page asks for."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pinchtp.board.messages.base import (
    ColorName,
    Count,
    Line,
    Name,
    Request,
    Size,
    Text,
)
from pinchtp.board.messages.players import (
    Players,
    TimeSetting,
)
from pinchtp.games import MAX_SIZE


class NewGame(Request, frozen=True):
    """Begins another game. size: None: the usual one; options: those not given are as usual.

    handicap: black stones in advance, where the game has it. time: None: no clocks.
    """

    game: Name = ""
    size: tuple[Size, Size] | None = None
    options: dict[Name, bool | int] = msgspec.field(default_factory=dict)
    handicap: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    players: Players = Players()
    time: TimeSetting | None = None


class Rematch(Request, frozen=True):
    """The same game again. exchange: players exchange colors."""

    exchange: bool = True


class Play(Request, frozen=True):
    """A click: a stone's point, or the next part of a turn. node: the node that is shown."""

    at: Count = 0
    node: int | None = None


class PlayTurn(Request, frozen=True):
    """A whole turn, or a swap, pass or resignation, as text: `D4`, `e34`, `swap`."""

    text: Line = ""
    node: int | None = None


class Cancel(Request, frozen=True):
    """Takes back the parts of a turn that was begun."""


class Swap(Request, frozen=True):
    """The second player swaps."""


class Pass(Request, frozen=True):
    """Passes, where that is a legal move."""


class Undo(Request, frozen=True):
    """Takes moves back, until it is the human's turn again; the line stays in the tree."""


class Resign(Request, frozen=True):
    """The human to move resigns; of two humans the one to move."""


class Go(Request, frozen=True):
    """Shows another node. Engines do not move by themselves until `resume`."""

    node: int


class Step(Request, frozen=True):
    """Goes so many moves forward along the line that is shown, or back (less than 0)."""

    by: Annotated[int, msgspec.Meta(ge=-10_000, le=10_000)]


class Pause(Request, frozen=True):
    """Engines do not move by themselves any more."""


class Resume(Request, frozen=True):
    """The game goes on from the node that is shown."""


class Think(Request, frozen=True):
    """An engine moves once for the side to move, whoever plays it."""

    engine: int = 0


class SetPlayers(Request, frozen=True):
    """Changes who plays, in the middle of a game."""

    players: Players


class SetOptions(Request, frozen=True):
    """Changes switches of the table. pace: least seconds a move of two engines takes."""

    teach: bool | None = None
    pace: Annotated[float, msgspec.Meta(ge=0, le=60)] | None = None


class AnswerTeaching(Request, frozen=True):
    """What to do about `State.teaching`: take the move back, or play on."""

    take_back: bool


class Comment(Request, frozen=True):
    """Sets the comment of a node."""

    node: int
    text: Text


class Delete(Request, frozen=True):
    """Removes a node and all that follows it."""

    node: int


class Promote(Request, frozen=True):
    """Makes the line that leads to a node the main line."""

    node: int


class SetUp(Request, frozen=True):
    """Begins from a position set up by hand, with the game and options of the board or others."""

    cells: Annotated[list[int], msgspec.Meta(max_length=MAX_SIZE * MAX_SIZE)]
    to_move: ColorName
    size: tuple[Size, Size] | None = None
    game: Name = ""


class Load(Request, frozen=True):
    """Loads what was pasted or dropped: SGF, a text picture, or a list of moves."""

    text: Text


class Export(Request, frozen=True):
    """Asks for the game as sgf, or for the board as svg or text."""

    kind: Literal["sgf", "svg", "text"]


class Analyze(Request, frozen=True):
    """Starts or ends live analysis, which follows the board."""

    on: bool
    engine: int = 0
    ownership: bool = False


class AskOverlay(Request, frozen=True):
    """Asks an engine for something to draw. command: one of EngineInfo.overlays."""

    command: Line
    engine: int = 0


class AskHint(Request, frozen=True):
    """Asks for a move."""

    engine: int = 0


class Solve(Request, frozen=True):
    """Asks for a proof, within so many seconds."""

    seconds: Annotated[float, msgspec.Meta(ge=0.1, le=3600)] = 30.0
    engine: int = 0


class AskReview(Request, frozen=True):
    """Reviews the line that is shown, so many visits a move."""

    visits: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 500
    engine: int = 0


class Stop(Request, frozen=True):
    """Ends what runs in the background. task: analyze, review, solve, hint, overlay or move."""

    task: Name


class ConsoleCommand(Request, frozen=True):
    """A GTP command for an engine; the board stands as shown when it gets it."""

    line: Line
    engine: int = 0


class Attend(Request, frozen=True):
    """Somebody looks at the page again, or it went behind something else.

    Live analysis rests while no page of the visitor can be seen, and when none of them has asked
    for anything for some minutes.
    """

    visible: bool


class Watch(Request, frozen=True):
    """Whether all traffic with engines is sent to the console."""

    on: bool


class AskRules(Request, frozen=True):
    """Asks for the illustrated rules of a game."""

    game: Name
