"""A match from its plan to its result, for the command line and for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any

from pinchtp.match.crew import Crew, LocalCrew
from pinchtp.match.live import Nothing, Watch
from pinchtp.match.model import EngineSpec
from pinchtp.match.plan import MatchPlan
from pinchtp.match.planfile import Draft
from pinchtp.match.runner import MatchResult, Runner
from pinchtp.match.store import IN_MEMORY, Store
from pinchtp.match.worker import Setting

__all__ = ["MatchResult", "conduct", "play"]


def play(
    engines: Mapping[str, str | EngineSpec],
    *,
    db: str | Path | None = None,
    openings: str | Path | Sequence[str] | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> MatchResult:
    """Plays a match and returns what came of it.

        result = play({"new": "pinchtp --visits 2000", "old": "./old"}, size=9, games=100, time=1)
        print(result.report.pairings[0].elo)

    engines: by name, command lines or all that can be said of an engine. db: a file in which the
    games are kept, and from which a match that was interrupted goes on. openings: a file, a folder,
    or lines of moves. watch: is shown the match as it goes on (see `live`); failures go to standard
    error otherwise.
    options: those of the command line, as values or as the texts that stand there: games=100,
    size=9, time="60+0.5", jobs=2, sprt=(0, 10), cluster="local:2", move_cap=200.

    Raises PlanError for a match that cannot be, CannotPlay for an engine that cannot take part,
    StoreError for a db that is something else, and ClusterError. An interrupt ends it as well.
    """
    draft = Draft()
    for name, engine in engines.items():
        draft.add_engine(name, EngineSpec(name, engine) if isinstance(engine, str) else engine)
    draft.openings = str(openings) if isinstance(openings, Path) else openings
    for name, value in options.items():
        draft.set(name.replace("_", "-"), value)
    path = Path(db) if db else IN_MEMORY
    return conduct(draft.plan(), path, watch or Nothing.on_stderr(), with_records=True)


def never() -> bool:
    """Does not stop a match."""
    return False


def conduct(
    plan: MatchPlan,
    db: Path,
    watch: Watch,
    stopping: Callable[[], AbstractContextManager[Callable[[], bool]]] = lambda: nullcontext(never),
    *,
    with_records: bool = False,
) -> MatchResult:
    """Plays what is left of a match. stopping: within it, its value tells if the match should stop.

    Raises what play does.
    """
    with Store.begin(db, plan) as store:
        runner = Runner(plan, store, watch.tell)
        if not runner.is_over:
            with closing(hire(plan)) as crew:
                _check_identities(runner, crew, watch)
                if crew.warning:
                    watch.tell(crew.warning)
                with watch, stopping() as should_stop:
                    runner.run(crew, watch.show, should_stop)
        return runner.result(with_records=with_records)


def hire(plan: MatchPlan) -> Crew:
    """Those who play the games. Raises ClusterError."""
    setting = Setting(plan.rules(), {engine.name: engine for engine in plan.engines})
    if plan.cluster is None:
        return LocalCrew(setting, plan.jobs, pin=plan.pin)
    from pinchtp.match.cluster import ClusterCrew  # noqa: PLC0415  (an extra)

    return ClusterCrew(plan.cluster, setting)


def _check_identities(runner: Runner, crew: Crew, watch: Watch) -> None:
    """Asks who the engines are; says so if one is not the program that played before."""
    for name, now in crew.check_engines().items():
        before = runner.identities.get(name)
        if before and before != now:
            watch.tell(
                f"{name} has changed since it last played: it was {before.name} {before.version}, "
                f"hash {before.binary or 'unknown'}, and is {now.name} {now.version}, "
                f"hash {now.binary or 'unknown'}"
            )
