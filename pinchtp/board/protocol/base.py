"""The base classes of messages and requests, and the types of their fields."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

from pinchtp.base.text import visible

ColorName = Literal["black", "white"]
Chance = float

# Limits of requests; longer messages than MOST_BYTES are rejected.
MOST_BYTES = 1 << 22
MOST_TEXT = 1 << 20
Text = Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
Line = Annotated[str, msgspec.Meta(max_length=4000)]
MOST_NAME = 100
Name = Annotated[str, msgspec.Meta(max_length=MOST_NAME)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
Size = Annotated[int, msgspec.Meta(ge=0, le=9999)]  # each game has narrower limits
EngineNumber = Annotated[int, msgspec.Meta(ge=0, le=99)]  # index in Hello.engines
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


def shown_name(name: str) -> str:
    """Returns the name of a record for display on pages."""
    return visible(name)[:MOST_NAME]


def _tag(name: str) -> str:
    """Returns the `type` of a message class."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Part(msgspec.Struct, frozen=True):
    """A part of a message."""


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=_tag):
    """A message of the server."""
