"""Who plays: the options of one engine, each declared once."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pinchtp.base.clock import TimeControl
from pinchtp.base.options import SWITCH, Kind, Member, Whole, option, options_of, plain_text
from pinchtp.games.notation import SwapSpelling
from pinchtp.match.time_control import TIME

ENGINE = "one engine"


class Text(Kind[str]):
    """Any text."""

    expected = "a text"

    def parse(self, text: str) -> str:
        return text

    def check(self, value: Any) -> str:
        raise ValueError


class CommandLine(Kind[str]):
    """A command line, split as a shell would, or its words: ["pinchtp", "--visits", "20"]."""

    expected = "a command line or a list of its words"

    def parse(self, text: str) -> str:
        return text

    def check(self, value: Any) -> str:
        return shlex.join(_texts(value))


class Lines(Kind[tuple[str, ...]]):
    """One line, or a list of lines; what is given again comes after them."""

    expected = "a line or a list of lines"

    def parse(self, text: str) -> tuple[str, ...]:
        return (text,)

    def check(self, value: Any) -> tuple[str, ...]:
        return _texts(value)

    def format(self, value: tuple[str, ...]) -> str:
        return "; ".join(value)

    def add(self, earlier: tuple[str, ...], value: tuple[str, ...]) -> tuple[str, ...]:
        return (*earlier, *value)


class Variables(Kind[Mapping[str, str]]):
    """A variable, VARIABLE=VALUE, or a table of them; those that are given again win."""

    expected = "VARIABLE=VALUE"

    def parse(self, text: str) -> Mapping[str, str]:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise ValueError
        return {name: value}

    def check(self, value: Any) -> Mapping[str, str]:
        if not isinstance(value, Mapping):
            raise ValueError
        return {name: plain_text(each) for name, each in value.items()}

    def format(self, value: Mapping[str, str]) -> str:
        return " ".join(f"{name}={each}" for name, each in value.items())

    def add(self, earlier: Mapping[str, str], value: Mapping[str, str]) -> Mapping[str, str]:
        return {**earlier, **value}


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise ValueError
    return tuple(value)


@dataclass(frozen=True)
class EngineSpec:
    """An engine that takes part. name: unique in the match."""

    name: str
    command: str = option(CommandLine(), "", "how it is started", group=ENGINE, metavar="COMMAND")
    folder: str | None = option(Text(), None, "where it is started", group=ENGINE, metavar="DIR")
    environment: Mapping[str, str] = option(
        Variables(), {}, "variables for it", group=ENGINE, metavar="VARIABLE=VALUE"
    )
    startup: tuple[str, ...] = option(
        Lines(), (), "GTP commands sent before the first game", group=ENGINE, metavar="COMMAND"
    )
    time: TimeControl | None = option(
        TIME,
        None,
        "a time system of its own",
        group=ENGINE,
        unset="the match's",
        metavar="TIME",
    )
    threads: int = option(
        Whole(1, 4096), 1, "processor cores it is entitled to", group=ENGINE, metavar="N"
    )
    swap_as: SwapSpelling = option(
        Member(SwapSpelling),
        SwapSpelling.PASS,
        "its word for a swap",
        group=ENGINE,
        metavar="WORD",
    )
    nodes: int | None = option(
        Whole(1, 2**31),
        None,
        "at most this many nodes a move",
        group=ENGINE,
        unset="the match's",
        metavar="N",
    )
    ponder: bool | None = option(
        SWITCH,
        None,
        "whether it thinks on the opponent's time",
        group=ENGINE,
        unset="the match's",
        metavar="true|false",
    )


ENGINE_OPTIONS = options_of(EngineSpec)
