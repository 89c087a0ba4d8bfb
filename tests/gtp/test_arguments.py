"""Command lines as text: ignored characters, ids, names, arguments; and lines out of bytes."""

import os
import re
from contextlib import suppress
from time import process_time
from unittest import mock

import pytest
from clients import filled_pipe, say, server
from hypothesis import given
from hypothesis import strategies as st

from pinchtp.base.text import ENCODING
from pinchtp.games import Color
from pinchtp.games.session import MOST_MOVES
from pinchtp.gtp import GtpError, arguments
from pinchtp.gtp import input as gtp_input
from pinchtp.gtp import server as _server  # noqa: F401  (registers the commands)
from pinchtp.gtp.arguments import Argument, ArgumentList, clean, parse_line
from pinchtp.gtp.commands import COMMANDS, by_subject
from pinchtp.gtp.input import TOO_LONG, InputReader, write_text

SYNTAX_ERROR = r"^syntax error$"

# --- what is ignored


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("name", "name"),
        ("name\r", "name"),
        ("name\n", "name"),
        ("  name  ", "name"),
        ("\tplay\tb\td4\t", "play b d4"),
        ("na\x00m\x07e\x1b\x7f", "name"),
        ("play b d4 # a good move", "play b d4"),
        ("play b d4# glued", "play b d4"),
        ("play b d4 # one # two", "play b d4"),
        ("# interrupt", ""),
        ("#", ""),
        ("", ""),
        (" \t\r\x0b\x0c ", ""),
        ("loadsgf Königin.sgf", "loadsgf Königin.sgf"),
    ],
)
def test_ignored_characters_are_removed(raw: str, kept: str) -> None:
    assert clean(raw) == kept


@given(st.text())
def test_clean_leaves_nothing_to_ignore(raw: str) -> None:
    kept = clean(raw)
    assert kept == kept.strip(" ")
    assert "#" not in kept
    assert not any(ord(sign) < 32 or ord(sign) == 127 for sign in kept)
    assert clean(kept) == kept


# --- the line


@pytest.mark.parametrize(
    ("text", "number", "name", "arguments"),
    [
        ("name", None, "name", ""),
        ("7 name", 7, "name", ""),
        ("0 name", 0, "name", ""),
        ("007 name", 7, "name", ""),
        ("2147483647   play   b   d4", 2**31 - 1, "play", "b   d4"),
        ("play b d4", None, "play", "b d4"),
        ("12", 12, "", ""),
        ("12a name", None, "12a", "name"),
        ("-1 name", None, "-1", "name"),
        ("1.5 name", None, "1.5", "name"),
        ("٣ name", None, "٣", "name"),  # a digit in Arabic, not in GTP
        ("1 2 name", 1, "2", "name"),
        ("name\N{NO-BREAK SPACE}x", None, "name\N{NO-BREAK SPACE}x", ""),
    ],
)
def test_line_has_id_name_and_arguments(
    text: str, number: int | None, name: str, arguments: str
) -> None:
    line = parse_line(text)
    assert (line.id, line.name, line.arguments) == (number, name, arguments)


@pytest.mark.parametrize("digits", [str(2**31), str(2**64), "9" * 50, "1" * 5000, "0" * 5000])
def test_ids_out_of_range(digits: str) -> None:
    """5000 digits are more than Python converts to an int without being asked to."""
    with pytest.raises(GtpError, match=SYNTAX_ERROR):
        parse_line(f"{digits} name")


def test_long_line_is_parsed() -> None:
    moves = " ".join(["b d4 w e5"] * 50_000)
    assert parse_line(f"3 gogui-play_sequence {moves}").arguments == moves


WORDS = st.text(st.characters(exclude_characters=" #", exclude_categories=["C"]), min_size=1)


@given(
    st.none() | st.integers(0, arguments.MAX_ID),
    WORDS.filter(lambda word: not (word.isascii() and word.isdecimal())),  # that would be an id
    st.lists(WORDS).map(" ".join),
    st.sampled_from([" ", "   ", "\t", " \t "]),
)
def test_every_line_is_taken_apart(number: int | None, name: str, arguments: str, gap: str) -> None:
    text = gap.join([name, arguments] if number is None else [str(number), name, arguments])
    line = parse_line(clean(text))
    assert (line.id, line.name, line.arguments) == (number, name, arguments)


# --- the arguments


def values(arguments: list[Argument], text: str) -> list[object]:
    return ArgumentList(arguments).parse(text)


