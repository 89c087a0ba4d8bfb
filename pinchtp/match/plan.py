"""What a match is: its engines, its openings, and every option once.

An option is a field of `MatchPlan`. Flags of the command line, keys of a match file and their help
derive from the field; so does the form in which a plan is kept with its games (stored.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from pinchtp.base.clock import LAG_BUFFER, TimeControl
from pinchtp.base.options import (
    BOOL,
    PATH,
    Float,
    Int,
    OneOfEnum,
    Option,
    did_you_mean,
    option,
    options_of,
)
from pinchtp.games import GAMES, RuleValue
from pinchtp.games.notation import SwapSpelling
from pinchtp.match.option_types import (
    CAUSES,
    DRAW_RULE,
    PAIRS,
    RESIGN_RULE,
    SPRT,
    TIME,
    WORD,
    CommandLine,
    DrawRule,
    Format,
    Lines,
    ResignRule,
    Text,
    Variables,
)
from pinchtp.match.record import Opening, Termination
from pinchtp.match.sprt import Sprt
from pinchtp.player.settings import AS_USUAL, RULES, SIZE, fields_of, rule_options

DEFAULT_GAME = next(iter(GAMES))

GAME, MATCH, ENDS = "the game", "the match", "ends of games other than by the rules"
ENGINES, RUNNING, FILES = "watch over the engines", "running it", "files"

ENGINE = "one engine"

SECONDS = Float(0.001, 1e5)
MOST_GAMES = 10**7  # of each two engines


class PlanError(ValueError):
    """The match cannot be played as it is described; the text is for its author."""


@dataclass(frozen=True)
class EngineConfig:
    """An engine that takes part. name: unique in the match."""

    name: str
    command: str = option(CommandLine(), "", "how it is started", group=ENGINE, metavar="COMMAND")
    folder: str | None = option(Text(), None, "where it is started", group=ENGINE, metavar="DIR")
    environment: Mapping[str, str] = option(
        Variables(), {}, "variables for it", group=ENGINE, metavar="VARIABLE=VALUE"
    )
    startup: tuple[str, ...] = option(
        Lines(), (), "GTP commands sent before the first game", group=ENGINE, metavar="COMMAND"
    )
    time: TimeControl | None = option(
        TIME,
        None,
        "a time system of its own",
        group=ENGINE,
        none_means="the match's",
        metavar="TIME",
    )
    threads: int = option(
        Int(1, 4096), 1, "processor cores it is entitled to", group=ENGINE, metavar="N"
    )
    swap_as: SwapSpelling = option(
        OneOfEnum(SwapSpelling),
        SwapSpelling.PASS,
        "its word for a swap",
        group=ENGINE,
        metavar="WORD",
    )
    nodes: int | None = option(
        Int(1, 2**31),
        None,
        "at most this many nodes a move",
        group=ENGINE,
        none_means="the match's",
        metavar="N",
    )
    ponder: bool | None = option(
        BOOL,
        None,
        "whether it thinks on the opponent's time",
        group=ENGINE,
        none_means="the match's",
        metavar="true|false",
    )


@dataclass(frozen=True)
class MatchPlan:
    """A match to be played.

    engines: in the order in which tables show them. openings: none is the empty board.
    """

    engines: tuple[EngineConfig, ...]
    openings: tuple[Opening, ...] = ()

    game: str = option(
        WORD, DEFAULT_GAME, "which game; with --no-referee any word", group=GAME, metavar="NAME"
    )
    size: tuple[int, int] | None = option(
        SIZE, None, "columns and rows", group=GAME, none_means=AS_USUAL, metavar="N|WxH"
    )
    rules: Mapping[str, RuleValue] = field(default_factory=dict)
    options: tuple[tuple[str, str], ...] = option(
        PAIRS,
        (),
        "options of the game's rules; with --no-referee commands for both engines: komi=7.5",
        group=GAME,
        metavar="NAME=VALUE",
    )
    referee: bool = option(
        BOOL, True, "whether our rules judge every move; without, the engines score", group=GAME
    )
    time: TimeControl = option(
        TIME,
        TimeControl.canadian(0, 1, 1),
        "time system: 10 (seconds a move), 60+0.5, 10m+0, 60+5x10 (5 byo-yomi periods of 10 s), "
        "60+10/30 (10 moves in 30 s), 60+5 cap 90 move 30 (at most 90 s saved up, 30 s a move) "
        "or none; a time may end in ms, s, m or h",
        group=GAME,
        metavar="TIME",
    )
    nodes: int | None = option(
        Int(1, 2**31),
        None,
        "at most this many nodes a move, for engines that have no limit of their own; sent by "
        "pinchtp-param, kata-set-param or lz-setoption",
        group=GAME,
        none_means="as the engines are set",
        metavar="N",
    )
    ponder: bool | None = option(
        BOOL,
        None,
        "whether engines think on the opponent's time; sent in the same way",
        group=GAME,
        none_means="as the engines are set",
    )
    lag: float = option(
        Float(0, 60),
        LAG_BUFFER,
        "seconds that an answer may come late before the game is lost on time",
        group=GAME,
        metavar="S",
    )

    format: Format = option(
        OneOfEnum(Format),
        Format.ROUND_ROBIN,
        "round-robin, or gauntlet: the first engine plays all others",
        group=MATCH,
        metavar="WORD",
    )
    games: int = option(
        Int(1, MOST_GAMES),
        100,
        "games per pair of engines; a match that goes on may be given more",
        group=MATCH,
        metavar="M",
        part_of_match=False,
    )
    opening_plies: int | None = option(
        Int(1, 1000),
        None,
        "play at most this many moves of each opening",
        group=MATCH,
        none_means="all",
        metavar="N",
        part_of_match=False,  # the openings themselves are
    )
    opening_start: int = option(
        Int(1, 10**7),
        1,
        "the opening to begin with, by its number in their order",
        group=MATCH,
        metavar="N",
    )
    paired: bool = option(
        BOOL,
        True,
        "whether each opening is played twice, with colors exchanged; without, each game has the "
        "next one",
        group=MATCH,
    )
    shuffle: bool = option(
        BOOL, False, "whether openings are taken in an order drawn by the seed", group=MATCH
    )
    seed: int = option(
        Int(0, 2**63 - 1), 0, "seed of the runner's random choices", group=MATCH, metavar="N"
    )
    sprt: Sprt | None = option(
        SPRT,
        None,
        "stop when a sequential test (pentanomial, over pairs) decides between two differences "
        "in Elo: ELO0,ELO1[,ALPHA,BETA], error probabilities 0.05 unless given",
        group=MATCH,
        metavar="E0,E1",
        part_of_match=False,
    )

    resign: ResignRule | None = option(
        RESIGN_RULE,
        None,
        "a side has lost when both engines' evaluations give it less than P for N moves on end",
        group=ENDS,
        metavar="P,N",
    )
    draw: DrawRule | None = option(
        DRAW_RULE,
        None,
        "a game is drawn when both engines' evaluations are within P of even for N moves on end, "
        "none before move M of the game",
        group=ENDS,
        metavar="P,N[,M]",
    )
    move_cap: int | None = option(
        Int(1, 10**5), None, "moves after which a game is drawn", group=ENDS, metavar="N"
    )
    solve: float | None = option(
        Float(0.001, 3600),
        None,
        "seconds that our solver may take to prove a result near the end",
        group=ENDS,
        metavar="S",
    )

    evaluations: bool = option(
        BOOL, True, "whether engines that can tell their win rate are asked", group=ENGINES
    )
    startup_deadline: float = option(
        SECONDS,
        30.0,
        "seconds until an engine's first answer, and for each startup command",
        group=ENGINES,
        metavar="S",
    )
    command_deadline: float = option(
        SECONDS,
        30.0,
        "seconds for an answer that needs no thought",
        group=ENGINES,
        metavar="S",
    )
    move_deadline: float = option(
        SECONDS, 600.0, "seconds for a move without a clock", group=ENGINES, metavar="S"
    )
    grace: float = option(
        SECONDS,
        5.0,
        "seconds beyond its clock after which an engine counts as hung",
        group=ENGINES,
        metavar="S",
    )
    memory: int | None = option(
        Int(1, 2**24),
        None,
        "MB of memory above which an engine is killed",
        group=ENGINES,
        metavar="MB",
    )
    void: tuple[Termination, ...] = option(
        CAUSES,
        (),
        "failures for which a game is void and replayed, not lost: time, illegal, died, ...",
        group=ENGINES,
        metavar="WORDS",
    )
    withdraw: int = option(
        Int(1, 10**6),
        5,
        "failures in a row after which an engine is withdrawn, until the next start",
        group=ENGINES,
        metavar="K",
        part_of_match=False,
    )

    jobs: int = option(
        Int(1, 4096), 1, "games at a time", group=RUNNING, metavar="N", part_of_match=False
    )
    pin: bool = option(
        BOOL,
        True,
        "whether each game gets processor cores of its own, the same for both engines",
        group=RUNNING,
        part_of_match=False,
    )
    cluster: str | None = option(
        WORD,
        None,
        "play on a dask.distributed cluster: tcp://HOST:PORT, or local:N to start N workers here",
        group=RUNNING,
        metavar="WHERE",
        part_of_match=False,
    )

    db: Path | None = option(
        PATH,
        None,
        "the store, which is begun or continued",
        group=FILES,
        none_means="the match file's name with .db, or match.db",
        metavar="FILE",
        part_of_match=False,
    )
    page: Path | None = option(
        PATH,
        None,
        "write the match as one HTML file",
        group=FILES,
        metavar="FILE",
        part_of_match=False,
    )
    log: Path | None = option(
        PATH,
        None,
        "write all commands and responses of each engine to a file in this folder",
        group=FILES,
        metavar="DIR",
        part_of_match=False,
    )
    sgf: Path | None = option(
        PATH,
        None,
        "write the games as SGF to this folder",
        group=FILES,
        metavar="DIR",
        part_of_match=False,
    )

    def __post_init__(self) -> None:
        """Raises PlanError for what makes no match."""
        names = [engine.name for engine in self.engines]
        if len(names) < 2:
            raise PlanError(f"a match needs two engines at least, not {len(names)}")
        for name in names:
            if names.count(name) > 1:
                raise PlanError(f"two engines are named {name!r}: give each a name of its own")
        if self.sprt and len(names) > 2:
            raise PlanError("sprt: a sequential test is for two engines")
        if self.referee and self.game not in GAMES:
            raise PlanError(
                f"game: we have no rules of {self.game!r}: {did_you_mean(self.game, GAMES)}; "
                "other games need --no-referee"
            )
        if not self.referee and self.game not in GAMES and self.size is None:
            raise PlanError(f"size: give one, as {self.game!r} is no game of ours")

    @classmethod
    def of(
        cls,
        engines: Iterable[EngineConfig],
        openings: Iterable[Opening] = (),
        values: Mapping[str, object] = {},
    ) -> Self:
        """Returns a plan from values of its options by name, or their texts. Raises PlanError."""
        read = {name: _read(name, value) for name, value in values.items()}
        if read.get("referee", True):  # which knows rules by their own names
            pairs = read.get("options", ())
            read["options"] = tuple(pair for pair in pairs if pair[0] not in RULES)
            read |= {name: _read(name, text) for name, text in pairs if name in RULES}
        return cls(tuple(engines), tuple(openings), **fields_of(read))

    def value(self, option: Option) -> Any:
        """Returns the value of an option."""
        if option.name in RULES:
            return self.rules.get(option.name, option.default)
        return getattr(self, option.attribute)

    @property
    def board(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.size or GAMES[self.game].size

    @property
    def agreed(self) -> dict[str, str]:
        """What is agreed about the rules, as texts by name; without a referee these are commands
        for both engines.
        """
        ours = self.rules if self.referee else {}
        return dict(self.options) | {
            name: OPTIONS[name].format(value) for name, value in ours.items()
        }


ENGINE_OPTIONS = options_of(EngineConfig)
OPTIONS = options_of(MatchPlan, rule_options(GAME).values())


def find(name: str) -> Option:
    """Returns the option of that name. Raises PlanError that names a close one."""
    try:
        return OPTIONS[name]
    except KeyError:
        raise PlanError(f"unknown option {name!r}: {did_you_mean(name, OPTIONS)}") from None


def _read(name: str, value: object) -> Any:
    """Returns the value of an option for a typed value or a text. Raises PlanError."""
    option = find(name)
    try:
        return option.read(value)
    except ValueError as error:
        raise PlanError(f"{name}: {error}") from None
