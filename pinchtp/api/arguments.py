"""Checks of arguments: an invalid one raises a ValueError that names the valid values."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from reprlib import repr as shorten
from types import UnionType
from typing import Any

from pinchtp.base.option_types import Float, Int


def whole(name: str, value: Any, allowed: Int) -> int:
    """Returns an integer within bounds. Raises ValueError, also for a text, a bool or 2.0."""
    if is_whole(value) and allowed.least <= value <= allowed.most:
        return int(value)
    expected = f"an integer from {allowed.least} to {allowed.most}"
    raise wrong(name, value, expected)


def number(name: str, value: Any, allowed: Float) -> float:
    """Returns a number within bounds. Raises ValueError, also for a text or a bool."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if is_number and allowed.least <= value <= allowed.most:  # nan is not
        return float(value)
    raise wrong(name, value, f"a number from {allowed.least:.10g} to {allowed.most:.10g}")


def texts(name: str, value: Any, expected: str) -> list[str]:
    """Returns a list of texts. Raises ValueError, also for a single text."""
    is_list = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    items = list(value) if is_list else None
    if items is None or not all(isinstance(item, str) for item in items):
        raise wrong(name, value, expected)
    return items


def file_name(name: str, value: Any) -> Path:
    """Returns the path of a file name. Raises ValueError for another type."""
    check_type(name, value, str | PathLike, "the name of a file")
    return Path(value)


def check_type(name: str, value: object, types: type | UnionType, expected: str) -> None:
    """Raises ValueError for a value of another type."""
    if not isinstance(value, types):
        raise wrong(name, value, expected)


def wrong(name: str, value: object, expected: str) -> ValueError:
    """Returns the error for an invalid argument.

    expected: what to give instead; it follows `give` in the message.
    """
    return ValueError(f"{name}: {shorten(value)}: give {expected}")


def is_whole(value: Any) -> bool:
    """Returns whether a value is an integer of Python or numpy, and not a bool."""
    return isinstance(value, Integral) and not isinstance(value, bool)
