"""Matches between GTP engines, which are programs of their own, watched at every step.

In the order in which a match lives: `plan`, `plan_file`, `openings`, `schedule` (what it is);
`runner`, `worker`, `cluster`, `game` (who plays it); `record`, `store`, `stats`, `ratings`, `sprt`
(what comes of it); `output`, `progress`, `export`, `page` (what people see); and the commands.

Worker processes import this package too, so what they do not need is imported late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinchtp.match.plan import EngineConfig

if TYPE_CHECKING:
    from pinchtp.match.progress import MatchProgress
    from pinchtp.match.stats import MatchResult

__all__ = ["EngineConfig", "main", "play"]


def play(
    engines: Mapping[str, str | EngineConfig],
    *,
    db: str | Path | None = None,
    openings: str | Path | Sequence[str] | None = None,
    progress: MatchProgress | None = None,
    **options: Any,
) -> MatchResult:
    """Plays a match and returns what came of it.

        result = play({"new": "pinchtp --visits 2000", "old": "./old"}, size=9, games=100, time=1)
        print(result.report.pairings[0].elo)

    engines: by name, command lines or all that can be said of an engine. db: a file in which the
    games are kept, and from which a match that was interrupted goes on. openings: a file, a folder,
    or lines of moves. progress: shows the match as it goes on; otherwise failures
    go to standard error.
    options: those of the command line, as values or as the texts that stand there: games=100,
    size=9, time="60+0.5", jobs=2, sprt=(0, 10), cluster="local:2", move_cap=200.

    Raises PlanError for a match that cannot be, EngineRejected for an engine that cannot take part,
    StoreError for a db that is something else, OutputError if the page or the SGF files cannot be
    begun, and ClusterError. An interrupt ends it as well.
    """
    from pinchtp.match.command import run_match  # noqa: PLC0415
    from pinchtp.match.plan_file import PlanBuilder  # noqa: PLC0415
    from pinchtp.match.progress import MatchProgress  # noqa: PLC0415
    from pinchtp.match.store import IN_MEMORY  # noqa: PLC0415

    draft = PlanBuilder()
    for name, engine in engines.items():
        draft.add_engine(name, EngineConfig(name, engine) if isinstance(engine, str) else engine)
    draft.openings = str(openings) if isinstance(openings, Path) else openings
    for name, value in options.items():
        draft.set(name, value)
    path = Path(db) if db else IN_MEMORY
    return run_match(draft.plan(), path, progress or MatchProgress(quiet=True), with_records=True)


def main(arguments: list[str]) -> int:
    """Runs `pinchtp match` with its arguments; returns the exit status."""
    from pinchtp.match.command import main as run  # noqa: PLC0415

    return run(arguments)
