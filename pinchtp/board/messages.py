"""Every message between the page and the server, over one WebSocket; JSON objects with a `type`.

How a visit goes:

1. The page is `/`; `/board/page/` and `/pages/` are the folders of those names in the package. It
   opens the WebSocket `/socket` (same host; the cookie that came with the first URL says whose
   board it is).
2. The server sends `hello` (games, options, levels, engines), then `state` and `tree`.
3. The page sends requests. Whatever changes the board is answered by a new `state`, and by a new
   `tree` if nodes were added, removed or changed. Both are whole: the page keeps nothing of the
   old ones. A request that cannot be done is answered by `refused`, and nothing has changed.
4. What takes time comes in messages of its own: `analysis` ten times a second, `overlay`, `hint`,
   `review`, `solution`, `console`. Those that speak of a position carry its `node`; the page drops
   those for another node than the one that it shows.
5. After a disconnection (the server was restarted) the page opens the socket again, and begins at
   2. Several pages of one visitor show the same board.

Types: the class's name in small letters with hyphens: `NewGame` is `new-game`.

A point is a number: `row * width + column`, both counted from 0 at the lower left corner. That is
the index in `Board.cells`. Colors are `black` and `white`. A chance to win is in [0, 1]; who it is
for is said at the field. Times are seconds. Fields are named here as in the JSON.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

ColorName = Literal["black", "white"]
Chance = float

# Bounds of what a page may say; a message of a page is refused above MOST_BYTES.
MOST_BYTES = 1 << 22
MOST_TEXT = 1 << 20
Text = Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
Line = Annotated[str, msgspec.Meta(max_length=4000)]
Name = Annotated[str, msgspec.Meta(max_length=100)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


def _tag(name: str) -> str:
    """The `type` of a class of messages."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Part(msgspec.Struct, frozen=True):
    """Something inside a message."""


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=_tag):
    """What the server sends."""


class Request(  # a page that knows fields which we do not is a newer one, or none of ours
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=_tag,
    forbid_unknown_fields=True,
    kw_only=True,
):
    """What the page sends. id: comes back in `refused`, and in answers that belong to a request."""

    id: int = 0


# --- what both sides use


class Level(Part, frozen=True):
    """How strong an engine plays: by visits or by seconds a move; both None: as it was started.

    name: for people, empty for one made by the visitor. adaptive: visits follow the results, so
    that the visitor wins about half of the games. rating: Elo as we estimate it, None if unknown.
    """

    name: Name = ""
    visits: Annotated[int, msgspec.Meta(ge=1, le=2**31)] | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0.01, le=3600)] | None = None
    adaptive: bool = False
    rating: int | None = None


class Player(Part, frozen=True):
    """Who plays a color. engine: the number of an engine in Hello.engines, None for a human."""

    engine: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    level: Level = Level()
    name: Name = ""


class Players(Part, frozen=True):
    """Both players."""

    black: Player = Player()
    white: Player = Player()


class TimeSetting(Part, frozen=True):
    """Clocks: main time, then what is added after each move, or periods of byo-yomi."""

    main: Seconds
    increment: Seconds = 0.0
    period: Seconds = 0.0
    periods: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


# --- server to page: hello


class OptionInfo(Part, frozen=True):
    """A rule that can be agreed on. least, most: of a number; None for a switch."""

    name: str
    help: str
    switch: bool
    default: bool | int
    opening: bool
    least: int | None = None
    most: int | None = None


class GameInfo(Part, frozen=True):
    """A game of the registry.

    size: columns and rows, usually; smallest, largest: of either. handicap: how many black stones
    in advance can be chosen, 0 if none. swaps: whether a pie rule can be agreed. places: whether a
    turn puts a stone on the board, rather than move one. sides: whether each player owns two sides.
    cells: what can stand on a point in set-up mode (see Board.cells). lesson: whether there are
    illustrated rules (request `rules`).
    """

    name: str
    title: str
    size: tuple[int, int]
    smallest: int
    largest: int
    options: list[OptionInfo]
    handicap: int
    swaps: bool
    places: bool
    sides: bool
    first: ColorName
    goal: str
    cells: list[int]
    lesson: bool


