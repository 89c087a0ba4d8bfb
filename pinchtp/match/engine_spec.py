"""Who plays: the options of one engine, each declared once."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pinchtp.base.clock import TimeControl
from pinchtp.base.options import BOOL, Int, OneOfEnum, OptionType, option, options_of, toml_text
from pinchtp.games.notation import SwapSpelling
from pinchtp.match.time_control import TIME

ENGINE = "one engine"


class Text(OptionType[str]):
    """Any text."""

    expected = "a text"

    def parse(self, text: str) -> str:
        return text

    def text(self, value: object) -> str:
        raise ValueError


class CommandLine(Text):
    """A command line, split as a shell would, or its words: ["pinchtp", "--visits", "20"]."""

    expected = "a command line or a list of its words"

    def text(self, value: object) -> str:
        return shlex.join(_texts(value))


class Lines(OptionType[tuple[str, ...]]):
    """One line, or a list of lines; what is given again comes after them."""

    expected = "a line or a list of lines"

    def parse(self, text: str) -> tuple[str, ...]:
        return tuple(text.split("\n")) if text else ()

    def format(self, value: tuple[str, ...]) -> str:
        return "\n".join(value)

    def text(self, value: object) -> str:
        return "\n".join(_texts(value))

    def add(self, earlier: tuple[str, ...], value: tuple[str, ...]) -> tuple[str, ...]:
        return (*earlier, *value)


class Variables(OptionType[Mapping[str, str]]):
    """A variable, VARIABLE=VALUE, more on further lines, or a table of them; those that are given
    again win.
    """

    expected = "VARIABLE=VALUE"

    def parse(self, text: str) -> Mapping[str, str]:
        variables = {}
        for line in text.split("\n") if text else ():
            name, equals, value = line.partition("=")
            if not (name and equals):
                raise ValueError
            variables[name] = value
        return variables

    def format(self, value: Mapping[str, str]) -> str:
        return "\n".join(f"{name}={each}" for name, each in value.items())

    def text(self, value: object) -> str:
        if not isinstance(value, Mapping):
            raise ValueError
        return self.format({name: toml_text(each) for name, each in value.items()})

    def add(self, earlier: Mapping[str, str], value: Mapping[str, str]) -> Mapping[str, str]:
        return {**earlier, **value}


def _texts(value: object) -> Sequence[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise ValueError
    return value


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
        none_means="the match's",
        metavar="TIME",
    )
    threads: int = option(
        Int(1, 4096), 1, "processor cores it is entitled to", group=ENGINE, metavar="N"
    )
    swap_as: SwapSpelling = option(
        OneOfEnum(SwapSpelling),
        SwapSpelling.PASS,
        "its word for a swap",
        group=ENGINE,
        metavar="WORD",
    )
    nodes: int | None = option(
        Int(1, 2**31),
        None,
        "at most this many nodes a move",
        group=ENGINE,
        none_means="the match's",
        metavar="N",
    )
    ponder: bool | None = option(
        BOOL,
        None,
        "whether it thinks on the opponent's time",
        group=ENGINE,
        none_means="the match's",
        metavar="true|false",
    )


ENGINE_OPTIONS = options_of(EngineSpec)
