"""A match from its plan to its result."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from pathlib import Path

from pinchtp.match.export import CannotExport, Exports, begin_log, check_page
from pinchtp.match.log import Log
from pinchtp.match.plan import MatchPlan
from pinchtp.match.progress import Display
from pinchtp.match.result import MatchResult
from pinchtp.match.runner import Runner
from pinchtp.match.store import Store
from pinchtp.match.worker import LocalPool, WorkerConfig, WorkerPool


def never() -> bool:
    """Does not stop a match."""
    return False


def conduct(
    plan: MatchPlan,
    db: Path,
    display: Display,
    stopping: Callable[[], AbstractContextManager[Callable[[], bool]]] = lambda: nullcontext(never),
    *,
    with_records: bool = False,
) -> MatchResult:
    """Plays what is left of a match. stopping: within it, its value tells if the match should stop.

    Raises CannotPlay for an engine that cannot take part, StoreError for a db that is something
    else, CannotExport for files that cannot be written, all of them before the first game, and
    ClusterError. An interrupt ends it as well.
    """
    check_page(plan.page, {"store": db})
    with Store.begin(db, plan) as store:
        plan = store.plan()  # which knows what the match was before
        exports = Exports(plan, display.tell)
        runner = Runner(plan, store, display.tell, exports.add)
        exports.begin(store.records())
        if runner.is_over:
            store.keep_plan()
        else:
            with closing(worker_pool(plan)) as pool:
                runner.admit(pool.check_engines())
                store.keep_plan()
                if pool.warning:
                    display.tell(pool.warning)
                with display, stopping() as should_stop:
                    runner.run(pool, display.show, should_stop)
        result = runner.result(with_records=with_records)
        try:
            exports.finish()
        except CannotExport as error:
            return replace(result, unwritten=str(error))
        return result


def worker_pool(plan: MatchPlan) -> WorkerPool:
    """Those who play the games. Raises ClusterError, or CannotExport for logs."""
    engines = {engine.name: engine for engine in plan.engines}
    log = Log(str(plan.log.absolute()), plan.log_level) if plan.log else None
    if log:
        begin_log(log, engines)
    config = WorkerConfig(plan.rules(), engines, log=log)
    if plan.cluster is None:
        return LocalPool(config, plan.jobs, pin=plan.pin)
    from pinchtp.match.cluster import ClusterPool  # noqa: PLC0415  (an extra)

    return ClusterPool(plan.cluster, config)