class EngineInfo(Part, frozen=True):
    """An engine. command: how it was attached; empty for ours. Those below are known once it has
    been started: commands are those of list_commands, overlays what it can draw on the board.
    analyses: whether it streams analysis; solves; has_levels: whether visits can be set.
    """

    name: str
    command: str = ""
    started: bool = False
    version: str = ""
    analyses: bool = False
    solves: bool = False
    has_levels: bool = False
    commands: list[str] = []
    overlays: list[OverlayInfo] = []


class OverlayInfo(Part, frozen=True):
    """Something an engine can draw. command: what asks for it; title: for people."""

    command: str
    title: str


class Hello(Message, frozen=True):
    """The first message, sent again if something in it changes (an engine was started).

    levels: the opponents to choose from.
    """

    version: str
    games: list[GameInfo]
    engines: list[EngineInfo]
    levels: list[Level]


# --- server to page: the table


class Captured(Part, frozen=True):
    """A point whose stone was flipped or taken. was: the cell before; step: the step of the
    cascade that did it, from 1.
    """

    at: int
    was: int
    step: int


class Note(Part, frozen=True):
    """Stones that the game tells about: `atari`: groups with one liberty."""

    name: str
    color: ColorName
    points: list[int]


class Board(Part, frozen=True):
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
    notes: list[Note]
    lifted: list[ColorName]


class Turn(Part, frozen=True):
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
    turns: list[Turn]
    swap: bool
    can_pass: bool
    todo: str
    refusals: dict[int, str]


class Result(Part, frozen=True):
    """How the game ended. cause: board, resignation, time."""

    winner: Literal["black", "white", "draw"]
    cause: str
    sentence: str


class Clock(Part, frozen=True):
    """A clock when the message was sent. stones: byo-yomi periods left, 0 in main time."""

    left: float
    stones: int
    running: bool


class Clocks(Part, frozen=True):
    """Both clocks."""

    black: Clock
    white: Clock


