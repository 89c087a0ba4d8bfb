"""Every message between the page and the server, over one WebSocket; JSON objects with a `type`.

How a visit goes:

1. The page is `/`; its scripts and styles lie below a folder named by their contents (see
   `server.py`). It opens the WebSocket `/socket` (same host; the cookie that came with the
   first URL says whose board it is).
2. The server sends `hello` (games, options, levels, engines), then `state` and `tree`.
3. The page sends requests. Whatever changes the board is answered by a new `state`, and by a new
   `tree` if nodes were added, removed or changed. Both are whole: the page keeps nothing of the
   old ones. A request that cannot be done is answered by `refused`, and nothing has changed; any
   other one that has an id by `accepted`, after the messages that say what came of it at once.
4. What takes time comes in messages of its own: `analysis` ten times a second, `overlay`, `hint`,
   `review`, `solution`, `console`. Those that speak of a position carry its `node`; the page drops
   those for another node than the one that it shows.
5. After a disconnection (the server was restarted) the page opens the socket again, and begins at
   2. Several pages of one visitor show the same board.

Types: the tag of a class, or its name with hyphens: `RatingChanged` is `rating-changed`. So for the
functions of requests.py: `new_game` is `new-game`.

A point is a number: `row * width + column`, both counted from 0 at the lower left corner. That is
the index in `BoardView.cells`. Colors are `black` and `white`. A chance to win is in [0, 1]; who it
is for is said at the field. Times are seconds. Fields are named here as in the JSON.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

from pinchtp.player.levels import LEVELS

ColorName = Literal["black", "white"]
Chance = float

# Bounds of what a page may say; a message of a page is refused above MOST_BYTES.
MOST_BYTES = 1 << 22
MOST_TEXT = 1 << 20
Text = Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
Line = Annotated[str, msgspec.Meta(max_length=4000)]
Name = Annotated[str, msgspec.Meta(max_length=100)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
Size = Annotated[int, msgspec.Meta(ge=0, le=9999)]  # which sizes there are, games say
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


def _tag(name: str) -> str:
    """The `type` of a class of messages."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Part(msgspec.Struct, frozen=True):
    """Something inside a message."""


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=_tag):
    """What the server sends."""


class Strength(Part, frozen=True):
    """How strong an engine plays: by a level, by visits or by seconds a move; all None: as it was
    started.

    name: for people, empty for one made by the visitor. number: a level of ours (`--level`);
    engines that know no levels get its visits. adaptive: the level follows the results, so that the
    visitor wins about half of the games. rating: Elo as we estimate it, None if unknown.
    """

    name: Name = ""
    number: Annotated[int, msgspec.Meta(ge=1, le=len(LEVELS))] | None = None
    visits: Annotated[int, msgspec.Meta(ge=1, le=2**31)] | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0.01, le=3600)] | None = None
    adaptive: bool = False
    rating: int | None = None


class PlayerChoice(Part, frozen=True):
    """Who plays a color. engine: the number of an engine in Hello.engines, None for a human."""

    engine: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    level: Strength = Strength()
    name: Name = ""


class Players(Part, frozen=True):
    """Both players."""

    black: PlayerChoice = PlayerChoice()
    white: PlayerChoice = PlayerChoice()


class TimeSetting(Part, frozen=True):
    """Clocks: main time, then what is added after each move, or periods of byo-yomi."""

    main: Seconds
    increment: Seconds = 0.0
    period: Seconds = 0.0
    periods: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


class EngineInfo(Part, frozen=True):
    """An engine. command: how it was attached; empty for ours. Those below are known once it has
    been started: commands are those of list_commands, overlays what it can draw on the board.
    """

    name: str
    command: str = ""
    started: bool = False
    version: str = ""
    commands: list[str] = msgspec.field(default_factory=list)
    overlays: list[OverlayInfo] = msgspec.field(default_factory=list)


class OverlayInfo(Part, frozen=True):
    """Something an engine can draw. command: what asks for it; title: for people."""

    command: str
    title: str


class Captured(Part, frozen=True):
    """A point whose stone was flipped or taken. was: the cell before; step: the step of the
    cascade that did it, from 1.
    """

    at: int
    was: int
    step: int


class BoardMarker(Part, frozen=True):
    """Stones that the game tells about: `atari`: groups with one liberty."""

    name: str
    color: ColorName
    points: list[int]


class BoardView(Part, frozen=True):
    """A board to be drawn.

    cells: from the lower left, row by row: 0 empty, 1 black, 2 white, 3 and 4 their kings, 5 empty
    but banned for this move, -1 no point. columns, rows: the names beside the board, from the left
    and from the bottom. edges: who joins top and bottom, and who left and right; None without
    sides. chain: the winning chain. last: the points of the last turn. captured: what it captured,
    in the order of the steps. lifted: colors of stones still to be put down in this turn.
    """

    width: int
    height: int
    cells: list[int]
    columns: list[str]
    rows: list[str]
    edges: tuple[ColorName, ColorName] | None
    chain: list[int]
    last: list[int]
    captured: list[Captured]
    notes: list[BoardMarker]
    lifted: list[ColorName]


class LegalTurn(Part, frozen=True):
    """A whole legal turn, or the rest of one: its parts in order, and what it takes."""

    text: str
    parts: list[int]
    captured: list[int]


