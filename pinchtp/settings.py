"""How the engine is set up: every parameter once, for the command line, a file and a running game.

A parameter is a field of `Settings`. Its kind reads and writes its text; options of the command
line, keys of a TOML file (`--config`), `pinchtp-param` and their help all derive from the field.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pinchtp.clock import LAG
from pinchtp.games import GAMES, MAX_SIZE, MIN_SIZE
from pinchtp.notation import SwapSpelling

NONE = "none"  # the text of a parameter that is not set


@dataclass(frozen=True)
class Kind:
    """A kind of value. parse raises ValueError; expected says what would be right.

    words: all values there are, if they can be listed.
    """

    expected: str
    parse: Callable[[str], Any]
    words: tuple[str, ...] = ()

    def read(self, text: str) -> Any:
        """The value of a text. Raises ValueError that says what would be right."""
        try:
            return self.parse(text)
        except ValueError:
            raise ValueError(f"{text!r}: give {self.expected}") from None

    def write(self, value: Any) -> str:
        """The text of a value."""
        if value is None:
            return NONE
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, tuple):
            width, height = value
            return f"{width}" if width == height else f"{width}x{height}"
        return str(value)


def whole(least: int, most: int) -> Kind:
    def parse(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise ValueError
        return value

    return Kind(f"a whole number from {least} to {most}", parse)


def real(least: float, most: float) -> Kind:
    def parse(text: str) -> float:
        value = float(text)
        if not least <= value <= most:  # not for nan either
            raise ValueError
        return value

    return Kind(f"a number from {least:g} to {most:g}", parse)


def choice(words: tuple[str, ...], kind: Callable[[str], Any] = str) -> Kind:
    def parse(text: str) -> Any:
        if text not in words:
            raise ValueError
        return kind(text)

    return Kind("one of " + ", ".join(words), parse, words)


def _parse_size(text: str) -> tuple[int, int]:
    width, times, height = text.lower().partition("x")
    size = int(width), int(height if times else width)
    if not all(MIN_SIZE <= side <= MAX_SIZE for side in size):
        raise ValueError
    return size


def _parse_file(text: str) -> Path:
    if not text:
        raise ValueError
    return Path(text)


SIZE = Kind(f"a size from {MIN_SIZE} to {MAX_SIZE}, or two: 9, 13x9", _parse_size)
SWITCH = choice(("true", "false"), lambda text: text == "true")
FILE = Kind("the name of a file", _parse_file)


@dataclass(frozen=True)
class Parameter:
    """One parameter: its name, kind and default, and what help texts say of it.

    metavar: stands for the value in a usage line. kata: the name KataGo knows it by. at_start: it
    can be set only before the first command.
    """

    name: str
    kind: Kind
    default: Any
    help: str
    metavar: str
    group: str
    kata: str
    at_start: bool

    @property
    def is_optional(self) -> bool:
        """Whether it may be unset."""
        return self.default is None


def _parameter(  # noqa: PLR0913  (one argument for each part of a definition)
    kind: Kind,
    default: Any,
    help: str,
    *,
    group: str,
    metavar: str = "",
    kata: str = "",
    at_start: bool = False,
) -> Any:
    details = (kind, default, help, metavar, group, kata, at_start)
    return field(default=default, metadata={"parameter": details})


GAME, STRENGTH, PROTOCOL = "game", "strength", "protocol and files"


@dataclass
class Settings:
    """The values of all parameters."""

    game: str = _parameter(
        choice(tuple(GAMES)),
        next(iter(GAMES)),
        "which game to play",
        group=GAME,
        metavar="NAME",
        at_start=True,
    )
    size: tuple[int, int] | None = _parameter(
        SIZE,
        None,
        "columns and rows of the board; none: as usual for the game",
        group=GAME,
        metavar="N|WxH",
        at_start=True,
    )
    pie: bool | None = _parameter(
        SWITCH,
        None,
        "whether the second player may swap; none: as usual for the game",
        group=GAME,
        at_start=True,
    )
    crosscut: bool = _parameter(
        SWITCH,
        False,
        "whether First Capture Go begins with two crossed pairs of stones in the centre",
        group=GAME,
        at_start=True,
    )
    time: float | None = _parameter(
        real(0.001, 1e6),
        None,
        "seconds per move while the controller sets no clock; none: 1, or no limit if visits "
        "are limited",
        group=STRENGTH,
        metavar="S",
        kata="maxTime",
    )
    visits: int | None = _parameter(
        whole(1, 2**31),
        None,
        "simulations per move at the most",
        group=STRENGTH,
        metavar="N",
        kata="maxVisits",
    )
    threads: int = _parameter(
        whole(1, 256),
        1,
        "search threads",
        group=STRENGTH,
        metavar="N",
        kata="numSearchThreads",
    )
    seed: int | None = _parameter(
        whole(0, 2**63 - 1),
        None,
        "with one thread and limited visits, the same commands since clear_board get the same "
        "answers; none: a new seed for every game",
        group=STRENGTH,
        metavar="N",
    )
    memory: int = _parameter(
        whole(1, 2**17),
        512,
        "MB of memory for the search tree at the most; a full tree stops growing",
        group=STRENGTH,
        metavar="MB",
    )
    resign: float | None = _parameter(
        real(0, 1),
        None,
        "resign when the estimated chance to win falls below; none: never",
        group=STRENGTH,
        metavar="P",
    )
    lag: float = _parameter(
        real(0.001, 60),
        LAG,
        "seconds by which an answer may be late on a clock; less is right for matches on one "
        "quiet machine",
        group=STRENGTH,
        metavar="S",
        kata="lagBuffer",
    )
    ponder: bool = _parameter(
        SWITCH,
        False,
        "whether to think on the opponent's time as well",
        group=STRENGTH,
        kata="ponderingEnabled",
    )
    swap_as: SwapSpelling = _parameter(
        choice(tuple(SwapSpelling), SwapSpelling),
        SwapSpelling.PASS,
        "how genmove spells a swap; stone is the first stone's point again, which is then "
        "understood in play as well",
        group=PROTOCOL,
        metavar="WORD",
    )
    move_parts: bool = _parameter(
        SWITCH,
        False,
        "whether genmove answers one part at a time in games whose turns have several, as GoGui "
        "needs it",
        group=PROTOCOL,
    )
    live_graphics: bool = _parameter(
        SWITCH,
        False,
        "whether searches show what they find on standard error, in GoGui's live graphics",
        group=PROTOCOL,
    )
    files: bool = _parameter(
        SWITCH,
        True,
        "whether commands may read and write files; say no where strangers can send commands",
        group=PROTOCOL,
        at_start=True,
    )
    record: Path | None = _parameter(
        FILE,
        None,
        "keep the running game in this SGF file, written anew after every move",
        group=PROTOCOL,
        metavar="FILE",
        at_start=True,
    )

    @property
    def move_seconds(self) -> float:
        """Seconds per move without a clock; infinite without a limit."""
        if self.time is not None:
            return self.time
        return 1.0 if self.visits is None else math.inf

    def set(self, name: str, text: str) -> None:
        """Sets a parameter from its text, `none` where it may be unset.

        Raises ValueError that says what would be right.
        """
        parameter = find(name)
        unset = parameter.is_optional and text == NONE
        setattr(self, _attribute(name), None if unset else parameter.kind.read(text))

    def get(self, name: str) -> str:
        """A parameter as text. Raises ValueError for an unknown name."""
        return find(name).kind.write(getattr(self, _attribute(name)))

    def load(self, path: Path) -> None:
        """Sets parameters from the keys of a TOML file. Raises ValueError or OSError."""
        import tomllib  # noqa: PLC0415  (few processes need it)

        try:
            values = tomllib.loads(path.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{path} is no TOML file: {error}") from None
        for name, value in values.items():
            try:
                self.set(name, find(name).kind.write(value))
            except ValueError as error:
                raise ValueError(f"{path}: {name}: {error}") from None


def _attribute(name: str) -> str:
    return name.replace("-", "_")


def _parameters() -> dict[str, Parameter]:
    made = {}
    for each in dataclasses.fields(Settings):
        name = each.name.replace("_", "-")
        made[name] = Parameter(name, *each.metadata["parameter"])
    return made


PARAMETERS: dict[str, Parameter] = _parameters()


def find(name: str) -> Parameter:
    """The parameter of that name. Raises ValueError that names those there are."""
    try:
        return PARAMETERS[name]
    except KeyError:
        raise ValueError(f"no parameter {name!r}; there are {', '.join(PARAMETERS)}") from None
