"""Plans of matches, for tests."""

from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.record import Opening


def engines(*names: str) -> tuple[EngineConfig, ...]:
    return tuple(EngineConfig(name, f"./{name}") for name in names)


def plan(*names: str, openings: tuple[Opening, ...] = (), **texts: str) -> MatchPlan:
    options = {name.replace("_", "-"): text for name, text in texts.items()}
    return MatchPlan.of(engines(*(names or "ab")), openings, options)
