"""What a run of learning is: a TOML file with a table for each of its parts.

    game = "pinch"
    generations = 6

    [network]
    channels = 16

    [play]
    games = 3000
    boards = { "9x9" = 4, "7x7" = 1 }

Every key is a field of the classes below and has their default where it is left out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

from pinchtp.base.files import read_file
from pinchtp.base.options import did_you_mean
from pinchtp.games import GAMES

SIZE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})")


class PlanError(ValueError):
    """The file describes no run; the text is for its author."""


@dataclass(frozen=True)
class NetworkPlan:
    """Sizes of the networks, as NetworkShape in the core."""

    channels: int = 16
    blocks: int = 2
    head: int = 16
    hidden: int = 32


@dataclass(frozen=True)
class PlayPlan:
    """How games of self-play are played.

    games: of a generation. boards: columns and rows, and how often each is played. pie: the share
    of games with the pie rule. visits: of a search that teaches. taught: the share of moves whose
    search teaches. quick_visits: of the other searches, which only make a move (playout cap
    randomization; Wu, 2019). random_plies: at the most, at the start, drawn from the network's
    policy or at random. blunders: the share of moves at random later on. drawn_plies: in which a
    move is drawn by its visits. noise: the share of noise in the root's priors where a search
    teaches; its parameter is noise_total over the number of moves. forced_playouts,
    root_temperature: of searches that teach, as `_core.Search` takes them.
    """

    games: int = 3000
    boards: Mapping[str, float] = field(default_factory=lambda: {"9x9": 1.0})
    pie: float = 0.4
    visits: int = 200
    taught: float = 1.0
    quick_visits: int = 100
    random_plies: int = 4
    blunders: float = 0.01
    drawn_plies: int = 12
    noise: float = 0.25
    noise_total: float = 10.0
    forced_playouts: float = 0.0
    root_temperature: float = 1.1

    def sizes(self) -> list[tuple[int, int]]:
        """Columns and rows of the boards."""
        return [size_of(board) for board in self.boards]


@dataclass(frozen=True)
class TrainPlan:
    """How a network is trained.

    window: positions at the most, the newest first. passes: how often each is seen. batch:
    positions a step. rate: of learning, at its highest; further_rate: of a network that goes on
    from the one before. value_of_search: how much the root's value counts in the target beside the
    outcome. surprise: the share of a position's weight that is in proportion to how much the search
    surprised the network. ownership: how much the loss of ownership counts; policy's is 1.
    """

    window: int = 400_000
    passes: float = 2.0
    batch: int = 256
    rate: float = 3e-3
    further_rate: float = 1.5e-3
    value_of_search: float = 0.5
    surprise: float = 0.5
    ownership: float = 0.15


@dataclass(frozen=True)
class GatePlan:
    """How a new network is tried against the best one before it.

    boards: of the matches. pairs: of games on each board. visits: of each move, the same for both.
    plies: random moves of an opening. score: the new network's share of points that it needs.
    """

    boards: tuple[str, ...] = ("9x9", "13x13")
    pairs: int = 40
    visits: int = 300
    plies: int = 3
    score: float = 0.5


@dataclass(frozen=True)
class Plan:
    """A run.

    generations: how many networks. start: the file of a network whose games come first; random
    playouts play them without one, by the table [first]. start_parameters: the file of what that
    network was trained to, without which training begins afresh; both from the plan's folder.
    """

    game: str = "pinch"
    seed: int = 1
    generations: int = 5
    start: str = ""
    start_parameters: str = ""
    network: NetworkPlan = NetworkPlan()
    first: PlayPlan = field(default_factory=lambda: PlayPlan(visits=2000))
    play: PlayPlan = field(default_factory=PlayPlan)
    train: TrainPlan = TrainPlan()
    gate: GatePlan = GatePlan()

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return asdict(self)


def size_of(board: str) -> tuple[int, int]:
    """Columns and rows of `9x9`. Raises PlanError."""
    match = SIZE.fullmatch(board)
    if match is None:
        raise PlanError(f"{board!r}: give a board as columns and rows, 9x9")
    return int(match[1]), int(match[2])


def read_plan(path: Path) -> Plan:
    """The plan in a file. Raises PlanError."""
    try:
        table = tomllib.loads(read_file(path).decode())
    except (OSError, ValueError) as error:
        raise PlanError(f"{path}: {error}") from None
    try:
        plan = plan_from(table)
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from None
    return replace(
        plan,
        start=_beside(path, plan.start),
        start_parameters=_beside(path, plan.start_parameters),
    )


def plan_from(table: Mapping[str, Any], base: Plan | None = None) -> Plan:
    """The plan in a table such as `Plan.as_dict` gives; what it leaves out is as in another plan,
    or has its default. Raises PlanError.
    """
    plan: Plan = _filled(base or Plan(), table, "")
    _check(plan)
    return plan


def _beside(plan: Path, name: str) -> str:
    """A file named in a plan, from the folder of the plan; empty for none."""
    return str((plan.parent / name).resolve()) if name else ""


def _filled(owner: Any, table: Mapping[str, Any], where: str) -> Any:
    """The plan or one of its parts with the values of a table."""
    types = get_type_hints(type(owner))
    names = [each.name for each in fields(owner)]
    values = {}
    for key, value in table.items():
        if key not in names:
            raise PlanError(f"{where}{key} is no key here: {did_you_mean(key, names)}")
        values[key] = _value(getattr(owner, key), types[key], value, f"{where}{key}")
    return replace(owner, **values)


def _value(default: Any, wanted: Any, value: Any, name: str) -> Any:
    if is_dataclass(default) or isinstance(default, Mapping):
        if not isinstance(value, dict):
            raise PlanError(f"{name} is a table")
        return _filled(default, value, f"{name}.") if is_dataclass(default) else dict(value)
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(default, tuple) and isinstance(value, list):
        return tuple(map(str, value))
    if type(value) is not type(default):
        raise PlanError(f"{name} = {value!r}: give a value such as {default!r}")
    return value


def _check(plan: Plan) -> None:
    if plan.game not in GAMES:
        raise PlanError(f"game = {plan.game!r}: {did_you_mean(plan.game, GAMES)}")
    game = GAMES[plan.game]
    for board in (*plan.first.boards, *plan.play.boards, *plan.gate.boards):
        for side in size_of(board):
            if not game.smallest <= side <= game.largest:
                raise PlanError(f"{board!r}: {plan.game} has {game.sizes}")
    for name, amount in (("channels", plan.network.channels), ("head", plan.network.head)):
        if amount <= 0 or amount % 4:
            raise PlanError(f"network.{name} = {amount}: give a multiple of 4")