@pytest.mark.parametrize(
    ("argument", "text", "value"),
    [
        (arguments.color(), "b", Color.BLACK),
        (arguments.color(), "W", Color.WHITE),
        (arguments.color(), "Black", Color.BLACK),
        (arguments.color(), "wHITE", Color.WHITE),
        (arguments.integer("n"), "0", 0),
        (arguments.integer("n"), "0019", 19),
        (arguments.number("x"), "6.5", 6.5),
        (arguments.number("x"), "-7", -7.0),
        (arguments.number("x"), "+.5", 0.5),
        (arguments.number("x"), "5.", 5.0),
        (arguments.number("x"), "1e3", 1000.0),
        (arguments.word("w"), "d4", "d4"),
        (arguments.word("w"), "a,b;c", "a,b;c"),
        (arguments.keyword("distinct"), "Distinct", "distinct"),
        (arguments.count("n"), "007", 7),
        (arguments.words("w"), "a1  b\N{NO-BREAK SPACE}2", ("a1", "b\N{NO-BREAK SPACE}2")),
        (
            arguments.moves("m"),
            "b a1  W c\N{NO-BREAK SPACE}3 ",
            ((Color.BLACK, "a1"), (Color.WHITE, "c\N{NO-BREAK SPACE}3")),
        ),
        (arguments.move_list("m"), "a1,B2", "a1,B2"),
    ],
)
def test_valid_argument_has_its_value(argument: Argument, text: str, value: object) -> None:
    assert values([argument], text) == [value]


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        (arguments.color(), "x"),
        (arguments.color(), "bl"),
        (arguments.color(), "blacker"),
        (arguments.color(), "b-"),
        (arguments.color(), ""),
        (arguments.color(), "blac\N{KELVIN SIGN}"),
        (arguments.color(), "b\N{NO-BREAK SPACE}"),
        (arguments.integer("n"), "-1"),
        (arguments.integer("n"), "1.0"),
        (arguments.integer("n"), "1x"),
        (arguments.integer("n"), "9" * 400),
        (arguments.integer("n"), "٣"),
        (arguments.number("x"), "nan"),
        (arguments.number("x"), "inf"),
        (arguments.number("x"), "1,5"),
        (arguments.number("x"), "."),
        (arguments.number("x"), "0x10"),
        (arguments.number("x"), "1e999"),
        (arguments.number("x"), "9" * 400),
        (arguments.number("x"), "٣"),
        (arguments.count("n"), "0"),
        (arguments.count("n"), "000"),
        (arguments.boolean("x"), "fal\N{LATIN SMALL LETTER LONG S}e"),
        (arguments.moves("m"), "b a1 " * (MOST_MOVES + 1)),
        (arguments.moves("m"), "b a1\N{IDEOGRAPHIC SPACE}w a2 b"),
        (arguments.words("w"), "a1 " * (2 * MOST_MOVES + 1)),
        (arguments.word("w"), ""),
        (arguments.word("w"), "a b"),
        (arguments.keyword("distinct"), "distinctly"),
        (arguments.keyword("distinct"), "di\N{LATIN SMALL LETTER LONG S}tinct"),
    ],
)
def test_not_such_an_argument(argument: Argument, text: str) -> None:
    with pytest.raises(GtpError, match=SYNTAX_ERROR):
        values([argument], text)


@pytest.mark.parametrize("text", ["a" + " " * 500_000 + "b", "b " * 500_000, "1" * 1_000_000])
def test_long_arguments_are_read_in_no_time(text: str) -> None:
    """Once, a pattern took 52 s for 40,000 blanks."""
    began = process_time()
    for kind in [arguments.rest_then_number, arguments.rest, arguments.number, arguments.integer]:
        parsed = ArgumentList([kind("x"), arguments.integer("n").optional()])
        with suppress(GtpError):
            parsed.parse(text)
    with suppress(GtpError):
        values([arguments.moves("m")], text)
    assert process_time() - began < 5


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("a", "a", None),
        ("a 5", "a", 5),
        ("5", "5", None),
        ("5 6", "5", 6),
        ("a 5 6", "a 5", 6),
        ("a  b", "a  b", None),
        ("a  b   7", "a  b", 7),
        ("a 5b", "a 5b", None),
        ("a 1234567890123456789", "a 1234567890123456789", None),
    ],
)
def test_trailing_number_is_optional(text: str, name: str, number: int | None) -> None:
    names = [arguments.rest_then_number("file"), arguments.integer("n").optional()]
    assert values(names, text) == [name, number]


