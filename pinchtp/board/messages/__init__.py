"""Every message between the page and the server, over one WebSocket; JSON objects with a `type`.

How a visit goes:

1. The page is `/`; its scripts and styles lie below a folder named by their contents (see
   `page_files.py`). It opens the WebSocket `/socket` (same host; the cookie that came with the
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

Types: the class's name in small letters with hyphens: `NewGame` is `new-game`.

A point is a number: `row * width + column`, both counted from 0 at the lower left corner. That is
the index in `Board.cells`. Colors are `black` and `white`. A chance to win is in [0, 1]; who it is
for is said at the field. Times are seconds. Fields are named here as in the JSON.
"""

from __future__ import annotations

import msgspec

from pinchtp.board.messages.base import (
    MOST_BYTES,
    MOST_TEXT,
    Chance,
    ColorName,
    Count,
    Line,
    Message,
    Name,
    Part,
    Seconds,
    Size,
    Text,
)
from pinchtp.board.messages.findings import (
    Analysis,
    Candidate,
    Console,
    ConsoleLine,
    Exported,
    Hint,
    Overlay,
    OverlayPoint,
    RatingChanged,
    Review,
    Solution,
    WorstMove,
)
from pinchtp.board.messages.hello import (
    EngineInfo,
    GameInfo,
    Hello,
    OptionInfo,
    OverlayInfo,
)
from pinchtp.board.messages.players import (
    Level,
    Player,
    Players,
    TimeSetting,
)
from pinchtp.board.messages.rules import (
    LessonSection,
    LessonStep,
    Rules,
)
from pinchtp.board.messages.table import (
    Accepted,
    Board,
    Captured,
    Clock,
    Clocks,
    Legal,
    Node,
    Note,
    Notice,
    Rating,
    Refused,
    Result,
    State,
    Teaching,
    Thinking,
    Tree,
    Turn,
    VariationMove,
)

__all__ = [
    "MOST_BYTES",
    "MOST_TEXT",
    "Accepted",
    "Analysis",
    "Board",
    "Candidate",
    "Captured",
    "Chance",
    "Clock",
    "Clocks",
    "ColorName",
    "Console",
    "ConsoleLine",
    "Count",
    "EngineInfo",
    "Exported",
    "GameInfo",
    "Hello",
    "Hint",
    "Legal",
    "LessonSection",
    "LessonStep",
    "Level",
    "Line",
    "Message",
    "Name",
    "Node",
    "Note",
    "Notice",
    "OptionInfo",
    "Overlay",
    "OverlayInfo",
    "OverlayPoint",
    "Part",
    "Player",
    "Players",
    "Rating",
    "RatingChanged",
    "Refused",
    "Result",
    "Review",
    "Rules",
    "Seconds",
    "Size",
    "Solution",
    "State",
    "Teaching",
    "Text",
    "Thinking",
    "TimeSetting",
    "Tree",
    "Turn",
    "VariationMove",
    "WorstMove",
    "written",
]

_encoder = msgspec.json.Encoder()


def written(message: Message) -> str:
    """A message as it is sent."""
    return _encoder.encode(message).decode()
