"""Flags of `pinchtp match` that are no keys of a match file: how it is shown, not what it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pinchtp.base.options import Whole
from pinchtp.base.options.command_line import value_of

PORT = value_of(Whole(0, 65535))

# By name, with what argparse has to know.
FLAGS: Mapping[str, Mapping[str, Any]] = {
    "serve": {
        "type": PORT,
        "metavar": "PORT",
        "help": "serve the page to browsers on this machine while the match is played; 0: at any "
        "free port",
    },
    "quiet": {"action": "store_true", "help": "show only what goes wrong"},
}
