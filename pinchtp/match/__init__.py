"""Matches between GTP engines, which run as subprocesses.

In the order of a match: `plan`, `plan_file`, `openings` and `record` define it; `runner` and
`playing/` play its games; `results/` stores, counts and displays their results. The other modules
are the commands.

Worker processes import this package too, so modules that they do not need are imported late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinchtp.match.plan import EngineConfig

if TYPE_CHECKING:
    from pinchtp.match.progress import MatchProgress
    from pinchtp.match.results.stats import MatchResult

__all__ = ["EngineConfig", "play"]


def play(
    engines: Mapping[str, str | EngineConfig],
    *,
    db: str | Path | None = None,
    openings: str | Path | Sequence[str] | None = None,
    progress: MatchProgress | None = None,
    **options: Any,
) -> MatchResult:
    """Plays a match and returns its result.

        result = play({"new": "pinchtp --visits 2000", "old": "./old"}, size=9, games=100, time=1)
        print(result.report.pairings[0].elo)

    engines: command lines or EngineConfigs by name. db: the file that stores the games; an
    interrupted match is resumed from it. openings: a file, a directory, or lines of moves.
    progress: displays the match; default: only failures, on standard error. options: those of the
    command line, as values or texts: games=100, size=9, time="60+0.5", jobs=2, sprt=(0, 10),
    cluster="local:2", move_cap=200, each={"threads": 2}.

    Raises PlanError for an invalid match, EngineRejected for an engine that cannot take part,
    StoreError if the db is not a store of this match, OutputError if the page or the SGF files
    cannot be written or would replace the openings, ClusterError, and ClusterLost if the scheduler
    is lost. KeyboardInterrupt ends the match too.
    """
    from pinchtp.match.command import run_match  # noqa: PLC0415
    from pinchtp.match.plan_file import PlanBuilder  # noqa: PLC0415
    from pinchtp.match.progress import MatchProgress  # noqa: PLC0415
    from pinchtp.match.results.export import check_outputs  # noqa: PLC0415
    from pinchtp.match.results.store import IN_MEMORY  # noqa: PLC0415

    draft = PlanBuilder()
    for name, engine in engines.items():
        draft.add_engine(name, EngineConfig(name, engine) if isinstance(engine, str) else engine)
    if openings is not None:
        draft.set("openings", str(openings) if isinstance(openings, Path) else openings)
    for name, value in options.items():
        draft.set(name, value)
    plan = draft.plan()
    check_outputs(plan.page, plan.sgf, {"file of openings": draft.openings_path})
    path = Path(db) if db else IN_MEMORY
    return run_match(plan, path, progress or MatchProgress(quiet=True), with_records=True)
