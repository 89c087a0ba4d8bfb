"""The plan of a run: a TOML file with a table for each part.

    game = "pinch"
    generations = 6

    [network]
    channels = 16

    [play]
    games = 3000
    boards = { "9x9" = 4, "7x7" = 1 }

Keys are the fields of the classes below, which also have the defaults.
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
    """An invalid plan; the text is for its author."""


@dataclass(frozen=True)
class NetworkPlan:
    """Sizes of the networks, as NetworkShape in the core."""

    channels: int = 16
    blocks: int = 2
    head: int = 16
    hidden: int = 32


@dataclass(frozen=True)
class PlayPlan:
    """Settings of self-play games.

    games: per generation. boards: columns and rows, and their relative frequencies. pie: the share
    of games with the pie rule. visits: of a search, with those of the tree kept from earlier moves.
    random_plies: at most, at the start, drawn from the network's policy or at random. blunders: the
    share of later random moves. drawn_plies: plies whose move is drawn by visits. noise: the share
    of noise in the root's priors; its parameter is noise_total over the number of moves of the
    opening. root_temperature: as in `_core.Search`.
    """

    games: int = 3000
    boards: Mapping[str, float] = field(default_factory=lambda: {"9x9": 1.0})
    pie: float = 0.4
    visits: int = 200
    random_plies: int = 4
    blunders: float = 0.01
    drawn_plies: int = 12
    noise: float = 0.25
    noise_total: float = 10.0
    root_temperature: float = 1.1

    def sizes(self) -> list[tuple[int, int]]:
        """Returns columns and rows of the boards."""
        return [size_of(board) for board in self.boards]


@dataclass(frozen=True)
class TrainPlan:
    """Settings of training.

    window: positions, at most, the newest first. passes: over each position. batch: positions per
    step. rate: the highest learning rate; further_rate: of a network that continues from the
    previous one. value_of_search: weight of the root's value in the value target, next to the
    outcome. surprise: the share of a position's weight that is proportional to the search's
    surprise. ownership: weight of the ownership loss; the policy loss has weight 1.
    """

    window: int = 400_000
    passes: float = 2.0
    batch: int = 64
    rate: float = 3e-3
    further_rate: float = 1.5e-3
    value_of_search: float = 0.5
    surprise: float = 0.5
    ownership: float = 0.15


@dataclass(frozen=True)
class GatePlan:
    """Settings of the match of a new network against the best one.

    boards: of the matches. pairs: of games per board; with 0, every network is accepted without a
    match. visits: per move, for both.
    plies: random moves of an opening. score: the share of points that the new network needs.
    """

    boards: tuple[str, ...] = ("9x9", "13x13")
    pairs: int = 40
    visits: int = 300
    plies: int = 3
    score: float = 0.5


@dataclass(frozen=True)
class Plan:
    """A run.

    generations: number of networks. start: the file of a network that plays the first games;
    without it, playouts play them by the table [first]. start_parameters: file of that
    network's parameters, relative to the plan; default: training starts from scratch.
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
        """Returns the plan for JSON."""
        return asdict(self)


def size_of(board: str) -> tuple[int, int]:
    """Parses columns and rows such as `9x9`. Raises PlanError."""
    match = SIZE.fullmatch(board)
    if match is None:
        raise PlanError(f"{board!r}: expected columns and rows, such as 9x9")
    return int(match[1]), int(match[2])


def read_plan(path: Path) -> Plan:
    """Reads a plan from a file. Raises PlanError."""
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
    """Returns the plan in a table as of `Plan.as_dict`; missing keys are taken from `base` or from
    the defaults. Raises PlanError.
    """
    plan: Plan = _filled(base or Plan(), table, "")
    _check(plan)
    return plan


def _beside(plan: Path, name: str) -> str:
    """Returns the path of a file named in a plan, relative to the plan; empty for none."""
    return str((plan.parent / name).resolve()) if name else ""


def _filled(owner: Any, table: Mapping[str, Any], where: str) -> Any:
    """Returns the plan or one of its parts with the values of a table."""
    types = get_type_hints(type(owner))
    names = [each.name for each in fields(owner)]
    values = {}
    for key, value in table.items():
        if key not in names:
            raise PlanError(f"unknown key {where}{key}: {did_you_mean(key, names)}")
        values[key] = _value(getattr(owner, key), types[key], value, f"{where}{key}")
    return replace(owner, **values)


def _value(default: Any, wanted: Any, value: Any, name: str) -> Any:
    if is_dataclass(default) or isinstance(default, Mapping):
        if not isinstance(value, dict):
            raise PlanError(f"{name}: expected a table")
        return _filled(default, value, f"{name}.") if is_dataclass(default) else dict(value)
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(default, tuple) and isinstance(value, list):
        return tuple(map(str, value))
    if type(value) is not type(default):
        raise PlanError(f"{name} = {value!r}: expected a value such as {default!r}")
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
            raise PlanError(f"network.{name} = {amount}: expected a multiple of 4")