class Thinking(Part, frozen=True):
    """An engine that is about to move. waiting: for a free engine."""

    engine: int
    color: ColorName
    waiting: bool = False


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

    rating: Elo; deviation: its standard error; change: by the latest game. adaptive: visits of the
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
    now, for buttons: undo, redo, resign, rematch, hint, think, resume, pause, swap, pass, review,
    solve, analyze, cancel. tasks: what runs now: analyze, review, solve, hint, overlay. rated:
    whether the result will count (nothing was taken back, and no help was asked for). move_text: of
    the move that led here; announcement: the same for screen readers, with what it captured. pace:
    see SetOptions.
    """

    game: str
    options: dict[str, bool | int]
    handicap: int
    board: Board
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


class Node(Part, frozen=True):
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


class Tree(Message, frozen=True):
    """All nodes; each stands behind its parent, and the first child of a node is its main line.

    line: the ids of the line that is shown, from the root to its end; `state.node` is one of them.
    """

    nodes: list[Node]
    line: list[int]
    name: str = ""


class Notice(Message, frozen=True):
    """Something to tell, in a sentence. level: info, warning or error. engine: whom it is about."""

    level: Literal["info", "warning", "error"]
    text: str
    engine: int | None = None


class Refused(Message, frozen=True):
    """A request that could not be done, and why. request: its id."""

    request: int
    text: str


# --- server to page: what engines find


class Candidate(Part, frozen=True):
    """A move that an engine considers. winrate, lcb: for the side to move; pv: it and what follows.

    points: where to draw it, empty for a swap or a pass.
    """

    move: str
    points: list[int]
    visits: int
    winrate: Chance
    order: int
    pv: list[VariationMove]
    prior: Chance | None = None
    lcb: Chance | None = None


class Analysis(Message, frozen=True):
    """What is known of a position so far, best move first.

    black: Black's chance to win. ownership: by point, from -1 (White's) to 1 (Black's); None if the
    engine does not tell. done: nothing more will come.
    """

    node: int
    engine: int
    color: ColorName
    visits: int
    black: Chance
    candidates: list[Candidate]
    ownership: list[float] | None = None
    done: bool = False


class Hint(Message, frozen=True):
    """The move an engine would make. winrate: for the side to move, None if it does not say."""

    node: int
    move: VariationMove
    winrate: Chance | None
    sentence: str


class OverlayPoint(Part, frozen=True):
    """A point of an overlay. color: `#rrggbb`, or empty; label: a few characters, or empty."""

    at: int
    color: str
    label: str


class Overlay(Message, frozen=True):
    """What an engine draws on the board; text: what it says besides."""

    node: int
    command: str
    title: str
    points: list[OverlayPoint]
    text: str


class WorstMove(Part, frozen=True):
    """A move of the review's list. best: what the engine would have played."""

    node: int
    number: int
    color: ColorName
    move: str
    loss: Chance
    best: list[VariationMove]
    mark: str


class Review(Message, frozen=True):
    """How far a review of the line has come, and the worst moves so far. running: it goes on."""

    done: int
    total: int
    running: bool
    worst: list[WorstMove]


class Solution(Message, frozen=True):
    """What a solver found. value: win, loss or draw for `color`; unknown: not within the budget.

    running: it is still at it (then value is unknown). line: best play.
    """

    node: int
    color: ColorName
    value: Literal["win", "loss", "draw", "unknown"]
    nodes: int
    line: list[VariationMove]
    seconds: float
    running: bool
    sentence: str


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


# --- server to page: rules


class LessonStep(Part, frozen=True):
    """A board and what is to be seen on it."""

    board: Board
    caption: str
    move: str


class LessonSection(Part, frozen=True):
    """A section of the rules: paragraphs, and an example to step through (may be empty)."""

    heading: str
    paragraphs: list[str]
    steps: list[LessonStep]


class Rules(Message, frozen=True):
    """The illustrated rules of a game."""

    request: int
    game: str
    title: str
    sections: list[LessonSection]


# --- page to server


class NewGame(Request, frozen=True):
    """Begins another game. size: None: the usual one; options: those not given are as usual.

    handicap: black stones in advance, where the game has it. time: None: no clocks.
    """

    game: Name = ""
    size: tuple[int, int] | None = None
    options: dict[Name, bool | int] = {}
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

    cells: Annotated[list[int], msgspec.Meta(max_length=625)]
    to_move: ColorName
    size: tuple[int, int] | None = None
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


class Watch(Request, frozen=True):
    """Whether all traffic with engines is sent to the console."""

    on: bool


class AskRules(Request, frozen=True):
    """Asks for the illustrated rules of a game."""

    game: Name


Requests = (
    NewGame
    | Rematch
    | Play
    | PlayTurn
    | Cancel
    | Swap
    | Pass
    | Undo
    | Resign
    | Go
    | Step
    | Pause
    | Resume
    | Think
    | SetPlayers
    | SetOptions
    | AnswerTeaching
    | Comment
    | Delete
    | Promote
    | SetUp
    | Load
    | Export
    | Analyze
    | AskOverlay
    | AskHint
    | Solve
    | AskReview
    | Stop
    | ConsoleCommand
    | Watch
    | AskRules
)

_decoder = msgspec.json.Decoder(Requests)
_encoder = msgspec.json.Encoder()


class BadRequest(ValueError):
    """What a page sent is no request; the text says why."""


def read_request(data: str | bytes) -> Requests:
    """The request in a message. Raises BadRequest."""
    if len(data) > MOST_BYTES:
        raise BadRequest("the message is too long")
    try:
        request: Requests = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadRequest(str(error)) from None
    return request


def written(message: Message) -> str:
    """A message as it is sent."""
    return _encoder.encode(message).decode()
