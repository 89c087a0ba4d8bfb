"""Command lines chosen by a source: valid, invalid and damaged."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from fuzz.source import Source

from pinchtp.games import GAMES
from pinchtp.gtp import server as _server  # noqa: F401  (registers the commands)
from pinchtp.gtp.commands import COMMANDS
from pinchtp.player.settings import OPTIONS

# Half of all commands: without moves most others have little to do.
PLAYED = ["play", "play", "genmove", "undo", "gogui-play_sequence", "pinchtp-loadboard"]
NAMES = [name for name in COMMANDS if name != "quit"]
ANALYZING = [name for name in NAMES if "analyze" in name or "search_" in name]
# These run until an interrupt ends them.
PATIENT = {"pinchtp-perft", "pinchtp-solve", "pinchtp-swap_map", "place_free_handicap"}

INTERRUPT = "# interrupt"

tally: Counter[str] = Counter()
"""Counts of a run, for its report: `commands`, and other counts of a target."""

WORDS = [
    *("b", "w", "black", "WHITE", "pass", "swap", "resign", "0", "1", "2", "3", "5", "26", "-1"),
    *("0.5", "1e999", "1e3", "true", "false", "distinct", "turns", "none", "list", "canadian"),
    *("interval", "minmoves", "maxmoves", "allow", "avoid", "ownership", "rootInfo", "a1,b2"),
    *("visits", "move-parts", "swap-as", "seed", "-"),
    *("X.O/.../O.X", "XO/OX b", "XOX/OXO/XO. w", "../X. w swap-open", "+A1", "white-won", "drawn"),
    *("e64", "e6-e4", "gf5", "d5e4x[d3,f4]", "\u00a0", "\u212a", "\u0663", "#", "\x00", "a" * 300),
    *GAMES,
    *OPTIONS,
]

VALUES = {
    "level": ["1", "7", "12", "20"],
    "time": ["none", "0.001", "0.02"],
    "visits": ["8", "1", "40", "none"],
    "threads": ["1", "2"],
    "memory": ["1", "2"],
    "resign": ["none", "0.1", "0.9"],
    "swap-as": ["pass", "swap", "swap-sides"],
    "move-parts": ["true", "false"],
    "live-graphics": ["false", "true"],
    "ponder": ["false", "true"],
}
"""Parameter values that keep a game going."""


class Line(NamedTuple):
    """A command line and the lines that arrive while it runs."""

    text: str
    queued: tuple[str, ...] = ()


class Commands:
    """Lines of a session. move: chooses a legal move or step. color: the side to move."""

    def __init__(self, source: Source, move: Callable[[], str], color: Callable[[], str]) -> None:
        self._source = source
        self._move = move
        self._color = color

    def line(self) -> Line:
        source = self._source
        kind = source.below(16)
        if kind == 0:
            return Line(source.text(40))
        names = PLAYED if kind < 8 else ANALYZING if kind == 8 else NAMES
        return self.line_of(source.choice(names), source.below(1000) if kind % 4 == 1 else None)

    def line_of(self, name: str, number: int | None = None) -> Line:
        """A line with this command, usually with valid arguments. number: its id."""
        source = self._source
        if source.below(4) == 0:
            arguments = " ".join(self._word() for _ in range(source.below(5)))
        else:
            arguments = self._arguments(name)
        text = f"{'' if number is None else f'{number} '}{name} {arguments}"
        if name in PATIENT:
            return Line(text, (INTERRUPT,))
        if name in ANALYZING:
            return Line(text, source.choice([(), (INTERRUPT,), ("",), ("stop",)]))
        return Line(text, (INTERRUPT,) if source.below(8) == 7 else ())

    def _arguments(self, name: str) -> str:
        source = self._source
        if name in ("play", "gogui-play_sequence"):
            return f"{self._color()} {self._move()}"
        if name in ANALYZING:
            return f"{self._color()} {1 + source.below(3)} {self._analysis_options()}".rstrip()
        if "genmove" in name:
            return self._color()
        if name in ("pinchtp-param", "kata-set-param"):
            option = source.choice(list(VALUES))
            kata = OPTIONS[option].kata if name == "kata-set-param" else ""
            return f"{kata or option} {source.choice(VALUES[option])}"
        if name == "boardsize":
            return f"{2 + source.below(5)} {2 + source.below(5)}"
        return " ".join(self._word() for _ in COMMANDS[name].arguments)

    def _analysis_options(self) -> str:
        source = self._source
        restricted = f"{self._color()} {self._move()} {1 + source.below(3)}"
        return source.choice(
            [
                *("", "", "maxmoves 2", "ownership true", "rootInfo true", "interval 1"),
                *(f"allow {restricted}", f"avoid {restricted}"),
            ]
        )

    def _word(self) -> str:
        kind = self._source.below(8)
        if kind == 0:
            return self._source.text()
        return self._move() if kind < 3 else self._source.choice(WORDS)
