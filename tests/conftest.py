"""What all tests rely on."""

from __future__ import annotations

import signal
from fnmatch import fnmatch

import pytest

# Files that share a worker of pytest-xdist: those of a group run one after another.
GROUPS = {
    # They measure time, or start many processes: beside each other they would be late.
    "timed": (
        *("test_analysis", "test_check", "test_client", "test_client_process"),
        *("test_live_process", "test_process", "test_search_limits", "test_selfplay"),
        *("test_match_admission", "test_match_command", "test_match_controller"),
        *("test_match_failures", "test_match_game", "test_match_no_referee", "test_match_resume"),
        *("test_match_runner", "test_match_serve", "test_match_terminal", "test_match_timing"),
    ),
    # Each starts a browser, which takes all processors for a while.
    "browser": ("test_*_browser",),
    # They share what is made once a module.
    "wheel": ("test_wheel",),
}


def pytest_configure() -> None:
    """Lets children hear Ctrl-C: whoever a shell starts in the background is born deaf to it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Groups tests, and leaves out the nightly ones unless they are asked for by -m or by name."""
    for item in items:
        for group, files in GROUPS.items():
            if any(fnmatch(item.path.stem, file) for file in files):
                item.add_marker(pytest.mark.xdist_group(group))
    named = any("::" in argument for argument in config.args)
    if "nightly" in config.option.markexpr or named:
        return
    nightly = [item for item in items if item.get_closest_marker("nightly")]
    config.hook.pytest_deselected(items=nightly)
    items[:] = [item for item in items if item not in nightly]
