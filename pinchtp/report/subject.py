"""The subject of a report: a game on a board, and the strength of strong play."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

import msgspec

from pinchtp._core import Network
from pinchtp.games import (
    GAMES,
    MCTS,
    PIE,
    Color,
    GameType,
    Position,
    RuleOption,
    RuleValue,
    find_game,
)
from pinchtp.games.session import Session
from pinchtp.html.replay import ReplayBoard
from pinchtp.player import network
from pinchtp.player.network import Networks
from pinchtp.player.settings import PACKAGED, PLAYOUTS, Settings

RANDOM_GAMES = "random playouts"
USUAL_VISITS = 400  # allows hundreds of games in ten minutes, even of the larger games
MEMORY = 256  # MB for a search tree


def _in_words(option: RuleOption, value: RuleValue) -> str:
    name = option.title or option.name
    if not option.is_switch:
        return f"{name} {value}"
    return name if value else f"no {name}"


def pie_rule(is_agreed: bool) -> str:
    """Returns the pie rule in words. Figures have it in their names, which keeps them apart."""
    return "with the pie rule" if is_agreed else "without the pie rule"


@dataclass(frozen=True)
class ReportSubject:
    """A game, and the strength at which it is measured. Equal subjects can share measurements.

    rules: the values of its rule options. seed: determines all random choices, together with a
    unit's number. visits: per move of strong play. judge: the evaluator, as a value of the engine's
    option `network`. evaluator: its name, with the digest of a network.
    """

    game: str
    width: int
    height: int
    rules: Mapping[str, bool | int]
    seed: int
    visits: int
    judge: str = PACKAGED
    evaluator: str = RANDOM_GAMES

    def __post_init__(self) -> None:
        entry = find_game(self.game)
        if entry.rules(self.rules) != self.rules:
            raise ValueError(f"rules: {self.rules}: give {', '.join(entry.rules())}")
        self.start()  # checks the size

    @classmethod
    def of(  # noqa: PLR0913
        cls,
        game: str,
        size: tuple[int, int] | None = None,
        rules: Mapping[str, object] | None = None,
        *,
        seed: int = 1,
        visits: int = USUAL_VISITS,
        judge: str | Path = PACKAGED,
    ) -> Self:
        """Returns a subject. judge: the evaluator, as the engine's option `network`.

        Raises ValueError for an invalid game, size, rule or network.
        """
        entry = find_game(game)
        width, height = size or entry.size
        agreed = entry.rules(rules or {})
        file = judge.resolve() if isinstance(judge, Path) else None
        if judge == PACKAGED:
            file = network.find_packaged(game, (width, height))
        evaluator = f"network {network.read(file).digest}" if file else RANDOM_GAMES
        written = str(file if isinstance(judge, Path) else judge)
        return cls(game, width, height, agreed, seed, visits, written, evaluator)

    @classmethod
    def from_json(cls, text: str) -> Self:
        return msgspec.json.decode(text, type=cls)

    def as_json(self) -> str:
        return msgspec.json.encode(self, order="sorted").decode()

    @property
    def entry(self) -> GameType:
        return GAMES[self.game]

    @property
    def board_name(self) -> str:
        """Columns and rows, such as `13x13`."""
        return f"{self.width}x{self.height}"

    @property
    def name(self) -> str:
        """A short name of game and board, valid in file names."""
        return f"{self.game}-{self.board_name}"

    @cached_property
    def board(self) -> ReplayBoard:
        return ReplayBoard(self.session())

    @property
    def has_swap(self) -> bool:
        """Whether the pie rule is in force."""
        return bool(self.rules.get(PIE.name))

    @property
    def agreed_rules(self) -> list[str]:
        """The value of each rule option in words, such as `no crosscut`."""
        return [_in_words(option, self.rules[option.name]) for option in self.entry.options]

    @property
    def pie_rule(self) -> str:
        """`with the pie rule` or `without the pie rule`."""
        return pie_rule(self.has_swap)

    def with_swap(self, agreed: bool) -> dict[str, RuleValue]:
        """Returns the rules with or without the pie rule, if the game can have it."""
        return {**self.rules, PIE.name: agreed} if self.entry.swaps else dict(self.rules)

    def start(self, rules: Mapping[str, RuleValue] | None = None) -> Position:
        """Returns the starting position. rules: default: the subject's."""
        return self.entry.start(self.width, self.height, **(rules or self.rules))

    def session(self, rules: Mapping[str, RuleValue] | None = None) -> Session:
        """Returns a new game. rules: default: the subject's."""
        return Session(self.entry, self.width, self.height, **(rules or self.rules))

    @property
    def first(self) -> Color:
        """The first player."""
        return Color(self.start().to_move)

    @property
    def has_network(self) -> bool:
        """Whether a network evaluates positions in strong play."""
        return self.evaluator != RANDOM_GAMES

    @property
    def evaluator_name(self) -> str:
        """The evaluator's displayed name: that of a network as `pinchtp doctor` prints it."""
        if not self.has_network:
            return self.evaluator
        given = None if self.judge == PACKAGED else Path(self.judge)
        file = given or network.find_packaged(self.game, (self.width, self.height))
        kind, _, digest = self.evaluator.partition(" ")
        return f"{kind} {network.name_of(file, digest)}" if file else self.evaluator

    @property
    def strength(self) -> str:
        """The visits and the evaluator of strong play, in words."""
        return f"{self.visits:,} visits per move, evaluated by {self.evaluator_name}"

    def network(self) -> Network | None:
        """Returns the network of strong play, or None. Raises NetworkError for a missing file."""
        return Networks(self.settings().network).of(self.start())

    def settings(self, *, judged_by_network: bool = True) -> Settings:
        """Returns the engine's settings for strong play."""
        settings = Settings()
        settings.set("memory", MEMORY)
        settings.set("search", MCTS)  # other searches do not count visits
        settings.set("network", self.judge if judged_by_network else PLAYOUTS)
        return settings

    def unit_seed(self, *words: object) -> int:
        """Returns a seed of 63 bits for these words."""
        from hashlib import blake2b  # noqa: PLC0415  (not at start-up)

        text = json.dumps([self.seed, *words])
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1
