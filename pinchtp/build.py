"""The sources and tools of this build, as CMake wrote them next to the core."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

from pinchtp import __version__


def build_info() -> dict[str, str]:
    """Returns `commit` and `compiler`; empty where they are not known."""
    spec = find_spec("pinchtp._core")
    try:
        text = Path(str(spec.origin if spec else "")).with_name("build.json").read_text("utf-8")
        return {"commit": "", "compiler": "", **json.loads(text)}
    except (OSError, ValueError):
        return {"commit": "", "compiler": ""}


def version_text() -> str:
    """Returns the version, and the commit if it was built from a clone."""
    commit = build_info()["commit"]
    return f"{__version__} ({commit})" if commit else __version__
