"""How the engine is set up: its options, each declared once as a field of `Settings`.

GTP and GoGui call them parameters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pinchtp._core import MAX_THREADS
from pinchtp.base.options import (
    BOOL,
    NONE,
    PATH,
    Float,
    Int,
    OneOf,
    OneOfEnum,
    OneOfOrPath,
    Option,
    Size,
    kebab_case,
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
    default_rule,
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


def rule_options(group: str, **details: Any) -> dict[str, Option]:
    """The options that games declare for their rules, by name; details: see Option."""
    options: dict[str, Option] = {}
    for rule in RULE_OPTIONS.values():
        default = default_rule(rule.name)
        details["none_means"] = AS_USUAL if default is None else ""
        details["metavar"] = "" if rule.is_switch else "N"
        options[rule.name] = replace(rule, default=default, group=group, **details)
    return options


RULES = rule_options(GAME, at_start=True)


def fields_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a dataclass for values of options, by name: those of rules that are
    not as usual stand together, in `rules`.
    """
    fields = {name.replace("-", "_"): each for name, each in values.items() if name not in RULES}
    rules = {name: each for name, each in values.items() if name in RULES}
    usual = {name: RULES[name].default for name in rules}
    return {**fields, "rules": {name: rules[name] for name in rules if rules[name] != usual[name]}}


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
        none_means=AS_USUAL,
        group=GAME,
        metavar="N|WxH",
        at_start=True,
    )
    rules: Mapping[str, RuleValue] = field(default_factory=dict)
    level: int = option(
        Int(1, len(LEVELS)),
        len(LEVELS),
        "how strong to play: 1 is a beginner who knows the rules, "
        f"{len(LEVELS)} all that time and visits allow",
        group=STRENGTH,
        metavar="N",
    )
    time: float | None = option(
        Float(0.001, 1e6),
        None,
        "seconds per move while the controller sets no clock",
        none_means="1, or no limit if visits are limited",
        group=STRENGTH,
        metavar="S",
        kata="maxTime",
    )
    visits: int | None = option(
        Int(1, 2**31),
        None,
        "at most this many simulations per move",
        group=STRENGTH,
        metavar="N",
        kata="maxVisits",
    )
    threads: int = option(
        Int(1, MAX_THREADS),
        1,
        "search threads",
        group=STRENGTH,
        metavar="N",
        kata="numSearchThreads",
    )
    seed: int | None = option(
        Int(0, 2**63 - 1),
        None,
        "with one thread and limited visits, the same commands since clear_board get the same "
        "answers",
        none_means="a new seed for every game",
        group=STRENGTH,
        metavar="N",
    )
    memory: int = option(
        Int(1, 2**17),
        512,
        "MB of memory that the search tree may take; a full tree gives up what was visited least",
        group=STRENGTH,
        metavar="MB",
    )
    network: str | Path = option(
        OneOfOrPath(PACKAGED, PLAYOUTS),
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
        Float(0, 1),
        None,
        "resign when the estimated chance to win falls below this",
        none_means="never",
        group=STRENGTH,
        metavar="P",
    )
    lag: float | None = option(
        Float(0.001, 60),
        None,
        "seconds by which an answer may be late on a clock",
        none_means="learned from the answers given, beginning with 0.1",
        group=STRENGTH,
        metavar="S",
        kata="lagBuffer",
    )
    ponder: bool = option(
        BOOL,
        False,
        "whether to think on the opponent's time as well",
        group=STRENGTH,
        kata="ponderingEnabled",
    )
    swap_as: SwapSpelling = option(
        OneOfEnum(SwapSpelling),
        SwapSpelling.PASS,
        "how genmove spells a swap",
        group=PROTOCOL,
        metavar="WORD",
    )
    move_parts: bool = option(
        BOOL,
        False,
        "whether genmove answers one part at a time in games whose turns have several, as GoGui "
        "needs it",
        group=PROTOCOL,
    )
    live_graphics: bool = option(
        BOOL,
        False,
        "whether searches show what they find on standard error, in GoGui's live graphics",
        group=PROTOCOL,
    )
    files: bool = option(
        BOOL,
        True,
        "whether commands may read and write files; say no where strangers can send commands",
        group=PROTOCOL,
        at_start=True,
    )
    record: Path | None = option(
        PATH,
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
        value = find(name).read(value)
        if name in RULES:
            value = fields_of({**self.rules, name: value})["rules"]
        setattr(self, "rules" if name in RULES else find(name).attribute, value)

    def value(self, name: str) -> Any:
        """The value of an option. Raises ValueError for an unknown name."""
        option = find(name)
        if name in RULES:
            return self.rules.get(name, option.default)
        return getattr(self, option.attribute)

    def text(self, name: str) -> str:
        """The value of an option as text. Raises ValueError for an unknown name."""
        return find(name).format(self.value(name))

    def load(self, path: Path) -> None:
        """Sets options from the keys of a TOML file. Raises ValueError or OSError."""
        for name, value in read_toml(path).items():
            try:
                self.set(kebab_case(name), value)
            except ValueError as error:
                raise ValueError(f"{path}: {name}: {error}") from None


OPTIONS = options_of(Settings, RULES.values())


def find(name: str) -> Option:
    """The option of that name. Raises ValueError that names those there are."""
    try:
        return OPTIONS[name]
    except KeyError:
        raise ValueError(f"no parameter {name!r}; there are {', '.join(OPTIONS)}") from None
