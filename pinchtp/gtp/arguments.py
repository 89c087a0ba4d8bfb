"""The grammar of command lines (GTP 2 draft 2, sections 2.5, 3.1 and 3.2).

clean() removes everything that the protocol ignores. parse_line() then splits a line into an
optional id, the command's name and the text of its arguments. Each command's argument list is a
pyparsing grammar of the argument types below.

Spaces, digits and significant letters are ASCII. No pattern backtracks, so that a line of a million
characters is read in milliseconds; tests/program/test_patterns.py checks each pattern.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from pinchtp.games import Color
from pinchtp.games.session import MOST_MOVES
from pinchtp.gtp import GtpError

if TYPE_CHECKING:
    import pyparsing as pp


MAX_ID = 2**31 - 1
MAX_ID_DIGITS = 100  # including leading zeros
SHORT_LINE = 100  # characters; longer lines are not cached

# Section 3.1: control characters are removed, except HT, which becomes a space, and LF, which ends
# the line.
_IGNORED = dict.fromkeys([*range(32), 127]) | {ord("\t"): " "}


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A command line.

    id: None without one. name: the command's name; empty without one. arguments: as typed. at: the
    place of the arguments in the cleaned line.
    """

    id: int | None
    name: str
    arguments: str
    at: int = 0


_LINE = re.compile(
    r"(?>((?P<id>[0-9]++)(?: ++|$))?)((?P<name>[^ ]++)(?: ++(?P<arguments>[^ ].*)?)?)?", re.DOTALL
)


BYTE_ORDER_MARK = "\ufeff"  # at the beginning of texts from Windows programs


def clean(raw: str) -> str:
    """Returns a line without byte order mark, control characters, comment and outer spaces.

    It is empty if the line has no command.
    """
    return raw.removeprefix(BYTE_ORDER_MARK).translate(_IGNORED).partition("#")[0].strip(" ")


def column(raw: str, at: int) -> int:
    """Returns the column, from 1, in the typed line for a place in the cleaned line."""
    places = [place for place, character in enumerate(raw) if character.translate(_IGNORED)]
    cleaned = clean(raw)
    first = "".join(raw[place].translate(_IGNORED) for place in places).index(cleaned)
    return places[first + at] + 1 if first + at < len(places) else len(raw.rstrip("\n")) + 1


def parse_line(text: str) -> ParsedLine:
    """Returns the parts of a cleaned line that is not empty.

    Raises GtpError (`syntax error`) for an id out of range.
    """
    return _parse_short_line(text) if len(text) <= SHORT_LINE else _parse_line(text)


def _parse_line(text: str) -> ParsedLine:
    match = _LINE.fullmatch(text)
    assert match, text
    digits = match["id"]
    name = match["name"] or ""
    arguments = match["arguments"] or ""
    if digits is not None and (len(digits) > MAX_ID_DIGITS or int(digits) > MAX_ID):
        raise GtpError("syntax error", f"an id is an integer up to {MAX_ID}")
    number = None if digits is None else int(digits)
    return ParsedLine(number, name, arguments, match.start("arguments"))


# Controllers repeat lines: GoGui sends the whole game to its rules program after each move.
_parse_short_line = lru_cache(maxsize=4096)(_parse_line)


Grammar = Callable[[], "pp.ParserElement"]
"""Called at first use, because pyparsing takes longer to load than a server to start."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a command: its name in help texts and its grammar."""

    name: str
    grammar: Grammar
    is_optional: bool = False

    @property
    def usage(self) -> str:
        return f"[{self.name}]" if self.is_optional else self.name

    @property
    def noun(self) -> str:
        """The name in error messages: in words, without the `...` of a repetition."""
        return self.name.removesuffix(" ...").replace("_", " ")

    def optional(self) -> Argument:
        return Argument(self.name, self.grammar, is_optional=True)

    def parser(self) -> pp.ParserElement:
        import pyparsing as pp  # noqa: PLC0415

        return pp.Opt(self.grammar(), default=None) if self.is_optional else self.grammar()


def _make_factory(
    pattern: str, meaning: str, read: Callable[[str], Any] = str
) -> Callable[[str], Argument]:
    """Returns a function that makes arguments of a pattern from their names.

    meaning: the expected value, for errors. read: converts the matched text; raises ValueError for
    an invalid value.
    """

    @cache
    def grammar() -> pp.ParserElement:
        import pyparsing as pp  # noqa: PLC0415

        def value(line: str, at: int, found: pp.ParseResults) -> Any:
            try:
                return read(found[0])
            except ValueError:
                raise pp.ParseException(line, at, f"Expected {meaning}") from None

        return pp.Regex(re.compile(pattern, re.ASCII)).set_name(meaning).set_parse_action(value)

    return lambda name: Argument(name, grammar)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def _words(text: str) -> tuple[str, ...]:
    words = tuple(found[0] for found in islice(re.finditer("[^ ]++", text), 2 * MOST_MOVES + 1))
    if len(words) > 2 * MOST_MOVES:
        raise ValueError
    return words


