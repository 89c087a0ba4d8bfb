"""The messages between page and server: JSON objects with a `type`, over one WebSocket.

A visit:

1. The page is `/`; `server.py` describes where its scripts and styles are. It opens the WebSocket
   `/socket` on the same host. The cookie set by the first URL identifies the visitor.
2. The server sends `hello` (games, options, levels, engines), then `state` and `tree`.
3. The page sends requests. Each change of the board causes a new `state`, and a new `tree` if nodes
   were added, removed or changed. Both are complete and replace the previous ones. A request that
   fails changes nothing and is answered by `refused`; one that has an id and succeeds by
   `accepted`, after the messages about its immediate effects.
4. Results that take time are separate messages: `analysis` ten times per second, `overlay`, `hint`,
   `review`, `solution`, `console`. Those about a position carry its `node`; the page drops messages
   about nodes that it does not show.
5. After a disconnection the page opens the socket again and resumes at 2. All pages of a visitor
   show the same board.

The `type` of a message is the tag of its class, or the hyphenated name: `GameStored` is
`game-stored`; `new_game` in requests.py is `new-game`.

A point is a number, `row * width + column`, counted from 0 at the lower left corner: its index in
`BoardView.cells`. Colors are `black` and `white`, winrates are in [0, 1], times in seconds. Fields
have the same names in Python and JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from pinchtp.base.streams import visible
from pinchtp.player.levels import LEVELS

ColorName = Literal["black", "white"]
Chance = float

# Limits of requests; longer messages than MOST_BYTES are rejected.
MOST_BYTES = 1 << 22
MOST_TEXT = 1 << 20
Text = Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
Line = Annotated[str, msgspec.Meta(max_length=4000)]
MOST_NAME = 100
Name = Annotated[str, msgspec.Meta(max_length=MOST_NAME)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
Size = Annotated[int, msgspec.Meta(ge=0, le=9999)]  # each game has narrower limits
EngineNumber = Annotated[int, msgspec.Meta(ge=0, le=99)]  # index in Hello.engines
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


def shown_name(name: str) -> str:
    """Returns a name from a record as pages show it."""
    return visible(name)[:MOST_NAME]


def _tag(name: str) -> str:
    """Returns the `type` of a message class."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Part(msgspec.Struct, frozen=True):
    """A part of a message."""


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=_tag):
    """A message of the server."""


class Strength(Part, frozen=True):
    """The strength of an engine: a level, visits or seconds per move; all None: its default.

    name: a label, empty if the visitor chose the numbers. number: a `--level` of pinchtp; engines
    without levels get its visits. random: share of moves made at random instead. adaptive: the
    level follows the results, so that the visitor wins about half of the games. rating: estimated
    Elo, or None.
    """

    name: Name = ""
    number: Annotated[int, msgspec.Meta(ge=1, le=len(LEVELS))] | None = None
    visits: Annotated[int, msgspec.Meta(ge=1, le=2**31)] | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0.01, le=3600)] | None = None
    random: Chance = 0.0
    adaptive: bool = False
    rating: int | None = None


class PlayerChoice(Part, frozen=True):
    """The player of a color. engine: an index in Hello.engines, or None for a human."""

    engine: EngineNumber | None = None
    level: Strength = Strength()
    name: Name = ""


class Players(Part, frozen=True):
    """Both players."""

    black: PlayerChoice = PlayerChoice()
    white: PlayerChoice = PlayerChoice()


class TimeSetting(Part, frozen=True):
    """A time control: main time with an increment per move, or with byo-yomi periods."""

    main: Seconds
    increment: Seconds = 0.0
    period: Seconds = 0.0
    periods: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


class EngineInfo(Part, frozen=True):
    """An engine. command: its command line, empty for pinchtp itself.

    console: whether this page may use its console. The fields after `started` are set once it has
    started. commands: from list_commands. overlays: its drawings on the board.
    """

    name: str
    command: str = ""
    console: bool = True
    started: bool = False
    commands: list[str] = msgspec.field(default_factory=list)
    overlays: list[OverlayInfo] = msgspec.field(default_factory=list)


class OverlayInfo(Part, frozen=True):
    """An overlay of an engine: its GTP command and its title.

    opening: whether it applies to the start of a game only.
    """

    command: str
    title: str
    opening: bool = False


class Captured(Part, frozen=True):
    """A point whose stone was flipped or captured.

    was: the cell before; step: the step of the cascade, from 1.
    """

    at: int
    was: int
    step: int


class BoardMarker(Part, frozen=True):
    """Marked stones of a color. name: the reason, e.g. `atari`: groups with one liberty."""

    name: str
    color: ColorName
    points: list[int]


