"""The plan of a match: its engines, its openings and its options.

Each option is a field of `MatchPlan`. The command-line flag, the key of a match file, the help and
the stored form of the plan (see `plan_file`) are derived from this field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Self

from pinchtp.base.clock import LAG_BUFFER, TimeControl
from pinchtp.base.option_types import BOOL, PATH, Float, Int, Megabytes, OneOfEnum
from pinchtp.base.options import Option, did_you_mean, option, options_of
from pinchtp.games import GAMES, RuleValue
from pinchtp.games.notation import SwapSpelling
from pinchtp.match.option_types import (
    DRAW_RULE,
    FAILURE_TYPES,
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
from pinchtp.match.results.sprt import Sprt
from pinchtp.player.settings import AS_USUAL, RULES, SIZE, fields_of, rule_options

DEFAULT_GAME = next(iter(GAMES))

GAME = "the game"
MATCH = "the match"
ENDS = "adjudication"
ENGINES = "engine supervision"
RUNNING = "execution"
FILES = "files"

ENGINE = "one engine"

SECONDS = Float(0.001, 1e5)
MOST_GAMES = 10**7  # per pair of engines


class PlanError(ValueError):
    """The match is invalid; the text is for its author."""


@dataclass(frozen=True)
class EngineConfig:
    """An engine that takes part. name: unique in the match."""

    name: str
    command: str = option(CommandLine(), "", "command line", group=ENGINE, metavar="COMMAND")
    folder: str | None = option(Text(), None, "working directory", group=ENGINE, metavar="DIR")
    environment: Mapping[str, str] = option(
        Variables(), {}, "environment variables", group=ENGINE, metavar="VARIABLE=VALUE"
    )
    startup: tuple[str, ...] = option(
        Lines(), (), "GTP commands sent before the first game", group=ENGINE, metavar="COMMAND"
    )
    time: TimeControl | None = option(
        TIME,
        None,
        "time control",
        group=ENGINE,
        none_means="the match's",
        metavar="TIME",
    )
    threads: int = option(Int(1, 4096), 1, "CPU cores to reserve", group=ENGINE, metavar="N")
    swap_as: SwapSpelling = option(
        OneOfEnum(SwapSpelling),
        SwapSpelling.PASS,
        "word for a swap",
        group=ENGINE,
        metavar="WORD",
    )
    nodes: int | None = option(
        Int(1, 2**31),
        None,
        "maximum nodes per move",
        group=ENGINE,
        none_means="the match's",
        metavar="N",
    )
    ponder: bool | None = option(
        BOOL,
        None,
        "search on the opponent's time",
        group=ENGINE,
        none_means="the match's",
        metavar="true|false",
    )


@dataclass(frozen=True)
class MatchPlan:
    """A match. engines: in the order of the tables. openings: if empty, games start on the empty
    board.
    """

    engines: tuple[EngineConfig, ...]
    openings: tuple[Opening, ...] = ()

    game: str = option(
        WORD, DEFAULT_GAME, "game to play; with --no-referee any word", group=GAME, metavar="NAME"
    )
    size: tuple[int, int] | None = option(
        SIZE, None, "columns and rows", group=GAME, none_means=AS_USUAL, metavar="N|WxH"
    )
    rules: Mapping[str, RuleValue] = field(default_factory=dict)
    options: tuple[tuple[str, str], ...] = option(
        PAIRS,
        (),
        "rules of the game; with --no-referee, commands for both engines: komi=7.5",
        group=GAME,
        metavar="NAME=VALUE",
    )
    referee: bool = option(
        BOOL, True, "check every move by the rules; otherwise the engines score", group=GAME
    )
    time: TimeControl = option(
        TIME,
        TimeControl.per_move(1),
        "time control: 10 (seconds per move), 60+0.5, 10m+0, 60+5x10 (5 byo-yomi periods of 10 s), "
        "60+10/30 (10 moves in 30 s), 60+5 cap 90 move 30 (at most 90 s saved, 30 s per move) or "
        "none; units: ms, s, m, h",
        group=GAME,
        metavar="TIME",
    )
    nodes: int | None = option(
        Int(1, 2**31),
        None,
        "maximum nodes per move, sent by pinchtp-param, kata-set-param or lz-setoption",
        group=GAME,
        none_means="the engines' own",
        metavar="N",
    )
    ponder: bool | None = option(
        BOOL,
        None,
        "search on the opponent's time, set by the same commands as --nodes",
        group=GAME,
        none_means="the engines' own",
    )
    lag: float = option(
        Float(0, 60),
        LAG_BUFFER,
        "time margin in seconds, for all of main time or per overtime period",
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
        "games per pair of engines; a resumed match may get more",
        group=MATCH,
        metavar="M",
        part_of_match=False,
    )
    opening_plies: int | None = option(
        Int(1, 1000),
        None,
        "maximum number of moves of each opening",
        group=MATCH,
        none_means="all",
        metavar="N",
        part_of_match=False,  # it is in the openings themselves
    )
    opening_start: int = option(
        Int(1, 10**7),
        1,
        "number of the first opening to play",
        group=MATCH,
        metavar="N",
    )
    paired: bool = option(
        BOOL,
        True,
        "play each opening twice, with colors reversed; otherwise once",
        group=MATCH,
    )
    shuffle: bool = option(BOOL, False, "shuffle the openings by the seed", group=MATCH)
    seed: int = option(
        Int(0, 2**63 - 1), 0, "seed of the runner's random choices", group=MATCH, metavar="N"
    )
    sprt: Sprt | None = option(
        SPRT,
        None,
        "stop when a sequential test over game pairs decides between two Elo differences: "
        "ELO0,ELO1[,ALPHA,BETA][,MODEL]; the error probabilities are 0.05 and the model is "
        "normalized (or logistic) if not given",
        group=MATCH,
        metavar="E0,E1",
        part_of_match=False,
    )

    resign: ResignRule | None = option(
        RESIGN_RULE,
        None,
        "a side loses when both engines give it a winrate of at most P for N moves in a row",
        group=ENDS,
        metavar="P,N",
    )
    draw: DrawRule | None = option(
        DRAW_RULE,
        None,
        "a game is drawn when both engines evaluate it within P of even for N moves in a row, not "
        "counting moves before move M",
        group=ENDS,
        metavar="P,N[,M]",
    )
    move_cap: int | None = option(
        Int(1, 10**5),
        None,
        "maximum moves per game; longer games are drawn",
        group=ENDS,
        metavar="N",
    )
    solve: float | None = option(
        Float(0.001, 3600),
        None,
        "seconds for the solver to prove a result near the end",
        group=ENDS,
        metavar="S",
    )

    evaluations: bool = option(
        BOOL, True, "ask engines for their winrate if they support it", group=ENGINES
    )
    startup_deadline: float = option(
        SECONDS,
        30.0,
        "seconds for an engine's first response, and for each startup command",
        group=ENGINES,
        metavar="S",
    )
    command_deadline: float = option(
        SECONDS,
        30.0,
        "seconds for a response to a command that does not search",
        group=ENGINES,
        metavar="S",
    )
    move_deadline: float = option(
        SECONDS, 600.0, "seconds for a move without a clock", group=ENGINES, metavar="S"
    )
    grace: float = option(
        SECONDS,
        5.0,
        "seconds beyond its clock before an engine counts as hung",
        group=ENGINES,
        metavar="S",
    )
    memory: int | None = option(
        Megabytes(1, 2**24),
        None,
        "memory limit per engine, in MB or with a unit (2G); an engine above it is killed",
        group=ENGINES,
        metavar="MB",
    )
    void: tuple[Termination, ...] = option(
        FAILURE_TYPES,
        (),
        "failures that make a game void, so that it is replayed: time, illegal, died, ...",
        group=ENGINES,
        metavar="WORDS",
    )
    withdraw: int = option(
        Int(1, 10**6),
        5,
        "consecutive failures, except on time, before an engine is disabled",
        group=ENGINES,
        metavar="K",
        part_of_match=False,
    )

    jobs: int = option(
        Int(1, 4096), 1, "concurrent games", group=RUNNING, metavar="N", part_of_match=False
    )
    pin: bool = option(
        BOOL,
        True,
        "give each game separate CPU cores, shared by both engines",
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
        "match database to create or resume",
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
        "write all commands and responses of each engine to a file in this directory",
        group=FILES,
        metavar="DIR",
        part_of_match=False,
    )
    sgf: Path | None = option(
        PATH,
        None,
        "write the games as SGF to this directory",
        group=FILES,
        metavar="DIR",
        part_of_match=False,
    )

    def __post_init__(self) -> None:
        """Raises PlanError for an invalid match."""
        names = [engine.name for engine in self.engines]
        if len(names) < 2:
            raise PlanError(f"a match needs at least two engines, got {len(names)}")
        for name in names:
            if names.count(name) > 1:
                raise PlanError(f"two engines are named {name!r}: give them different names")
        if self.sprt and len(names) > 2:
            raise PlanError("sprt: a sequential test is for two engines")
        if self.referee and self.game not in GAMES:
            raise PlanError(
                f"unknown game {self.game!r}: {did_you_mean(self.game, GAMES)}; "
                "other games need --no-referee"
            )
        if not self.referee and self.game not in GAMES and self.size is None:
            raise PlanError(f"size: give one, because {self.game!r} is not a game of pinchtp")
        if not self.evaluations:
            for rule in ("resign", "draw"):
                if getattr(self, rule):
                    raise PlanError(f"{rule}: it needs evaluations: drop --no-evaluations")
        if self.solve and not self.referee:
            raise PlanError("solve: the solver needs our rules: drop --no-referee")

    @classmethod
    def of(
        cls,
        engines: Iterable[EngineConfig],
        openings: Iterable[Opening] = (),
        values: Mapping[str, object] = {},
    ) -> Self:
        """Returns a plan. values: of options by name, or their texts. Raises PlanError."""
        read = {name: _read(name, value) for name, value in values.items()}
        if read.get("referee", True):  # then each rule is a separate option
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
    def pairings(self) -> list[tuple[str, str]]:
        """The names of all pairs of engines that play each other."""
        names = [engine.name for engine in self.engines]
        is_gauntlet = self.format is Format.GAUNTLET
        return [
            pairing
            for pairing in combinations(names, 2)
            if not is_gauntlet or pairing[0] == names[0]
        ]

    def time_of(self, engine: EngineConfig) -> TimeControl:
        """Returns the time control of an engine."""
        return engine.time or self.time

    def ponders(self, engine: EngineConfig) -> bool | None:
        """Returns whether an engine ponders; None if that is left to it."""
        return self.ponder if engine.ponder is None else engine.ponder

    def shared_time(self, *names: str) -> TimeControl | None:
        """Returns the time control of these engines, or of all; None if theirs differ."""
        controls = {
            self.time_of(engine) for engine in self.engines if not names or engine.name in names
        }
        return controls.pop() if len(controls) == 1 else None

    @property
    def agreed(self) -> dict[str, str]:
        """The agreed rules, as texts by name; without a referee, commands for both engines."""
        ours = self.rules if self.referee else {}
        return dict(self.options) | {
            name: OPTIONS[name].format(value) for name, value in ours.items()
        }


ENGINE_OPTIONS = options_of(EngineConfig)
OPTIONS = options_of(MatchPlan, rule_options(GAME).values())


def _read(name: str, value: object) -> Any:
    """Returns the value of an option. value: typed, or a text. Raises PlanError."""
    if name not in OPTIONS:
        raise PlanError(f"unknown option {name!r}: {did_you_mean(name, OPTIONS)}")
    try:
        return OPTIONS[name].read(value)
    except ValueError as error:
        raise PlanError(f"{name}: {error}") from None
