"""Chromium, for the tools that take screenshots of pages."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright


@contextmanager
def chromium() -> Iterator[Browser]:
    """Starts the system's browser. Exits if it is not installed."""
    path = shutil.which("chromium")
    if path is None:
        sys.exit("Chromium is not installed: pictures not updated")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
