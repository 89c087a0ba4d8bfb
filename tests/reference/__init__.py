"""The reference implementation: every game in plain, slow Python, to test the fast core."""

from collections.abc import Callable
from typing import Any

from .base import Position
from .bushka import Bushka
from .capture_go import CaptureGo
from .pinch import Pinch
from .pinch_relocate import PinchRelocate
from .pinch_remove import PinchRemove

__all__ = ["GAMES", "Bushka", "CaptureGo", "Pinch", "PinchRelocate", "PinchRemove", "Position"]

GAMES: dict[str, Callable[..., Position[Any]]] = {
    "pinch": Pinch,
    "pinch-remove": PinchRemove,
    "pinch-relocate": PinchRelocate,
    "capture-go": CaptureGo,
    "bushka": Bushka,
}
