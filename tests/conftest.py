"""What all tests rely on."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Lets children hear Ctrl-C: whoever a shell starts in the background is born deaf to it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
