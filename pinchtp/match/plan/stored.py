"""Plans as they are kept with their games: JSON, in which values keep their types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple, replace
from pathlib import Path
from typing import Any

from pinchtp.base.clock import TimeControl
from pinchtp.match.game.engine_spec import ENGINE_OPTIONS, EngineSpec
from pinchtp.match.game.task import Opening
from pinchtp.match.plan.plan import OPTIONS, MatchPlan, Stage
from pinchtp.match.statistics.sprt import Sprt


def to_json(plan: MatchPlan) -> str:
    """The text that from_json reads."""
    return json.dumps(
        {
            "engines": [_plain(engine) for engine in plan.engines],
            "openings": [[opening.name, *opening.moves] for opening in plan.openings],
            "options": {name: each.value(plan) for name, each in OPTIONS.items()},
            "stages": plan.stages,
        },
        default=_plain,
    )


def from_json(text: str) -> MatchPlan:
    """The plan that to_json wrote.

    Raises PlanError for values that an option does not have.
    """
    data = json.loads(text)
    plan = MatchPlan.of(
        [_engine_of(engine) for engine in data["engines"]],
        [Opening(name, tuple(moves)) for name, *moves in data["openings"]],
        data["options"],
    )
    return replace(plan, stages=tuple(Stage(*each) for each in data["stages"]))


def _plain(value: object) -> object:
    """What JSON has no value for, as one that it has and the option's kind understands."""
    if isinstance(value, EngineSpec):
        options = {name: each.value(value) for name, each in ENGINE_OPTIONS.items()}
        return {"name": value.name, **options}
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Sprt):
        return astuple(value)
    assert isinstance(value, TimeControl)
    return asdict(value)


def _engine_of(data: Mapping[str, Any]) -> EngineSpec:
    """The engine that _plain wrote."""
    values: dict[str, Any] = {
        each.attribute: each.read(data[name]) for name, each in ENGINE_OPTIONS.items()
    }
    return EngineSpec(data["name"], **values)