def _pairs(text: str) -> Moves:
    words = _words(text)
    return tuple(zip(map(Color.read, words[::2]), words[1::2], strict=True))


Moves = tuple[tuple[Color, str], ...]

_END = "(?= |$)"  # of a word
_NUMBER = r"(?>[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]{1,3})?"
integer = _make_factory("[0-9]{1,18}" + _END, "an integer", int)
side = _make_factory("[0-9]{1,18}" + _END, "an integer (13x9 is 13 9)", int)  # of a board
count = _make_factory("0*+[1-9][0-9]{0,17}" + _END, "an integer from 1", int)
number = _make_factory("[-+]?" + _NUMBER + _END, "a number", _finite)
duration = _make_factory(_NUMBER + _END, "a number from 0", _finite)
boolean = _make_factory(
    "(?i:true|false)" + _END, "true or false", lambda text: text.lower() == "true"
)
word = _make_factory("[^ ]++", "a word")
move_list = _make_factory("[!-~]++", "moves, separated by commas")
_color = _make_factory("(?i:black|white|b|w)" + _END, "b or w", Color.read)

# Types of the last argument of a command:
# rest, the rest of the line with its spaces; rest_then_number, the same without an integer at its
# end; words, as a tuple; moves, alternating colors and words as `Moves`, in one expression for the
# whole list, because a game may have a thousand moves.
rest = _make_factory("(?s:[^ ].*+)", "a name")
rest_then_number = _make_factory("[^ ]++(?>(?: ++(?![0-9]{1,18}$)[^ ]++)*)", "a name")
words = _make_factory("(?s:[^ ].*+)", "words", _words)
moves = _make_factory(
    "(?>(?:(?i:black|white|b|w) ++[^ ]++(?: ++|$))*)",
    f"alternating colors and moves, at most {MOST_MOVES}",
    _pairs,
)


def color(name: str = "color") -> Argument:
    return _color(name)


def keyword(name: str) -> Argument:
    """Returns an argument for a fixed word, in upper or lower case."""
    return _make_factory(f"(?i:{name}){_END}", name, lambda found: name)(name)


class ArgumentList:
    """The arguments of a command, as one grammar."""

    def __init__(self, arguments: Sequence[Argument]) -> None:
        import pyparsing as pp  # noqa: PLC0415

        self._arguments = arguments
        self._parsers = [argument.parser() for argument in arguments]
        self._grammar = pp.And([*self._parsers, pp.StringEnd()])

    def parse(self, text: str) -> list[Any]:
        """Returns the values of the arguments; None for arguments omitted at the end.

        Raises GtpError (`syntax error`) with the missing or invalid argument.
        """
        import pyparsing as pp  # noqa: PLC0415

        try:
            return self._grammar.parse_string(text).as_list()
        except pp.ParseBaseException as error:
            detail = self._explain(text, error)
            is_missing = not text[error.loc :].strip(" ")
            spaces = len(text[error.loc :]) - len(text[error.loc :].lstrip(" "))
            at = None if is_missing else error.loc + spaces
            raise GtpError("syntax error", detail, at) from None

    def _explain(self, text: str, error: pp.ParseBaseException) -> str:
        """Returns the detail of an error, with the name of the missing or invalid argument."""
        at, values = self._fit(text)
        word = text[error.loc :].lstrip(" ").partition(" ")[0]
        expected = error.msg.removeprefix("Expected ")
        if at == len(self._arguments):  # all match, and a word follows
            left_out = [i for i, value in enumerate(values) if value is None]
            if not left_out:
                repeated = [each.name for each in self._arguments if each.name.endswith(" ...")]
                if repeated:  # it matches up to the first invalid pair
                    return f"expected {repeated[-1]}, not {word!r}"
                return f"{word!r} is one argument too many"
            at = left_out[0]
            expected = self._arguments[at].grammar().name
        argument = self._arguments[at]
        if argument.noun == expected or argument.name.endswith("]..."):  # a keyword, or keys
            return f"expected {expected}, not {word!r}" if word else f"{expected} is missing"
        if word:
            return f"{argument.noun}: expected {expected}, not {word!r}"
        after = f" after the {self._arguments[at - 1].noun}" if at else ""
        return f"{_say_missing(argument.noun)}{after}"

    def _fit(self, text: str) -> tuple[int, list[Any]]:
        """Returns how many leading arguments match a text, and their values."""
        import pyparsing as pp  # noqa: PLC0415

        values: list[Any] = []
        for at in range(len(self._parsers)):
            try:
                values = pp.And(self._parsers[: at + 1]).parse_string(text).as_list()
            except pp.ParseBaseException:
                return at, values
        return len(self._parsers), values


def _say_missing(noun: str) -> str:
    if noun.endswith("s"):
        return f"{noun} are missing"
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun} is missing"
