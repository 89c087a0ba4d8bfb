"""Plans from match files (TOML) and from flags, which have the same names and win over the file.

game = "pinch"
size = 9
games = 200
time = "60+0.5"

[engines.new]
command = "pinchtp --threads 2"     # or ["pinchtp", "--threads", "2"]
threads = 2
environment = { OMP_NUM_THREADS = "2" }

[engines]
old = "./old-pinchtp"       # a command alone
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict

import msgspec

from pinchtp.base.options import Option, closest, did_you_mean, kebab_case, read_toml
from pinchtp.match.openings import check_opening, parse_openings, read_openings
from pinchtp.match.plan import ENGINE_OPTIONS, OPTIONS, EngineConfig, MatchPlan, PlanError
from pinchtp.match.record import Opening

ENGINES, OPENINGS, COMMAND = "engines", "openings", "command"
KEYS = (*OPTIONS, ENGINES, OPENINGS)

SQLITE = b"SQLite format 3\0"  # what stores begin with

_NAME = "letters, digits, '.', '_', '+' and '-'"


@dataclass
class PlanBuilder:
    """A plan in the making: what was said so far, the later word winning.

    engines: by name, values by field of EngineConfig. openings: a file or folder, or lines of a
    text list. values: of options, by name. Names may be spelled with `_` for `-`, as in Python;
    messages repeat them as they were given.
    """

    engines: dict[str, dict[str, Any]] = field(default_factory=dict)
    openings: str | Sequence[str] | None = None
    values: dict[str, Any] = field(default_factory=dict)

    def load(self, path: Path) -> None:
        """Takes in a match file. Raises PlanError that names file, key and what would be right."""
        try:
            values = read_toml(path)
        except (OSError, ValueError) as error:
            if _is_store(path):
                raise PlanError(
                    f"{path} is a store, no match file: `pinchtp match show {path}` shows it"
                ) from None
            why = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
            raise PlanError(why) from None
        try:
            for key, value in values.items():
                self.set(key, value)
        except PlanError as error:
            raise PlanError(f"{path}: {error}") from None

    def set(self, key: str, value: Any) -> None:
        """Takes in an option, as a match file or a program has it. Raises PlanError."""
        if key == ENGINES:
            for name, each in _table(ENGINES, value).items():
                table = each if isinstance(each, dict) else {COMMAND: each}
                for option, given in table.items():
                    self._set_engine(name, option, given)
        elif key == OPENINGS:
            if not isinstance(value, str | list):
                raise PlanError(f"openings: {value!r}: give a file, a folder or a list of lines")
            self.openings = value
        elif option := OPTIONS.get(kebab_case(key)):
            try:
                self.values[option.name] = option.read(value)
            except ValueError as error:
                raise PlanError(f"{key}: {error}") from None
        else:
            raise PlanError(f"unknown key {key!r}: {_hint(key)}")

    def add_engine(self, name: str, engine: EngineConfig) -> None:
        """Takes in an engine as a value, under this name."""
        self.engines[name] = {key: each for key, each in vars(engine).items() if key != "name"}

    def set_engines(self, texts: Sequence[str]) -> None:
        """Takes in texts `NAME=COMMAND` and `NAME.OPTION=VALUE`. Raises PlanError."""
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
            if name in names and closest(kebab_case(key), ENGINE_OPTIONS):
                raise PlanError(
                    f"{_unknown_key(name, key)} (or, if {left!r} is to be an engine, there can be "
                    f"none named {name!r})"
                )
            if left in commanded:
                raise PlanError(f"engine {left}: two engines have this name: give each its own")
            commanded.add(left)
            self._set_engine(left, COMMAND, value)

    def plan(self) -> MatchPlan:
        """Reads the openings and checks it all. Raises PlanError."""
        engines = [_engine(name, values) for name, values in self.engines.items()]
        plan = MatchPlan.of(engines, values=self.values)
        try:
            return replace(plan, openings=self._openings(plan))
        except ValueError as error:  # of a size that the game does not have
            raise PlanError(str(error)) from None

    def _openings(self, plan: MatchPlan) -> tuple[Opening, ...]:
        if self.openings is None:
            check_opening(Opening("none"), plan)
            return ()
        if isinstance(self.openings, str):
            return read_openings(Path(self.openings), plan, plan.opening_plies)
        return parse_openings(self.openings, plan, OPENINGS)

    def _set_engine(self, name: str, key: str, value: Any) -> None:
        if not name or not all(letter.isalnum() or letter in "._+-" for letter in name):
            raise PlanError(f"engine {name!r}: a name has {_NAME}")
        option = ENGINE_OPTIONS.get(kebab_case(key))
        if option is None:
            raise PlanError(_unknown_key(name, key))
        values = self.engines.setdefault(name, {})
        try:
            read = option.read(value)
        except ValueError as error:
            raise PlanError(f"engine {name}: {key}: {error}") from None
        earlier = values.get(option.attribute)
        values[option.attribute] = read if earlier is None else option.type.add(earlier, read)


def _unknown_key(name: str, key: str) -> str:
    return f"engine {name}: unknown key {key!r}: {did_you_mean(key, ENGINE_OPTIONS)}"


def _engine(name: str, values: Mapping[str, Any]) -> EngineConfig:
    if not values.get("command", "").strip():
        raise PlanError(f"engine {name}: it has no command: give {name}='COMMAND'")
    return EngineConfig(name, **values)


def _hint(key: str) -> str:
    return "--quiet is a flag only" if key == "quiet" else did_you_mean(key, KEYS)


def _is_store(path: Path) -> bool:
    with suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                return file.read(len(SQLITE)) == SQLITE
    return False


def _table(key: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise PlanError(f"{key}: {value!r}: give a table")
    return value


def to_json(plan: MatchPlan) -> str:
    """Returns the text that from_json reads: values of options as texts."""
    plain = {
        "engines": [
            {"name": engine.name}
            | {name: each.format(_value(engine, each)) for name, each in ENGINE_OPTIONS.items()}
            for engine in plan.engines
        ],
        "openings": plan.openings,
        "options": {name: each.format(plan.value(each)) for name, each in OPTIONS.items()},
    }
    return msgspec.json.encode(plain).decode()


def from_json(text: str) -> MatchPlan:
    """Returns the plan that to_json wrote.

    Raises PlanError for values that an option does not have.
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
    values = {each: ENGINE_OPTIONS[each].read(text) for each, text in texts.items()}
    return EngineConfig(name, **{ENGINE_OPTIONS[each].attribute: values[each] for each in values})


def plan_differences(plan: MatchPlan, before: MatchPlan) -> list[str]:
    """Returns what keeps a plan from going on with the match of another, as phrases with both
    values.

    More engines may follow those of the other.
    """
    found = list(_engine_differences(plan.engines, before.engines))
    found += _opening_differences(plan.openings, before.openings)
    for name, each in OPTIONS.items():
        ours, theirs = plan.value(each), before.value(each)
        if each.part_of_match and ours != theirs:
            found.append(f"{name} is {each.format(ours)}, not {each.format(theirs)}")
    return found


def _opening_differences(ours: Sequence[Opening], theirs: Sequence[Opening]) -> Iterator[str]:
    """Their names do not matter, which tell where they came from."""
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
        for name, each in ENGINE_OPTIONS.items():
            a, b = _value(one, each), _value(other, each)
            if a != b:
                yield f"{one.name}'s {name} is {each.format(a)!r}, not {each.format(b)!r}"
