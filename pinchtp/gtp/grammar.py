"""The grammar of command lines (GTP 2 draft 2, sections 2.5, 3.1 and 3.2), in pyparsing.

A line is first freed of what the protocol ignores, then parsed into an optional id, the command's
name and the text of its arguments; each command's argument list is a grammar of its own, made from
the argument kinds below.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyparsing as pp

from pinchtp.games import Color
from pinchtp.gtp.errors import GtpError

MAX_ID = 2**31 - 1
MAX_ID_DIGITS = 100  # leading zeros are allowed, within reason
SHORT_LINE = 100  # characters; longer lines are not worth remembering

# Section 3.1: control characters vanish, save HT, which is a space, and LF, which ends the line.
_IGNORED = dict.fromkeys([*range(32), 127]) | {ord("\t"): " "}


@dataclass(frozen=True, slots=True)
class Line:
    """A command line: id (None without), name (empty without), arguments as they were typed."""

    id: int | None
    name: str
    arguments: str


def _line_grammar() -> pp.ParserElement:
    number = pp.Regex(r"[0-9]+(?= |$)")
    name = pp.Regex(r"[^ ]+")
    rest = pp.Regex(r"[^ ].*")
    return pp.Opt(number("id")) + pp.Opt(name("name") + pp.Opt(rest("arguments"))) + pp.StringEnd()


_LINE = _line_grammar()


def clean(raw: str) -> str:
    """The line without control characters, comment and outer blanks; empty: there is no command."""
    return raw.translate(_IGNORED).partition("#")[0].strip(" ")


def parse_line(text: str) -> Line:
    """Parses a cleaned line that is not empty.

    Raises GtpError (`syntax error`) for an id out of range.
    """
    return _parse_short_line(text) if len(text) <= SHORT_LINE else _parse_line(text)


def _parse_line(text: str) -> Line:
    found = _LINE.parse_string(text).as_dict()
    digits = found.get("id")
    if digits is not None and (len(digits) > MAX_ID_DIGITS or int(digits) > MAX_ID):
        raise GtpError("syntax error", f"an id is a number up to {MAX_ID}")
    number = None if digits is None else int(digits)
    return Line(number, found.get("name", ""), found.get("arguments", ""))


# Controllers repeat themselves: a ruler sends whole games again and again.
_parse_short_line = lru_cache(maxsize=4096)(_parse_line)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a command: its name in help texts, its grammar, if it may be left out."""

    name: str
    grammar: pp.ParserElement
    is_optional: bool = False

    @property
    def usage(self) -> str:
        return f"[{self.name}]" if self.is_optional else self.name

    def optional(self) -> Argument:
        return Argument(self.name, self.grammar, is_optional=True)


def _regex(pattern: str, meaning: str) -> pp.ParserElement:
    return pp.Regex(pattern + "(?= |$)").set_name(meaning)


_COLOR = _regex("(?i:black|white|b|w)", "a color (b or w)").set_parse_action(
    lambda found: Color.BLACK if found[0][0] in "bB" else Color.WHITE
)
_INTEGER = _regex(r"[0-9]{1,18}", "a whole number").set_parse_action(lambda found: int(found[0]))
_NUMBER = _regex(
    r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?", "a number"
).set_parse_action(lambda found: float(found[0]))
_BOOLEAN = _regex("(?i:true|false)", "true or false").set_parse_action(
    lambda found: found[0].lower() == "true"
)
_WORD = _regex(r"[^ ]+", "a word")
_REST = pp.Regex(r"[^ ].*").set_name("a name")
_REST_BUT_NUMBER = pp.Regex(r"[^ ].*?(?=( +[0-9]{1,18})?$)").set_name("a name")

# One expression for the whole list: a game may have a thousand moves.
_MOVES = (
    pp.Regex(r"((?i:black|white|b|w) +[^ ]+( +|$))*")
    .set_name("colors and moves in turns")
    .set_parse_action(lambda found: _pairs(found[0].split(" ")))
)

Moves = tuple[tuple[Color, str], ...]


def _pairs(words: list[str]) -> Moves:
    found = list(filter(None, words))
    colors = (Color.BLACK if word[0] in "bB" else Color.WHITE for word in found[::2])
    return tuple(zip(colors, found[1::2], strict=True))


def color(name: str = "color") -> Argument:
    return Argument(name, _COLOR)


def integer(name: str) -> Argument:
    """A whole number, not negative."""
    return Argument(name, _INTEGER)


def number(name: str) -> Argument:
    return Argument(name, _NUMBER)


def boolean(name: str) -> Argument:
    return Argument(name, _BOOLEAN)


def word(name: str) -> Argument:
    return Argument(name, _WORD)


def rest(name: str) -> Argument:
    """All that is left of the line, blanks between words included."""
    return Argument(name, _REST)


def rest_but_number(name: str) -> Argument:
    """All that is left of the line, but for a whole number that stands last, after other words."""
    return Argument(name, _REST_BUT_NUMBER)


def moves(name: str) -> Argument:
    """Any number of colors and words in turns, as `Moves`; the last argument of a command."""
    return Argument(name, _MOVES)


def keyword(name: str) -> Argument:
    """A fixed word, in either case; the handler gets it if it is there."""
    return Argument(name, pp.CaselessKeyword(name))


def argument_grammar(arguments: Iterable[Argument]) -> pp.ParserElement:
    """The grammar of a whole argument list; what is left out at its end gives None."""
    parts = [
        pp.Opt(each.grammar, default=None) if each.is_optional else each.grammar
        for each in arguments
    ]
    return pp.And([*parts, pp.StringEnd()])


def parse_arguments(grammar: pp.ParserElement, text: str) -> list[Any]:
    """The values of the arguments. Raises GtpError (`syntax error`) that says what was expected."""
    try:
        return grammar.parse_string(text).as_list()
    except pp.ParseException as error:
        where = f"at column {error.column} of {text!r}" if text else "after the command"
        raise GtpError("syntax error", f"{error.msg} {where}") from None
