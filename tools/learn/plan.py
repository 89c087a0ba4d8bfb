"""The plan of a run: a TOML file with a table for each part.

    game = "pinch"
    generations = 6

    [network]
    channels = 16

    [play]
    games = 3000
    boards = { "9x9" = 4, "7x7" = 1 }

Keys are the fields of the classes below, which also have the defaults and the ranges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from pinchtp.base.option_types import Float, Int, OptionType, toml_text
from pinchtp.base.options import did_you_mean, read_toml
from pinchtp.games import GAMES

SIZE = re.compile(r"([1-9][0-9]?)x([1-9][0-9]?)")
QUAD = 4  # channels per word of the core
MOST = 256  # channels, as kMaxChannels in the core


class PlanError(ValueError):
    """An invalid plan; the text describes the error to its author."""


class Channels(Int):
    """A number of channels that the core supports."""

    def __init__(self) -> None:
        super().__init__(QUAD, MOST)
        self.expected = f"a multiple of {QUAD} from {QUAD} to {MOST}"

    def parse(self, text: str) -> int:
        channels = super().parse(text)
        if channels % QUAD:
            raise ValueError
        return channels


SHARE = Float(0, 1)
RATE = Float(1e-7, 1)
VISITS = Int(1, 10**9)


def within(accepted: OptionType[Any], default: Any) -> Any:
    """Returns a field of a plan with its accepted values."""
    return field(default=default, metadata={"accepted": accepted})


@dataclass(frozen=True)
class NetworkPlan:
    """Dimensions of the networks, as NetworkShape in the core."""

    channels: int = within(Channels(), 16)
    blocks: int = within(Int(0, 64), 2)
    head: int = within(Channels(), 16)
    hidden: int = within(Int(1, MOST), 32)


@dataclass(frozen=True)
class PlayPlan:
    """Settings of self-play games.

    games: per generation. boards: columns and rows, and their relative frequencies. pie: the share
    of games with the pie rule. visits: per search, including those of the tree kept from earlier
    moves. random_plies: at most, at the start, drawn from the network's policy or at random.
    blunders: the share of later random moves. drawn_plies: plies whose move is drawn by visits.
    noise: the share of noise in the root's priors; its parameter is noise_total divided by the
    number of moves of the opening. root_temperature: as in `_core.Search`.
    """

    games: int = within(Int(1, 1_000_000), 3000)
    boards: Mapping[str, float] = field(default_factory=lambda: {"9x9": 1.0})
    pie: float = within(SHARE, 0.4)
    visits: int = within(VISITS, 200)
    random_plies: int = within(Int(0, 10_000), 4)
    blunders: float = within(Float(0, 0.9), 0.01)
    drawn_plies: int = within(Int(0, 10_000), 12)
    noise: float = within(SHARE, 0.25)
    noise_total: float = within(Float(0.01, 1000), 10.0)
    root_temperature: float = within(Float(0.1, 10), 1.1)


@dataclass(frozen=True)
class TrainPlan:
    """Settings of training.

    window: the newest positions, at most. passes: over each position. batch: positions per step.
    rate: AdamW's highest learning rate; Muon's is MUON_RATE of train.py times as high.
    further_rate: for a network that continues from the previous one. value_of_search: weight of the
    root's value in the value target, next to the outcome. surprise: the share of a position's
    weight that is proportional to the search's surprise. ownership: weight of the ownership loss;
    the policy loss has weight 1. pruned: the share of the blocks' weights that become zero, by
    pruning.py.
    """

    window: int = within(Int(1, 10**9), 400_000)
    passes: float = within(Float(0.01, 1000), 2.0)
    batch: int = within(Int(8, 4096), 64)
    rate: float = within(RATE, 3e-3)
    further_rate: float = within(RATE, 6e-4)
    value_of_search: float = within(SHARE, 0.5)
    surprise: float = within(SHARE, 0.5)
    ownership: float = within(Float(0, 100), 0.15)
    pruned: float = within(Float(0, 0.9), 0.0)


@dataclass(frozen=True)
class GatePlan:
    """Settings of the match of a new network against the best one.

    boards: of the matches. pairs: of games per board, at most one per balanced opening; with 0,
    every network is accepted without a match. visits: per move, for both. plies: random moves of an
    opening. score: the share of points that the new network must exceed.
    """

    boards: tuple[str, ...] = ("9x9", "13x13")
    pairs: int = within(Int(0, 100_000), 40)
    visits: int = within(VISITS, 300)
    plies: int = within(Int(1, 1000), 3)
    score: float = within(SHARE, 0.5)


@dataclass(frozen=True)
class Plan:
    """A run.

    generations: number of networks. start: the file of a network that plays the first games;
    without it, playouts play them with the settings [first]. start_parameters: the file with the
    initial parameters of training, relative to the plan: those of that network, or of one with the
    same `network` for a game whose planes are the first ones of this game; default: random.
    """

    game: str = "pinch"
    seed: int = within(Int(0, 2**63 - 1), 1)
    generations: int = within(Int(1, 1000), 5)
    start: str = ""
    start_parameters: str = ""
    network: NetworkPlan = NetworkPlan()
    first: PlayPlan = field(default_factory=lambda: PlayPlan(visits=2000))
    play: PlayPlan = field(default_factory=PlayPlan)
    train: TrainPlan = TrainPlan()
    gate: GatePlan = GatePlan()


def size_of(board: str) -> tuple[int, int]:
    """Parses columns and rows such as `9x9`. Raises PlanError."""
    match = SIZE.fullmatch(board)
    if match is None:
        raise PlanError(f"{board!r}: expected columns and rows, such as 9x9")
    return int(match[1]), int(match[2])


def read_plan(path: Path) -> Plan:
    """Reads a plan from a file. Raises PlanError."""
    try:
        plan = plan_from(read_toml(path))
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from None
    except OSError as error:
        raise PlanError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise PlanError(str(error)) from None
    return replace(
        plan,
        start=_resolve(path, plan.start),
        start_parameters=_resolve(path, plan.start_parameters),
    )


def plan_from(table: Mapping[str, Any], base: Plan | None = None) -> Plan:
    """Returns the plan in a table of its fields. Raises PlanError.

    Missing keys are taken from `base` or from the defaults.
    """
    plan: Plan = _filled(base or Plan(), table, "")
    _check(plan)
    return plan


def _resolve(plan: Path, name: str) -> str:
    """Returns the path of a file in a plan, relative to the plan; empty if there is none."""
    return str((plan.parent / name).resolve()) if name else ""


def _filled(owner: Any, table: Mapping[str, Any], where: str) -> Any:
    """Returns the plan or one of its parts with the values of a table."""
    known = {each.name: each for each in fields(owner)}
    values = {}
    for key, value in table.items():
        if key not in known:
            raise PlanError(f"unknown key {where}{key}: {did_you_mean(key, known)}")
        accepted = known[key].metadata.get("accepted")
        values[key] = _value(getattr(owner, key), accepted, value, f"{where}{key}")
    return replace(owner, **values)


def _value(default: Any, accepted: OptionType[Any] | None, value: Any, name: str) -> Any:
    if is_dataclass(default) or isinstance(default, Mapping):
        if not isinstance(value, dict):
            raise PlanError(f"{name}: expected a table")
        return (
            _filled(default, value, f"{name}.") if is_dataclass(default) else _shares(value, name)
        )
    if isinstance(default, tuple) and isinstance(value, list):
        return tuple(map(str, value))
    if accepted is not None:
        return _number(accepted, value, name)
    if type(value) is not type(default):
        raise PlanError(f"{name} = {_toml(value)}: expected a value such as {_toml(default)}")
    return value


def _toml(value: object) -> str:
    """Returns a value as in TOML."""
    if isinstance(value, bool):
        return toml_text(value)
    return repr(list(value) if isinstance(value, tuple) else value)


def _number(accepted: OptionType[Any], value: object, name: str) -> Any:
    try:
        if isinstance(value, int | float):
            return accepted.read(value)
    except ValueError:
        pass
    raise PlanError(f"{name} = {_toml(value)}: give {accepted.expected}")


def _shares(table: Mapping[str, Any], name: str) -> dict[str, float]:
    """Returns the boards of games with their frequencies."""
    accepted = Float(0, 1e9)
    shares = {board: _number(accepted, share, f"{name}.{board}") for board, share in table.items()}
    if not any(shares.values()):
        raise PlanError(f'{name}: expected boards with their frequencies, such as {{ "9x9" = 1 }}')
    return shares


def _check(plan: Plan) -> None:
    """Raises PlanError for inconsistent values."""
    if plan.game not in GAMES:
        raise PlanError(f"game = {plan.game!r}: {did_you_mean(plan.game, GAMES)}")
    game = GAMES[plan.game]
    for board in (*plan.first.boards, *plan.play.boards, *plan.gate.boards):
        for side in size_of(board):
            if not game.smallest <= side <= game.largest:
                raise PlanError(f"{board!r}: {plan.game} has {game.sizes}")
    if not plan.gate.boards or len(set(plan.gate.boards)) < len(plan.gate.boards):
        raise PlanError(f"gate.boards = {_toml(plan.gate.boards)}: give boards, each once")
    if plan.train.window < plan.train.batch:
        raise PlanError(
            f"train.window = {plan.train.window}: a single batch has {plan.train.batch} positions"
        )
