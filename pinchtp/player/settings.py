"""Options of the engine, each declared once as a field of `Settings`.

GTP and GoGui call them parameters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pinchtp._core import MAX_THREADS
from pinchtp.base.option_types import (
    BOOL,
    PATH,
    Count,
    Float,
    Int,
    Megabytes,
    OneOf,
    OneOfEnum,
    OneOfOrPath,
    Seconds,
    Size,
)
from pinchtp.base.options import (
    NONE,
    Option,
    did_you_mean,
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
    GameType,
    RuleValue,
    default_rule,
)
from pinchtp.games.notation import SwapSpelling
from pinchtp.games.session import Session
from pinchtp.player.levels import LEVELS

SIZE = Size(MIN_SIZE, MAX_SIZE)
TIME = Seconds(0.001, 1e6)
VISITS = Count(1, 2**31)

PACKAGED, PLAYOUTS = "default", NONE  # the evaluators, apart from a network in a file

AUTO = "auto"  # the game's default search

AS_USUAL = "the game's own"  # the description of unset options of the game

GAME, STRENGTH, PROTOCOL = "game", "strength", "protocol and files"


def _games_with(search: str) -> str:
    return ", ".join(game.title for game in GAMES.values() if search in game.searches)


def rule_options(group: str, **details: Any) -> dict[str, Option]:
    """Returns the rule options of all games, by name. details: fields of Option to set."""
    options: dict[str, Option] = {}
    for rule in RULE_OPTIONS.values():
        default = default_rule(rule.name)
        details["none_means"] = AS_USUAL if default is None else ""
        details["metavar"] = "" if rule.is_switch else "N"
        options[rule.name] = replace(rule, default=default, group=group, **details)
    return options


RULES = rule_options(GAME, at_start=True)


def fields_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a dataclass for the values of options, by name.

    Rules that differ from the default are in the field `rules`.
    """
    fields = {name.replace("-", "_"): value for name, value in values.items() if name not in RULES}
    rules = {
        name: value
        for name, value in values.items()
        if name in RULES and value != RULES[name].default
    }
    return {**fields, "rules": rules}


@dataclass
class Settings:
    """The values of all options.

    rules: the rule options that differ from the default, by name.
    """

    game: str = option(
        OneOf(tuple(GAMES)),
        next(iter(GAMES)),
        "game to play",
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
        f"level of play: 1 is a beginner, {len(LEVELS)} full strength",
        group=STRENGTH,
        metavar="N",
    )
    time: float | None = option(
        TIME,
        None,
        "seconds per move without a clock",
        none_means="1, or no limit if visits are limited",
        group=STRENGTH,
        metavar="S",
        kata="maxTime",
    )
    visits: int | None = option(
        VISITS,
        None,
        "maximum visits per move",
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
        "seed for reproducible play with one thread, limited visits and no pondering",
        none_means="a new seed for every game",
        group=STRENGTH,
        metavar="N",
    )
    memory: int = option(
        Megabytes(1, 2**17),
        512,
        "memory limit of the search tree, in MB or with a unit (8G); a full tree is pruned",
        group=STRENGTH,
        metavar="MB",
    )
    network: str | Path = option(
        OneOfOrPath(PACKAGED, PLAYOUTS),
        PACKAGED,
        f"network: {PACKAGED} (the game's own), {PLAYOUTS} (playouts), or a file",
        group=STRENGTH,
        metavar=f"{PACKAGED}|{PLAYOUTS}|FILE",
        at_start=True,
    )
    search: str = option(
        OneOf((AUTO, MCTS, ALPHA_BETA, UCT)),
        AUTO,
        f"search: {MCTS}, {ALPHA_BETA} ({_games_with(ALPHA_BETA)} only), {UCT} (baseline), {AUTO}",
        group=STRENGTH,
        metavar="NAME",
        at_start=True,
    )
    resign: float | None = option(
        Float(0, 1),
        None,
        "resign below this winrate",
        none_means="never",
        group=STRENGTH,
        metavar="P",
    )
    lag: float | None = option(
        Seconds(0.001, 60),
        None,
        "move overhead in seconds",
        none_means="estimated, starting at 0.1",
        group=STRENGTH,
        metavar="S",
        kata="lagBuffer",
    )
    ponder: bool = option(
        BOOL,
        False,
        "think on the opponent's time",
        group=STRENGTH,
        kata="ponderingEnabled",
    )
    swap_as: SwapSpelling = option(
        OneOfEnum(SwapSpelling),
        SwapSpelling.PASS,
        "word that genmove returns for a swap",
        group=PROTOCOL,
        metavar="WORD",
    )
    move_parts: bool = option(
        BOOL,
        False,
        "answer genmove with one step of a move at a time, for GoGui",
        group=PROTOCOL,
    )
    live_graphics: bool = option(
        BOOL,
        False,
        "print GoGui live graphics to standard error during a search",
        group=PROTOCOL,
    )
    files: bool = option(
        BOOL,
        True,
        "allow commands to read and write files; off for untrusted clients",
        group=PROTOCOL,
        at_start=True,
    )
    record: Path | None = option(
        PATH,
        None,
        "autosave the game to this SGF file after every move; the next game replaces it",
        group=PROTOCOL,
        metavar="FILE",
        at_start=True,
    )

    @property
    def move_seconds(self) -> float:
        """The seconds per move without a clock; infinite without a limit."""
        if self.time is not None:
            return self.time
        return 1.0 if self.visits is None else math.inf

    def new_session(self, game: GameType, size: tuple[int, int] | None = None) -> Session:
        """Returns a new game by these rules.

        size: columns and rows; None: the default of the game. Raises ValueError for a size or rule
        that the game does not have.
        """
        return Session(game, *(size or game.size), **self.rules)

    def set(self, name: str, value: object) -> None:
        """Sets an option to a value or its text; `none` unsets it.

        Raises ValueError, with the valid values or the closest name.
        """
        value = find(name).read(value)
        if name in RULES:
            value = fields_of({**self.rules, name: value})["rules"]
        setattr(self, "rules" if name in RULES else find(name).attribute, value)

    def value(self, name: str) -> Any:
        """Returns the value of an option. Raises ValueError for an unknown name."""
        option = find(name)
        if name in RULES:
            return self.rules.get(name, option.default)
        return getattr(self, option.attribute)

    def text(self, name: str) -> str:
        """Returns the value of an option as text. Raises ValueError for an unknown name."""
        return find(name).format(self.value(name))

    def load(self, path: Path) -> None:
        """Sets options from the keys of a TOML file. Raises ValueError and OSError."""
        for name, value in read_toml(path).items():
            try:
                self.set(kebab_case(name), value)
            except ValueError as error:
                raise ValueError(f"{path}: {name}: {error}") from None


OPTIONS = options_of(Settings, RULES.values())


def find(name: str) -> Option:
    """Returns the option of that name. Raises ValueError with the closest name."""
    try:
        return OPTIONS[name]
    except KeyError:
        raise ValueError(f"unknown parameter {name!r}: {did_you_mean(name, OPTIONS)}") from None
