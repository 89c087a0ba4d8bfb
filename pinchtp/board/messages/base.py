"""What all messages have in common: their kinds, and the bounds of what a page may say."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

ColorName = Literal["black", "white"]
Chance = float

# Bounds of what a page may say; a message of a page is refused above MOST_BYTES.
MOST_BYTES = 1 << 22
MOST_TEXT = 1 << 20
Text = Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
Line = Annotated[str, msgspec.Meta(max_length=4000)]
Name = Annotated[str, msgspec.Meta(max_length=100)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
Size = Annotated[int, msgspec.Meta(ge=0, le=9999)]  # which sizes there are, games say
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


def _tag(name: str) -> str:
    """The `type` of a class of messages."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Part(msgspec.Struct, frozen=True):
    """Something inside a message."""


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=_tag):
    """What the server sends."""