class BoardView(Part, frozen=True):
    """A board to draw.

    cells: from the lower left, row by row: 0 empty, 1 black, 2 white, 3 and 4 their kings, 5 empty
    but banned for this move, -1 not a point. columns, rows: labels, from the left and from the
    bottom. ground: the board without stones, as elements of SVG. chain: the winning chain. last:
    points of the last move. captured: its captures by step. lifted: colors of the stones still to
    place in this move. top_owner: the color that joins top and bottom, while the other one joins
    left and right; None in games without sides.
    """

    width: int
    height: int
    cells: list[int]
    columns: list[str]
    rows: list[str]
    ground: str
    chain: list[int]
    last: list[int]
    captured: list[Captured]
    notes: list[BoardMarker]
    lifted: list[ColorName]
    top_owner: ColorName | None


class RuleNote(Part, frozen=True):
    """A note on a rule that has come up. rule: its name; points: what shows it on the board."""

    rule: str
    points: list[int]
    text: str


class LegalTurn(Part, frozen=True):
    """A legal move, or the rest of one: the points of its steps, and the captured points."""

    text: str
    parts: list[int]
    captured: list[int]


class Legal(Part, frozen=True):
    """The legal moves of the side to move.

    points: legal clicks in every game: the point of a stone, or the next step of a move. turns: in
    games that move stones, all complete moves (paths, with captured points where ambiguous), or
    those that continue `State.chosen`; else empty. pass_loses: whether a pass is legal and ends the
    game with a loss. todo: a sentence about the next step, or empty. refusals: by point, why a
    click there is illegal, unless obvious.
    """

    points: list[int]
    turns: list[LegalTurn]
    pass_loses: bool
    todo: str
    refusals: dict[int, str]


class Result(Part, frozen=True):
    """The result of a game."""

    winner: Literal["black", "white", "draw"]
    sentence: str


class ClockView(Part, frozen=True):
    """A clock at the time of the message. stones: byo-yomi periods left, 0 in main time."""

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
    """A mistake in the visitor's last move; the opponent waits for `answer-teaching`.

    before, after: the visitor's winrate with the best move and with the move made. best: the best
    move. reply: principal variation after the move made. sentence: all of it in words.
    """

    node: int
    before: Chance
    after: Chance
    best: VariationMove
    reply: list[VariationMove]
    sentence: str


class VariationMove(Part, frozen=True):
    """A move of a variation. points: of its steps; empty for a swap or a pass.

    changes: the cells that it changes, and their new values (see BoardView.cells).
    """

    color: ColorName
    text: str
    points: list[int]
    changes: list[tuple[int, int]]


class Rating(Part, frozen=True):
    """The visitor's rating in the current game, from finished games against engines.

    rating: Elo; deviation: its standard error; change: by the latest game. adaptive: level of the
    adaptive opponent, 0 below the first. level: the level of about this rating.
    """

    rating: int
    level: int
    deviation: int
    games: int
    wins: int
    draws: int
    change: int
    adaptive: int


class State(Message, frozen=True):
    """The table after a change.

    serial: of the game; another game has another one. node: the displayed node. number: of the last
    move. chosen: points of an incomplete move. standing: a sentence on the state of the game.
    ended: whether the game is over, although an earlier position or a variation may be displayed.
    live: whether engines move on their turn (not after `pause` or while earlier moves are
    displayed). can: available requests, for buttons: undo, resign, rematch, hint, think, resume,
    pause, swap, pass, review, solve, analyze, undelete. tasks: running requests, for `stop`:
    analyze, review, solve, hint, overlay, console. rests: whether live analysis is paused (see
    set_visible). unrated: why the result does not count, or empty. rating_change: a sentence about
    the new rating, once the game is rated. move_text: the last move; announcement: the same for
    screen readers, with captures. pace: see set_options. saved: whether all of it is on disk.
    seat: color of this page in a game with an invited friend, watch for a watcher, else empty.
    guest: whether this page belongs to an invited person. undo_asked: color that asks the other to
    take back. away: colors without a page in a game with an invited friend; their clocks stand.
    puzzle: the id of that on the board, or empty. solved: nodes of Review.own for which the visitor
    has found better moves. rule_notes: on what the last turn brings up, the most urgent first; none
    if only engines play.
    """

    game: str
    options: dict[str, bool | int]
    handicap: int
    board: BoardView
    serial: int
    node: int
    number: int
    to_move: ColorName
    legal: Legal
    chosen: list[int]
    standing: str
    result: Result | None
    ended: bool
    players: Players
    clocks: Clocks | None
    time: TimeSetting | None
    live: bool
    thinking: Thinking | None
    teaching: Teaching | None
    teach: bool
    unrated: str
    rating: Rating
    rating_change: str
    can: list[str]
    tasks: list[str]
    move_text: str
    announcement: str
    pace: float = 0.0
    rests: bool = False
    saved: bool = True
    seat: Literal["black", "white", "watch", ""] = ""
    guest: bool = False
    undo_asked: ColorName | None = None
    away: list[ColorName] = []
    puzzle: str = ""
    solved: list[int] = []
    rule_notes: list[RuleNote] = []