class Legal(Part, frozen=True):
    """What the side to move may do next.

    points: where it may click now, in every game: a stone's point, or the next part of a turn.
    turns: in games that move stones, all whole turns (paths from, to, and what has to be named of
    the victims), those that go on from `State.chosen`; empty in other games. swap, pass: whether
    these are possible. todo: what is left to do, in words; empty when it goes without saying.
    refusals: sentences by point, why a click there would be refused, where that is not plain.
    """

    points: list[int]
    turns: list[LegalTurn]
    swap: bool
    can_pass: bool
    todo: str
    refusals: dict[int, str]


class Result(Part, frozen=True):
    """How the game ended. cause: board, resignation, time."""

    winner: Literal["black", "white", "draw"]
    cause: str
    sentence: str


class ClockView(Part, frozen=True):
    """A clock when the message was sent. stones: byo-yomi periods left, 0 in main time."""

    left: float
    stones: int
    running: bool


class Clocks(Part, frozen=True):
    """Both clocks."""

    black: ClockView
    white: ClockView


class Thinking(Part, frozen=True):
    """An engine that is about to move."""

    engine: int
    color: ColorName


class Teaching(Part, frozen=True):
    """The visitor's last move throws something away; the opponent waits for `answer-teaching`.

    before, after: the visitor's chance to win with the best move and after the one made. best: what
    was better, as text and points; reply: what can follow the move made. sentence: says it all.
    """

    node: int
    before: Chance
    after: Chance
    best: VariationMove
    reply: list[VariationMove]
    sentence: str


class VariationMove(Part, frozen=True):
    """A turn of a variation. points: those of its parts; empty for a swap or a pass."""

    color: ColorName
    text: str
    points: list[int]


class Rating(Part, frozen=True):
    """The visitor's rating from finished games against engines, for the game played now.

    rating: Elo; deviation: its standard error; change: by the latest game. adaptive: level of the
    opponent that adjusts.
    """

    rating: int
    deviation: int
    games: int
    wins: int
    draws: int
    change: int
    adaptive: int


class State(Message, frozen=True):
    """The table after a change.

    node: the node of the tree that is shown. number: of the move that led here. chosen: points of a
    turn that was begun and lacks parts. swap: the sentence that explains the swap, None if there is
    none now. standing: how the game stands, a sentence. live: whether engines move by themselves
    (not while the visitor looks at earlier moves, or after `pause`). can: requests that make sense
    now, for buttons: undo, resign, rematch, hint, think, resume, pause, swap, pass, review, solve,
    analyze. tasks: what runs now: analyze, review, solve, hint, overlay. rests: whether live
    analysis rests, as nobody looks (see set_visible). rated: whether the result will count (nothing
    was taken back, and no help was asked for). move_text: of the move that led here; announcement:
    the same for screen readers, with what it captured. pace: see set_options.
    """

    game: str
    options: dict[str, bool | int]
    handicap: int
    board: BoardView
    node: int
    number: int
    to_move: ColorName
    legal: Legal
    chosen: list[int]
    swap: str | None
    standing: str
    result: Result | None
    players: Players
    clocks: Clocks | None
    time: TimeSetting | None
    live: bool
    thinking: Thinking | None
    teaching: Teaching | None
    teach: bool
    rated: bool
    rating: Rating
    can: list[str]
    tasks: list[str]
    move_text: str
    announcement: str
    pace: float = 0.0
    rests: bool = False


class TreeNode(Part, frozen=True):
    """A node of the game tree. parent: None for the root. move: its text, empty for the root.

    black: Black's chance to win after the move, None if unknown. loss: what its mover's chance lost
    by it, None if unknown; mark: "", "inaccuracy", "mistake" or "blunder". points: of the move.
    """

    id: int
    parent: int | None
    color: ColorName | None
    move: str
    points: list[int]
    comment: str
    black: Chance | None = None
    loss: Chance | None = None
    mark: str = ""


class TreeView(Message, frozen=True, tag="tree"):
    """All nodes; each stands behind its parent, and the first child of a node is its main line.

    line: the ids of the line that is shown, from the root to its end; `state.node` is one of them.
    """

    nodes: list[TreeNode]
    line: list[int]


class Notice(Message, frozen=True):
    """Something to tell, in a sentence. level: info, warning or error. engine: whom it is about."""

    level: Literal["info", "warning", "error"]
    text: str
    engine: int | None = None


class Accepted(Message, frozen=True):
    """A request was done, or will be, where it takes time; what it changed at once was told before.

    request: its id.
    """

    request: int


class RequestRefused(Message, frozen=True, tag="refused"):
    """A request that could not be done, and why. request: its id."""

    request: int
    text: str


class RatingChanged(Message, frozen=True):
    """A game against an engine was rated."""

    rating: Rating
    sentence: str


class ConsoleLine(Part, frozen=True):
    """A line of GTP. kind: `>` sent, `<` received, `!` what was done to the engine."""

    engine: int
    kind: str
    text: str


class Console(Message, frozen=True):
    """Lines of traffic: all of it while watched, else answers to commands of the console.

    request: the id of the command that these lines answer, 0 for traffic.
    """

    lines: list[ConsoleLine]
    request: int = 0


class Exported(Message, frozen=True):
    """The game or the board as a text. name: for the file."""

    request: int
    kind: str
    name: str
    text: str


_encoder = msgspec.json.Encoder()


def written(message: Message) -> str:
    """A message as it is sent."""
    return _encoder.encode(message).decode()