def test_argument_lists() -> None:
    play = [arguments.color(), arguments.word("move"), arguments.integer("n").optional()]
    assert values(play, "b d4 3") == [Color.BLACK, "d4", 3]
    assert values(play, "b    d4") == [Color.BLACK, "d4", None]
    for text in ["", "b", "b d4 x", "b d4 3 4", "d4 b"]:
        with pytest.raises(GtpError, match=SYNTAX_ERROR):
            values(play, text)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("play", "a color is missing"),
        ("play b", "a move is missing after the color"),
        ("play x d4", "color: expected b or w, not 'x'"),
        ("play b d4 e5", "'e5' is one argument too many"),
        ("boardsize", "a width is missing"),
        ("boardsize many", "width: expected an integer (13x9 is 13 9), not 'many'"),
        ("boardsize 9 many", "height: expected an integer (13x9 is 13 9), not 'many'"),
        ("boardsize 9 -1 2", "height: expected an integer (13x9 is 13 9), not '-1'"),
        ("boardsize 9 9 9", "'9' is one argument too many"),
        ("rectangular_boardsize 9", "a height is missing after the width"),
        ("time_settings 1", "a byo yomi time is missing after the main time"),
        ("time_settings 1 2", "byo yomi stones are missing after the byo yomi time"),
        ("time_settings 1 2 3.5", "byo yomi stones: expected an integer, not '3.5'"),
        ("gg-undo \xa0", "count: expected an integer, not '\\xa0'"),
        ("pinchtp-legal all", "expected turns, not 'all'"),
        ("name x", "'x' is one argument too many"),
        ("analyze b interval", "a number from 0 is missing"),
        ("analyze b interval x", "expected a number from 0, not 'x'"),
        ("analyze b interval -1", "expected a number from 0, not '-1'"),
        ("kata-analyze -1", "expected one of the keys interval, "),
        ("lz-genmove_analyze b -0.5", "expected one of the keys interval, "),
        ("analyze b foo", "expected one of the keys interval, minmoves, "),
        ("gogui-play_sequence b d4 w", "expected color move ..., not 'w'"),
        ("set_position x d4", "expected color vertex ..., not 'x'"),
    ],
)
def test_error_names_argument(line: str, why: str) -> None:
    name, _, text = line.partition(" ")
    with pytest.raises(GtpError, match=SYNTAX_ERROR) as refusal:
        COMMANDS[name].argument_list.parse(text)
    assert refusal.value.detail.startswith(why)


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ("play e5", "column 6: color: expected b or w, not 'e5'; usage: play color move"),
        (" 12\tplay  b x9 w # no", "column 16: 'w' is one argument too many; usage: "),
        ("\x01play\x02 q e5", "column 8: color: expected b or w, not 'q'; usage: "),
        ("play b", "a move is missing after the color; usage: "),
        ("hlep", "'hlep': did you mean 'help'?"),
        ("xyzzy", "'xyzzy': help lists all"),
        ("E5", "to move: play b E5"),
        ("Resign", "to move: play b Resign"),
    ],
)
def test_failure_names_the_expected_value(line: str, detail: str) -> None:
    answer = server().answer(line)
    assert answer is not None
    assert answer.detail.startswith(detail)


def test_help_has_subjects_and_fits_80_columns() -> None:
    game = server(pie=True, game="capture-go")  # the game with all commands
    text = say(game, "help")
    lines = text.split("\n")
    headings = [line for line in lines if not line.startswith(" ")]
    assert headings == list(by_subject(COMMANDS.values()))
    assert all(len(line) <= 80 for line in lines)
    assert {line.split()[0] for line in lines if re.match("  [a-z]", line)} == set(COMMANDS)
    for name in COMMANDS:
        described = say(game, f"help {name}").split("\n")
        assert all(len(line) <= 80 for line in described)


# --- lines out of bytes


LINES = st.lists(st.binary(max_size=12) | st.sampled_from([b"\n", b"\r\n", b"name\n"]), max_size=12)


@given(LINES.map(b"".join), st.integers(1, 16))
def test_lines_do_not_depend_on_chunks(data: bytes, chunk: int) -> None:
    expected = data.split(b"\n")
    if not expected[-1]:
        del expected[-1]  # nothing after the last line feed is not a line
    with filled_pipe(data) as descriptor, mock.patch.object(gtp_input, "CHUNK", chunk):
        found = [line.encode(*ENCODING) for line in InputReader(descriptor)]
    assert found == expected


@given(LINES.map(b"".join), st.integers(1, 16), st.integers(0, 8))
def test_too_long_lines_are_marked(data: bytes, chunk: int, most: int) -> None:
    """A line beyond the limit becomes one marker, and the lines around it are not harmed."""
    expected = data.split(b"\n")
    if not expected[-1]:
        del expected[-1]
    with (
        filled_pipe(data) as descriptor,
        mock.patch.object(gtp_input, "CHUNK", chunk),
        mock.patch.object(gtp_input, "MAX_LINE", most),
    ):
        found = list(InputReader(descriptor))
    assert len(found) == len(expected)
    for line, whole in zip(found, expected, strict=True):
        if line == TOO_LONG:
            assert len(whole) > most
        else:
            assert line.encode(*ENCODING) == whole
            assert len(whole) <= most + chunk  # noticed with the next chunk


def test_write_without_reader_raises() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        with pytest.raises(BrokenPipeError):
            write_text(writing, "= \n\n")
    finally:
        os.close(writing)


@given(st.binary())
def test_bytes_survive_the_round_trip(data: bytes) -> None:
    """A file name need not be UTF-8."""
    text = data.decode(*ENCODING)
    reading, writing = os.pipe()
    try:
        write_text(writing, text + "!")
        assert os.read(reading, 1 << 16) == data + b"!"
    finally:
        os.close(reading)
        os.close(writing)
