"""Plans of matches, for tests."""

from __future__ import annotations

from pinchtp.match.game.engine_spec import EngineSpec
from pinchtp.match.game.task import Opening
from pinchtp.match.plan.plan import MatchPlan


def engines(*names: str) -> tuple[EngineSpec, ...]:
    return tuple(EngineSpec(name, f"./{name}") for name in names)


def plan(*names: str, openings: tuple[Opening, ...] = (), **texts: str) -> MatchPlan:
    options = {name.replace("_", "-"): text for name, text in texts.items()}
    return MatchPlan.of(engines(*(names or "ab")), openings, options)