class TreeNode(Part, frozen=True):
    """A node of the game tree. parent: None for the root. move: its text, empty for the root.

    black: Black's winrate after the move, or None. loss: the winrate its mover lost by it, or None;
    mark: "", "inaccuracy", "mistake" or "blunder". points: of the move.
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
    """The game tree and the displayed line, or what has changed since the last such message.

    nodes: all if `whole`, else the new ones and those that changed; parents before children. The
    first child of a node continues its main line, a new one is its last. line: ids of the displayed
    line, from the root to its end; contains `state.node`. If not `whole` it begins with the first
    `kept` ids that it had.
    """

    nodes: list[TreeNode]
    line: list[int]
    whole: bool = True
    kept: int = 0


class Notice(Message, frozen=True):
    """A sentence for the visitor. engine: the index of the engine concerned, or None."""

    level: Literal["info", "warning", "error"]
    text: str
    engine: int | None = None


class Accepted(Message, frozen=True):
    """The acknowledgement of a request, after the messages about its immediate effects.

    request: its id. Its work may still be running.
    """

    request: int


class RequestRefused(Message, frozen=True, tag="refused"):
    """The rejection of a request. request: its id; text: the reason."""

    request: int
    text: str


class ConsoleLine(Part, frozen=True):
    """A line of GTP. kind: `>` sent, `<` received, `!` an event, such as a kill."""

    engine: int
    kind: str
    text: str


class Console(Message, frozen=True):
    """Lines of the GTP log while it is watched, or the response to a console command.

    request: the id of the console command, 0 for the log.
    """

    lines: list[ConsoleLine]
    request: int = 0


class InvitationLink(Part, frozen=True):
    """A link of an invitation.

    address: a URL that other machines can open, or a path if none can. code: the URL as a QR code,
    the data URI of an image; empty for a path.
    """

    address: str
    code: str


class Invitation(Message, frozen=True):
    """The links of an invitation, one to play and one to watch; see State.seat."""

    request: int
    friend: InvitationLink
    watcher: InvitationLink


class ListedMistake(Part, frozen=True):
    """A move of a reviewed game in place of which to find a better one.

    number: of the move. solved: whether the visitor has found one.
    """

    number: int
    color: ColorName
    move: str
    loss: Chance
    solved: bool


class WorstMove(Part, frozen=True):
    """A mistake listed by a review. best: the engine's principal variation."""

    node: int
    number: int
    color: ColorName
    move: str
    loss: Chance
    best: list[VariationMove]
    mark: str

    def lesson(self, *, solved: bool) -> ListedMistake:
        """Returns it without the answer."""
        return ListedMistake(self.number, self.color, self.move, self.loss, solved)


class ForcedMove(Part, frozen=True):
    """A move that lost by force. line: the opponent's win after it."""

    node: int
    number: int
    color: ColorName
    move: str
    sentence: str
    line: list[VariationMove]


class Review(Message, frozen=True):
    """The progress of a review and the biggest mistakes so far.

    own: the worst moves of each person, to find better ones. forced: moves that are proven to have
    lost, once the review is complete.
    """

    done: int
    total: int
    running: bool
    worst: list[WorstMove]
    own: list[WorstMove]
    forced: list[ForcedMove]

    def renumber(self, ids: Mapping[int, int]) -> Review:
        """Returns it for another tree, without moves that are not in it. ids: new by old."""
        moves = {
            name: [
                msgspec.structs.replace(each, node=ids[each.node])
                for each in getattr(self, name)
                if each.node in ids
            ]
            for name in ("worst", "own", "forced")
        }
        return msgspec.structs.replace(self, **moves)


class GameSummary(Part, frozen=True):
    """A game in the library, as it was played: tried variations are not counted or shown.

    id: 16 hexadecimal digits. title: given by the visitor, or empty. stored, played: Unix times in
    seconds, of the storage and of the last move; played is 0 of a file that was loaded.
    black, white: names of the players, with an engine's level. human: the color of the only human
    without a name. result: a sentence; result and winner are empty if unfinished. lessons: the
    worst moves of each person, by its last review.
    """

    id: str
    title: str
    game: str
    date: str
    black: str
    white: str
    result: str
    moves: int
    board: BoardView
    stored: int
    played: int
    human: ColorName | None = None
    winner: Literal["black", "white", "draw", ""] = ""
    lessons: list[ListedMistake] = []


class Games(Message, frozen=True):
    """The games in the library, the last played one first, without the current one."""

    request: int
    games: list[GameSummary]


class GameStored(Message, frozen=True):
    """The previous game was stored in the library, where `open-game` finds it."""

    game: str


class Exported(Message, frozen=True):
    """An exported game or board. name: suggested file name."""

    request: int
    kind: str
    name: str
    text: str
