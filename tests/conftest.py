"""Fixtures and hooks for all tests."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:  # playwright may be missing
    from playwright.sync_api import Browser

# Files that share a worker of pytest-xdist: the tests of a group run one after another.
GROUPS = {
    # They measure time or start many processes, so they would be late in parallel.
    "timed": (
        *("check/test_check", "client/test_client", "client/test_process"),
        *("core/test_search_limits", "gtp/test_analysis", "player/test_selfplay"),
        "report/test_run",
        *("program/test_live_process", "program/test_process", "program/test_random_faults"),
        *("match/test_cluster", "match/test_command", "match/test_resume", "match/test_worker"),
        *("match/test_preflight", "match/test_engine", "match/test_game_failures"),
        *("match/test_game", "match/test_no_referee", "match/test_timekeeper"),
        *("match/test_terminal", "match/test_pool"),
    ),
    "report": ("report/test_browser", "report/test_command"),  # they read the same report
}

# Files that are groups of their own: each worker would make the fixtures of a module again.
WHOLE = (
    *("analysis/test_queries", "api/test_arguments", "board/test_guard", "learn/test_learn"),
    *("match/test_page_browser", "match/test_repair", "program/test_shell", "program/test_wheel"),
    *("review/test_command", "review/test_forced"),
    *("solving/test_cluster", "solving/test_zone_proof"),
)

LONGEST = "core/test_native.py"  # minutes each: they compile the core with sanitizers

NICENESS = 5  # niceness of workers that do not measure time

# Slow examples on a busy machine do not fail a property.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_configure() -> None:
    """Restores the default handling of SIGINT and SIGHUP for children.

    Background processes of a shell and those of nohup ignore them.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(optionalhook=True)  # called by pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Returns the number of CPUs plus two: tests mostly wait for programs and browsers."""
    return (os.cpu_count() or 1) + 2


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Gives tests that measure time a higher priority in parallel runs.

    One worker starts with them, and lowers its priority afterwards.
    """
    beside_others = "PYTEST_XDIST_WORKER" in os.environ
    if beside_others and group_of(item.nodeid) != "timed" and os.nice(0) == 0:
        os.nice(NICENESS)


def group_of(nodeid: str) -> str:
    """Returns the group of a test by its file, the file, or the test itself."""
    file = nodeid.partition("::")[0]
    name = file.removeprefix("tests/").removesuffix(".py")
    groups = (group for group, names in GROUPS.items() if name in names)
    return next(groups, file if name in WHOLE else nodeid)


@pytest.hookimpl(optionalhook=True)  # called by pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keeps groups together.

    The marks of pytest-xdist 3.8 do not: it changes names of tests, which pytest 9.2 ignores.
    """
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  (xdist may be missing)

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    config.option.loadscopereorder = False  # the order is that of pytest_collection_modifyitems
    return Groups(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skips the nightly tests unless selected by -m or by name.

    Those that measure time, the longest ones and groups come first: otherwise a worker would still
    run some of them when the others have ended.
    """
    items.sort(key=order_of)
    named = any("::" in argument for argument in config.args)
    if "nightly" in config.option.markexpr or named:
        return
    nightly = [item for item in items if item.get_closest_marker("nightly")]
    config.hook.pytest_deselected(items=nightly)
    items[:] = [item for item in items if item not in nightly]


def order_of(item: pytest.Item) -> tuple[bool, bool, bool]:
    """Returns the key that tests are ordered by."""
    group = group_of(item.nodeid)
    return group != "timed", LONGEST not in item.nodeid, group == item.nodeid


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yields Chromium for all tests of pages: a process supports one driver at a time."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def far_west(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Local time is twelve hours behind UTC."""
    monkeypatch.setenv("TZ", "UTC+12")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
