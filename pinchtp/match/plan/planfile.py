"""Plans from match files (TOML) and from flags, which have the same names and win over the file.

game = "pinch"
size = 9
games = 200
time = "60+0.5"

[engines.new]
command = "pinchtp --threads 2"
threads = 2
environment = { OMP_NUM_THREADS = "2" }

[engines]
old = "./old-pinchtp"       # a command alone
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pinchtp.clock import TimeControl
from pinchtp.match.game.task import EngineSpec, Opening
from pinchtp.match.plan.openings import check_opening, parse_openings, read_openings
from pinchtp.match.plan.plan import OPTIONS, MatchPlan, PlanError
from pinchtp.match.plan.time_control import format_time, parse_time
from pinchtp.notation import SwapSpelling
from pinchtp.options import Member, Whole, did_you_mean

ENGINES, OPENINGS = "engines", "openings"
KEYS = (*OPTIONS, ENGINES, OPENINGS)

_NAME = "letters, digits, '.', '_', '+' and '-'"
_SWAP = Member(SwapSpelling)


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ValueError(f"{text!r}: give VARIABLE=VALUE")
    return name, value


# What one engine can be told, by key: the field of EngineSpec, and how its text is read.
ENGINE_OPTIONS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "command": ("command", str),
    "folder": ("folder", str),
    "environment": ("environment", _variable),
    "startup": ("startup", str),
    "time": ("control", parse_time),
    "threads": ("threads", Whole(1, 4096).read),
    "swap-as": ("swap_as", _SWAP.read),
}


@dataclass
class Draft:
    """A plan in the making: what was said so far, the later word winning.

    engines: by name, values by field of EngineSpec. openings: a file or folder, or lines of a text
    list. values: of options, by name.
    """

    engines: dict[str, dict[str, Any]] = field(default_factory=dict)
    openings: str | Sequence[str] | None = None
    values: dict[str, Any] = field(default_factory=dict)

    def load(self, path: Path) -> None:
        """Takes in a match file. Raises PlanError that names file, key and what would be right."""
        try:
            values = tomllib.loads(path.read_text("utf-8"))
        except OSError as error:
            raise PlanError(f"{path}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PlanError(f"{path} is no TOML file: {error}") from None
        try:
            for key, value in values.items():
                self.set(key, value)
        except PlanError as error:
            raise PlanError(f"{path}: {error}") from None

    def set(self, key: str, value: Any) -> None:
        """Takes in an option as a match file has it. Raises PlanError."""
        if key == ENGINES:
            for name, each in _table(ENGINES, value).items():
                table = {"command": each} if isinstance(each, str) else _table(name, each)
                for option, text in table.items():
                    self._set_engine(name, option, text)
        elif key == OPENINGS:
            if not isinstance(value, str | list):
                raise PlanError(f"openings: {value!r}: give a file, a folder or a list of lines")
            self.openings = value
        elif key in OPTIONS:
            try:
                self.values[key] = OPTIONS[key].read(value)
            except ValueError as error:
                raise PlanError(f"{key}: {error}") from None
        else:
            raise PlanError(f"unknown key {key!r}: {did_you_mean(key, KEYS)}")

    def add_engine(self, name: str, engine: EngineSpec) -> None:
        """Takes in an engine as a value, under this name."""
        self.engines[name] = {key: each for key, each in vars(engine).items() if key != "name"}

    def set_engine(self, text: str) -> None:
        """Takes in `NAME=COMMAND` or `NAME.OPTION=VALUE`. Raises PlanError."""
        left, equals, value = text.partition("=")
        name, _, key = left.rpartition(".")
        if not equals:
            raise PlanError(f"engine: {text!r}: give NAME='COMMAND' or NAME.OPTION=VALUE")
        if name and key in ENGINE_OPTIONS:
            self._set_engine(name, key, value)
        else:
            self._set_engine(left, "command", value)

    def plan(self) -> MatchPlan:
        """Reads the openings and checks it all. Raises PlanError."""
        engines = [_engine(name, values) for name, values in self.engines.items()]
        plan = MatchPlan.from_texts(engines, texts=self.values)
        try:
            openings = self._openings(plan)
        except ValueError as error:  # of a size that the game does not have
            raise PlanError(str(error)) from None
        return MatchPlan.from_texts(engines, openings, self.values)

    def _openings(self, plan: MatchPlan) -> tuple[Opening, ...]:
        if self.openings is None:
            check_opening(Opening("none"), plan.rules())
            return ()
        if isinstance(self.openings, str):
            return read_openings(Path(self.openings), plan.rules(), plan.opening_plies)
        return parse_openings(self.openings, plan.rules(), OPENINGS)

    def _set_engine(self, name: str, key: str, value: Any) -> None:
        if not name or not all(letter.isalnum() or letter in "._+-" for letter in name):
            raise PlanError(f"engine {name!r}: a name has {_NAME}")
        if key not in ENGINE_OPTIONS:
            raise PlanError(
                f"engine {name}: unknown key {key!r}: {did_you_mean(key, ENGINE_OPTIONS)}"
            )
        attribute, read = ENGINE_OPTIONS[key]
        values = self.engines.setdefault(name, {})
        try:
            if attribute == "environment":
                pairs = value.items() if isinstance(value, dict) else [read(value)]
                values.setdefault(attribute, {}).update((k, str(v)) for k, v in pairs)
            elif attribute == "startup":
                lines = value if isinstance(value, list) else [value]
                values[attribute] = (*values.get(attribute, ()), *map(read, lines))
            else:
                values[attribute] = read(_text(key, value))
        except ValueError as error:
            raise PlanError(f"engine {name}: {key}: {error}") from None


def _engine(name: str, values: Mapping[str, Any]) -> EngineSpec:
    if not values.get("command", "").strip():
        raise PlanError(f"engine {name}: it has no command: give {name}='COMMAND'")
    return EngineSpec(name, **values)


def _table(key: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise PlanError(f"{key}: {value!r}: give a table")
    return value


def _text(key: str, value: Any) -> str:
    """A value of TOML as the text that a flag would have."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return ",".join(f"{name}={_text(name, each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ("x" if key == "size" else ",").join(_text(key, each) for each in value)
    if isinstance(value, TimeControl):
        return format_time(value)
    return str(value)
