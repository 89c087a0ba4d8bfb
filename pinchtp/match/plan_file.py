"""Plans from match files (TOML) and from flags, which have the same names and override the file.

game = "pinch"
size = 9
games = 200
time = "60+0.5"

[each]                      # options of every engine
startup = "komi 0"

[engines.new]
command = "pinchtp --threads 2"     # or ["pinchtp", "--threads", "2"]
threads = 2
environment = { OMP_NUM_THREADS = "2" }

[engines]
old = "./old-pinchtp"       # a command alone
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict

import msgspec

from pinchtp.base.option_types import NUL, PATH
from pinchtp.base.options import Option, did_you_mean, kebab_case, read_toml
from pinchtp.match.openings import check_opening, parse_openings, read_openings
from pinchtp.match.plan import ENGINE_OPTIONS, OPTIONS, EngineConfig, MatchPlan, PlanError
from pinchtp.match.record import Opening

ENGINES = "engines"
EACH = "each"
OPENINGS = "openings"
COMMAND = "command"
KEYS = (*OPTIONS, ENGINES, EACH, OPENINGS)

SQLITE = b"SQLite format 3\0"  # the first bytes of a store

_NAME = "letters, digits, '.', '_', '+' and '-'"
_NOT_IN_NAMES = re.compile(r"[^\w.+-]")


@dataclass
class PlanBuilder:
    """Collects the parts of a plan; later values override earlier ones.

    engines: by name, with values by field of EngineConfig. each: values for all engines. openings:
    a file or directory, or lines of a text list. values: of options, by name. Names may have `_`
    for `-`, as in Python; messages quote them as given.
    """

    engines: dict[str, dict[str, Any]] = field(default_factory=dict)
    each: dict[str, Any] = field(default_factory=dict)
    openings: str | Sequence[str] | None = None
    values: dict[str, Any] = field(default_factory=dict)

    def load(self, path: Path) -> None:
        """Adds a match file. Raises PlanError with the file, the key and a remedy."""
        try:
            values = read_toml(path)
        except (OSError, ValueError) as error:
            if _is_store(path):
                raise PlanError(
                    f"{path} is a match database, not a match config: `pinchtp match show {path}` "
                    "shows it"
                ) from None
            why = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
            raise PlanError(why) from None
        try:
            for key, value in values.items():
                self.set(key, _from_file(path, key, value))
        except PlanError as error:
            raise PlanError(f"{path}: {error}") from None

    def set(self, key: str, value: Any) -> None:
        """Sets an option from a match file or a program. Raises PlanError."""
        if key == ENGINES:
            for name, engine in _table(ENGINES, value).items():
                table = engine if isinstance(engine, dict) else {COMMAND: engine}
                for option, given in table.items():
                    self._set_engine(name, option, given)
        elif key == EACH:
            for option, given in _table(EACH, value).items():
                _set(self.each, EACH, option, given)
        elif key == OPENINGS:
            _check_openings(value)
            self.openings = value
        elif option := OPTIONS.get(kebab_case(key)):
            try:
                self.values[option.name] = option.read(value)
            except ValueError as error:
                raise PlanError(f"{key}: {error}") from None
        else:
            raise PlanError(f"unknown key {key!r}: {_hint(key)}")

    def add_engine(self, name: str, engine: EngineConfig) -> None:
        """Adds an engine under this name. Its fields at their defaults count as not given."""
        self.engines[name] = {
            option.attribute: value
            for option in ENGINE_OPTIONS.values()
            if (value := _value(engine, option)) != option.default
        }

    def set_engines(self, texts: Sequence[str]) -> None:
        """Adds texts `NAME=COMMAND` and `NAME.OPTION=VALUE`. Raises PlanError."""
        names = {*self.engines, *(text.partition("=")[0] for text in texts)}
        commanded: set[str] = set()
        for text in texts:
            left, equals, value = text.partition("=")
            if not equals:
                raise PlanError(f"engine: {text!r}: give NAME='COMMAND' or NAME.OPTION=VALUE")
            name, _, key = left.rpartition(".")
            if name and kebab_case(key) in ENGINE_OPTIONS:
                self._set_engine(name, key, value)
                continue
            if name in names and key.replace("_", "").replace("-", "").isalpha():  # v1.1 is a name
                unknown = _unknown_key(f"engine {name}", key)
                raise PlanError(f"{unknown} (no engine can be named {left!r} if one is {name!r})")
            if left in commanded:
                raise PlanError(
                    f"engine {left}: two engines have this name: give them different names"
                )
            commanded.add(left)
            self._set_engine(left, COMMAND, value)

    def set_each(self, texts: Sequence[str]) -> None:
        """Adds texts `OPTION=VALUE` for all engines. Raises PlanError."""
        for text in texts:
            key, equals, value = text.partition("=")
            if not equals:
                raise PlanError(f"each: {text!r}: give OPTION=VALUE")
            _set(self.each, EACH, key, value)

    @property
    def openings_path(self) -> Path | None:
        """The file or directory of the openings; None if they are not read from one."""
        return Path(self.openings) if isinstance(self.openings, str) else None

    def plan(self) -> MatchPlan:
        """Reads the openings and checks the plan. Raises PlanError."""
        engines = [
            _engine(name, _merge(self.each, values)) for name, values in self.engines.items()
        ]
        plan = MatchPlan.of(engines, values=self.values)
        try:
            openings = self._openings(plan)
        except ValueError as error:  # of an invalid board size
            raise PlanError(str(error)) from None
        if plan.opening_start > max(len(openings), 1):
            most = f"at most {len(openings)}, their number" if openings else "--openings too"
            raise PlanError(f"opening-start: {plan.opening_start}: give {most}")
        return replace(plan, openings=openings)

    def _openings(self, plan: MatchPlan) -> tuple[Opening, ...]:
        if self.openings is None:
            check_opening(Opening("none"), plan)
            return ()
        if self.openings_path is not None:
            return read_openings(self.openings_path, plan)
        return parse_openings(self.openings, plan, OPENINGS)

    def _set_engine(self, name: str, key: str, value: Any) -> None:
        if not name or _NOT_IN_NAMES.search(name):
            raise PlanError(f"engine {name!r}: invalid name: give {_NAME}")
        _set(self.engines.setdefault(name, {}), f"engine {name}", key, value)


def _check_openings(value: Any) -> None:
    """Raises PlanError unless the value is a file, a directory or a list of lines."""
    lines = [value] if isinstance(value, str) else value
    is_list = isinstance(lines, list | tuple) and all(isinstance(line, str) for line in lines)
    if not is_list or value == "":  # which would be the current directory
        raise PlanError(f"openings: {value!r}: give a file, a directory or a list of lines")
    if any(NUL in line for line in lines):
        raise PlanError(f"openings: {value!r}: a NUL character is not part of a name or move")


def valid_name(name: str) -> str:
    """Returns a valid name of an engine: the given one, with `_` for other characters."""
    return _NOT_IN_NAMES.sub("_", name)


def _set(values: dict[str, Any], where: str, key: str, value: Any) -> None:
    """Sets an option of an engine. where: for messages. Raises PlanError."""
    option = ENGINE_OPTIONS.get(kebab_case(key))
    if option is None:
        raise PlanError(_unknown_key(where, key))
    try:
        read = option.read(value)
    except ValueError as error:
        raise PlanError(f"{where}: {key}: {error}") from None
    values |= _merge(values, {option.attribute: read})


def _merge(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of both. A later value is added to an earlier one, or overrides it."""
    merged = {**earlier, **later}
    for option in ENGINE_OPTIONS.values():
        name = option.attribute
        if earlier.get(name) is not None and later.get(name) is not None:
            merged[name] = option.type.add(earlier[name], later[name])
    return merged


