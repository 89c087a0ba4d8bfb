"""How the engine is set up: its options, each declared once as a field of `Settings`.

GTP and GoGui call them parameters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pinchtp._core import MAX_THREADS
from pinchtp.base.options import (
    FILE,
    NONE,
    SWITCH,
    Member,
    OneOf,
    Option,
    Real,
    Size,
    Whole,
    WordOrFile,
    declared_elsewhere,
    hyphened,
    option,
    options_of,
    read_toml,
)
from pinchtp.games import (
    ALPHA_BETA,
    GAMES,
    MAX_SIZE,
    MCTS,
    MIN_SIZE,
    RULE_OPTIONS,
    UCT,
    RuleValue,
    usual_value,
)
from pinchtp.games.notation import SwapSpelling
from pinchtp.player.levels import LEVELS

SIZE = Size(MIN_SIZE, MAX_SIZE)

PACKAGED, PLAYOUTS = "default", NONE  # what judges positions, if not a network's file

AUTO = "auto"  # the search that is the game's own

AS_USUAL = "as usual for the game"  # what unset options of the game are

GAME, STRENGTH, PROTOCOL = "game", "strength", "protocol and files"


def _games_with(search: str) -> str:
    return ", ".join(game.title for game in GAMES.values() if search in game.searches)


def rule_options(group: str, **details: Any) -> Iterator[Option]:
    """The options that games declare for their rules; details: see Option."""
    for rule in RULE_OPTIONS.values():
        default = usual_value(rule.name)
        details["unset"] = AS_USUAL if default is None else ""
        details["metavar"] = "" if rule.is_switch else "N"
        yield Option(rule.name, rule.kind, default, rule.help, group, **details)


@dataclass
class Settings:
    """The values of all options.

    rules: the rule options of games that are not as usual, by name.
    """

    game: str = option(
        OneOf(tuple(GAMES)),
        next(iter(GAMES)),
        "which game to play",
        group=GAME,
        metavar="NAME",
        at_start=True,
    )
    size: tuple[int, int] | None = option(
        SIZE,
        None,
        "columns and rows of the board",
        unset=AS_USUAL,
        group=GAME,
        metavar="N|WxH",
        at_start=True,
    )
    rules: Mapping[str, RuleValue] = declared_elsewhere(rule_options(GAME, at_start=True))
    level: int = option(
        Whole(1, len(LEVELS)),
        len(LEVELS),
        "how strong to play: 1 is a beginner who knows the rules, "
        f"{len(LEVELS)} all that time and visits allow",
        group=STRENGTH,
        metavar="N",
    )
    time: float | None = option(
        Real(0.001, 1e6),
        None,
        "seconds per move while the controller sets no clock",
        unset="1, or no limit if visits are limited",
        group=STRENGTH,
        metavar="S",
        kata="maxTime",
    )
    visits: int | None = option(
        Whole(1, 2**31),
        None,
        "at most this many simulations per move",
        group=STRENGTH,
        metavar="N",
        kata="maxVisits",
    )
    threads: int = option(
        Whole(1, MAX_THREADS),
        1,
        "search threads",
        group=STRENGTH,
        metavar="N",
        kata="numSearchThreads",
    )
    seed: int | None = option(
        Whole(0, 2**63 - 1),
        None,
        "with one thread and limited visits, the same commands since clear_board get the same "
        "answers",
        unset="a new seed for every game",
        group=STRENGTH,
        metavar="N",
    )
    memory: int = option(
        Whole(1, 2**17),
        512,
        "MB of memory that the search tree may take; a full tree gives up what was visited least",
        group=STRENGTH,
        metavar="MB",
    )
    network: str | Path = option(
        WordOrFile(PACKAGED, PLAYOUTS),
        PACKAGED,
        f"what judges positions: {PACKAGED}, the network that comes with the game, if one does; "
        f"{PLAYOUTS}, random playouts; or the file of a network of the game",
        group=STRENGTH,
        metavar=f"{PACKAGED}|{PLAYOUTS}|FILE",
        at_start=True,
    )
    search: str = option(
        OneOf((AUTO, MCTS, ALPHA_BETA, UCT)),
        AUTO,
        f"how to search: {MCTS}, Monte-Carlo tree search with the network or random playouts; "
        f"{ALPHA_BETA}, in {_games_with(ALPHA_BETA)} only; {UCT}, plain Monte-Carlo tree search "
        f"with uniformly random playouts and nothing else, a yardstick that stays as it is; "
        f"{AUTO}, what plays the game best, or {MCTS} where network says what is to judge",
        group=STRENGTH,
        metavar="NAME",
        at_start=True,
    )
    resign: float | None = option(
        Real(0, 1),
        None,
        "resign when the estimated chance to win falls below this",
        unset="never",
        group=STRENGTH,
        metavar="P",
    )
    lag: float | None = option(
        Real(0.001, 60),
        None,
        "seconds by which an answer may be late on a clock",
        unset="learned from the answers given, beginning with 0.1",
        group=STRENGTH,
        metavar="S",
        kata="lagBuffer",
    )
    ponder: bool = option(
        SWITCH,
        False,
        "whether to think on the opponent's time as well",
        group=STRENGTH,
        kata="ponderingEnabled",
    )
    swap_as: SwapSpelling = option(
        Member(SwapSpelling),
        SwapSpelling.PASS,
        "how genmove spells a swap",
        group=PROTOCOL,
        metavar="WORD",
    )
    move_parts: bool = option(
        SWITCH,
        False,
        "whether genmove answers one part at a time in games whose turns have several, as GoGui "
        "needs it",
        group=PROTOCOL,
    )
    live_graphics: bool = option(
        SWITCH,
        False,
        "whether searches show what they find on standard error, in GoGui's live graphics",
        group=PROTOCOL,
    )
    files: bool = option(
        SWITCH,
        True,
        "whether commands may read and write files; say no where strangers can send commands",
        group=PROTOCOL,
        at_start=True,
    )
    record: Path | None = option(
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

    def set(self, name: str, value: object) -> None:
        """Sets an option to a value, or to what a text says, `none` where it may be unset.

        Raises ValueError that says what would be right.
        """
        option = find(name)
        option.put(vars(self), option.read(value))

    def value(self, name: str) -> Any:
        """The value of an option. Raises ValueError for an unknown name."""
        return find(name).value(self)

    def text(self, name: str) -> str:
        """The value of an option as text. Raises ValueError for an unknown name."""
        return find(name).format(self.value(name))

    def load(self, path: Path) -> None:
        """Sets options from the keys of a TOML file. Raises ValueError or OSError."""
        for name, value in read_toml(path).items():
            try:
                self.set(hyphened(name), value)
            except ValueError as error:
                raise ValueError(f"{path}: {name}: {error}") from None


OPTIONS = options_of(Settings)
RULES = {option.name: option for option in rule_options(GAME)}


def find(name: str) -> Option:
    """The option of that name. Raises ValueError that names those there are."""
    try:
        return OPTIONS[name]
    except KeyError:
        raise ValueError(f"no parameter {name!r}; there are {', '.join(OPTIONS)}") from None