def _unknown_key(where: str, key: str) -> str:
    return f"{where}: unknown key {key!r}: {did_you_mean(key, ENGINE_OPTIONS)}"


def _engine(name: str, values: Mapping[str, Any]) -> EngineConfig:
    if not values.get("command", "").strip():
        raise PlanError(f"engine {name}: no command: give {name}='COMMAND'")
    return EngineConfig(name, **values)


def _hint(key: str) -> str:
    return "--quiet is a flag only" if key == "quiet" else did_you_mean(key, KEYS)


def _is_store(path: Path) -> bool:
    with suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                return file.read(len(SQLITE)) == SQLITE
    return False


def _from_file(path: Path, key: str, value: Any) -> Any:
    """Returns a value of a match file; file names are relative to its directory."""
    option = OPTIONS.get(kebab_case(key))
    is_name = key == OPENINGS or bool(option and option.type is PATH)
    return str(path.parent / value) if is_name and isinstance(value, str) and value else value


def _table(key: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise PlanError(f"{key}: {value!r}: give a table")
    return value


def to_json(plan: MatchPlan) -> str:
    """Returns the plan as JSON for from_json, with option values as texts."""
    plain = {
        "engines": [
            {"name": engine.name}
            | {
                name: option.format(_value(engine, option))
                for name, option in ENGINE_OPTIONS.items()
            }
            for engine in plan.engines
        ],
        "openings": plan.openings,
        "options": {name: option.format(plan.value(option)) for name, option in OPTIONS.items()},
    }
    return msgspec.json.encode(plain).decode()


def from_json(text: str) -> MatchPlan:
    """Returns the plan from JSON by to_json.

    Raises PlanError for invalid values of options.
    """
    data = msgspec.json.decode(text, type=_StoredPlan)
    return MatchPlan.of(
        [_engine_of(**engine) for engine in data["engines"]], data["openings"], data["options"]
    )


class _StoredPlan(TypedDict):
    engines: list[dict[str, str]]
    openings: list[Opening]
    options: dict[str, str]


def _value(engine: EngineConfig, option: Option) -> Any:
    return getattr(engine, option.attribute)


def _engine_of(name: str, **texts: str) -> EngineConfig:
    values = {option: ENGINE_OPTIONS[option].read(text) for option, text in texts.items()}
    return EngineConfig(
        name, **{ENGINE_OPTIONS[value].attribute: values[value] for value in values}
    )


def plan_differences(plan: MatchPlan, before: MatchPlan) -> list[str]:
    """Returns the differences that prevent a plan from resuming a match, with both values.

    The plan may have further engines after those of the stored plan.
    """
    differences = list(_engine_differences(plan.engines, before.engines))
    differences += _opening_differences(plan.openings, before.openings)
    for name, option in OPTIONS.items():
        ours = plan.value(option)
        theirs = before.value(option)
        if option.part_of_match and ours != theirs:
            differences.append(f"{name} is {option.format(ours)}, not {option.format(theirs)}")
    return differences


def _opening_differences(ours: Sequence[Opening], theirs: Sequence[Opening]) -> Iterator[str]:
    """Yields the first difference. Names are ignored: they are file names and line numbers."""
    if len(ours) != len(theirs):
        yield f"other openings ({len(ours)}, not {len(theirs)})"
        return
    for number, (one, other) in enumerate(zip(ours, theirs, strict=True), 1):
        if one.moves != other.moves:
            yield f"opening {number} is {' '.join(one.moves)}, not {' '.join(other.moves)}"
            return


def _engine_differences(
    ours: Sequence[EngineConfig], theirs: Sequence[EngineConfig]
) -> Iterator[str]:
    names = [engine.name for engine in ours], [engine.name for engine in theirs]
    if names[0][: len(names[1])] != names[1]:
        yield f"the engines are {', '.join(names[0])}, not {', '.join(names[1])}"
        return
    for one, other in zip(ours, theirs, strict=False):
        for name, option in ENGINE_OPTIONS.items():
            a = _value(one, option)
            b = _value(other, option)
            if a != b:
                yield f"{one.name}'s {name} is {option.format(a)!r}, not {option.format(b)!r}"
