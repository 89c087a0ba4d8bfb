"""Command lines as text: what is ignored, ids, names, arguments; and lines out of bytes."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import process_time
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchtp.base.streams import ENCODING
from pinchtp.games import Color
from pinchtp.games.session import MOST_MOVES
from pinchtp.gtp import grammar, stream
from pinchtp.gtp.errors import GtpError
from pinchtp.gtp.grammar import Argument, argument_grammar, clean, parse_arguments, parse_line

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
def test_clean(raw: str, kept: str) -> None:
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
def test_parse_line(text: str, number: int | None, name: str, arguments: str) -> None:
    line = parse_line(text)
    assert (line.id, line.name, line.arguments) == (number, name, arguments)


@pytest.mark.parametrize("digits", [str(2**31), str(2**64), "9" * 50, "1" * 5000, "0" * 5000])
def test_ids_out_of_range(digits: str) -> None:
    """5000 digits are more than Python converts to an int without being asked to."""
    with pytest.raises(GtpError, match=SYNTAX_ERROR):
        parse_line(f"{digits} name")


def test_a_very_long_line() -> None:
    moves = " ".join(["b d4 w e5"] * 50_000)
    assert parse_line(f"3 gogui-play_sequence {moves}").arguments == moves


WORDS = st.text(st.characters(exclude_characters=" #", exclude_categories=["C"]), min_size=1)


@given(
    st.none() | st.integers(0, grammar.MAX_ID),
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
    return parse_arguments(argument_grammar(arguments), text)


@pytest.mark.parametrize(
    ("argument", "text", "value"),
    [
        (grammar.color(), "b", Color.BLACK),
        (grammar.color(), "W", Color.WHITE),
        (grammar.color(), "Black", Color.BLACK),
        (grammar.color(), "wHITE", Color.WHITE),
        (grammar.integer("n"), "0", 0),
        (grammar.integer("n"), "0019", 19),
        (grammar.number("x"), "6.5", 6.5),
        (grammar.number("x"), "-7", -7.0),
        (grammar.number("x"), "+.5", 0.5),
        (grammar.number("x"), "5.", 5.0),
        (grammar.number("x"), "1e3", 1000.0),
        (grammar.word("w"), "d4", "d4"),
        (grammar.word("w"), "a,b;c", "a,b;c"),
        (grammar.keyword("distinct"), "Distinct", "distinct"),
        (grammar.count("n"), "007", 7),
        (grammar.words("w"), "a1  b\N{NO-BREAK SPACE}2", ("a1", "b\N{NO-BREAK SPACE}2")),
        (
            grammar.moves("m"),
            "b a1  W c\N{NO-BREAK SPACE}3 ",
            ((Color.BLACK, "a1"), (Color.WHITE, "c\N{NO-BREAK SPACE}3")),
        ),
        (grammar.move_list("m"), "a1,B2", "a1,B2"),
    ],
)
def test_an_argument(argument: Argument, text: str, value: object) -> None:
    assert values([argument], text) == [value]


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        (grammar.color(), "x"),
        (grammar.color(), "bl"),
        (grammar.color(), "blacker"),
        (grammar.color(), "b-"),
        (grammar.color(), ""),
        (grammar.color(), "blac\N{KELVIN SIGN}"),
        (grammar.color(), "b\N{NO-BREAK SPACE}"),
        (grammar.integer("n"), "-1"),
        (grammar.integer("n"), "1.0"),
        (grammar.integer("n"), "1x"),
        (grammar.integer("n"), "9" * 400),
        (grammar.integer("n"), "٣"),
        (grammar.number("x"), "nan"),
        (grammar.number("x"), "inf"),
        (grammar.number("x"), "1,5"),
        (grammar.number("x"), "."),
        (grammar.number("x"), "0x10"),
        (grammar.number("x"), "1e999"),
        (grammar.number("x"), "9" * 400),
        (grammar.number("x"), "٣"),
        (grammar.count("n"), "0"),
        (grammar.count("n"), "000"),
        (grammar.boolean("x"), "fal\N{LATIN SMALL LETTER LONG S}e"),
        (grammar.moves("m"), "b a1 " * (MOST_MOVES + 1)),
        (grammar.moves("m"), "b a1\N{IDEOGRAPHIC SPACE}w a2 b"),
        (grammar.words("w"), "a1 " * (2 * MOST_MOVES + 1)),
        (grammar.word("w"), ""),
        (grammar.word("w"), "a b"),
        (grammar.keyword("distinct"), "distinctly"),
        (grammar.keyword("distinct"), "di\N{LATIN SMALL LETTER LONG S}tinct"),
    ],
)
def test_not_such_an_argument(argument: Argument, text: str) -> None:
    with pytest.raises(GtpError, match=SYNTAX_ERROR):
        values([argument], text)


@pytest.mark.parametrize("text", ["a" + " " * 500_000 + "b", "b " * 500_000, "1" * 1_000_000])
def test_long_arguments_are_read_in_no_time(text: str) -> None:
    """40,000 blanks took 52 s."""
    began = process_time()
    for kind in [grammar.rest_but_number, grammar.rest, grammar.number, grammar.integer]:
        parsed = argument_grammar([kind("x"), grammar.integer("n").optional()])
        with suppress(GtpError):
            parse_arguments(parsed, text)
    with suppress(GtpError):
        values([grammar.moves("m")], text)
    assert process_time() - began < 5


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("a", "a", None), ("a 5", "a", 5), ("5", "5", None), ("5 6", "5", 6), ("a 5 6", "a 5", 6),
        ("a  b", "a  b", None), ("a  b   7", "a  b", 7), ("a 5b", "a 5b", None),
        ("a 1234567890123456789", "a 1234567890123456789", None),
    ],
)  # fmt: skip
def test_a_name_and_perhaps_a_number(text: str, name: str, number: int | None) -> None:
    arguments = [grammar.rest_but_number("file"), grammar.integer("n").optional()]
    assert values(arguments, text) == [name, number]


def test_argument_lists() -> None:
    arguments = [grammar.color(), grammar.word("move"), grammar.integer("n").optional()]
    assert values(arguments, "b d4 3") == [Color.BLACK, "d4", 3]
    assert values(arguments, "b    d4") == [Color.BLACK, "d4", None]
    for text in ["", "b", "b d4 x", "b d4 3 4", "d4 b"]:
        with pytest.raises(GtpError, match=SYNTAX_ERROR):
            values(arguments, text)


def test_a_refusal_says_what_was_expected() -> None:
    with pytest.raises(GtpError) as refusal:
        values([grammar.color(), grammar.integer("n")], "b many")
    assert refusal.value.detail == "Expected a whole number at column 3 of 'b many'"


@pytest.mark.parametrize("word", ["many", "-1", "\xa0"])
def test_a_refusal_names_the_word_that_does_not_fit(word: str) -> None:
    with pytest.raises(GtpError) as refusal:
        values([grammar.color(), grammar.integer("n").optional()], f"b {word} 2")
    assert refusal.value.detail.startswith(f"{word!r} does not fit at column 3")


# --- lines out of bytes


@contextmanager
def pipe(data: bytes) -> Iterator[int]:
    """The reading end of a pipe that holds the data and is closed at the other end."""
    reading, writing = os.pipe()
    try:
        os.write(writing, data)
        os.close(writing)
        yield reading
    finally:
        os.close(reading)


LINES = st.lists(st.binary(max_size=12) | st.sampled_from([b"\n", b"\r\n", b"name\n"]), max_size=12)


@given(LINES.map(b"".join), st.integers(1, 16))
def test_lines_do_not_depend_on_how_they_come_in(data: bytes, chunk: int) -> None:
    expected = data.split(b"\n")
    if not expected[-1]:
        del expected[-1]  # nothing after the last line feed is not a line
    with pipe(data) as descriptor, mock.patch.object(stream, "CHUNK", chunk):
        found = [line.encode(*ENCODING) for line in stream.LineReader(descriptor)]
    assert found == expected


@given(LINES.map(b"".join), st.integers(1, 16), st.integers(0, 8))
def test_lines_too_long_are_told_apart(data: bytes, chunk: int, most: int) -> None:
    """A line beyond the limit becomes one marker, and the lines around it are not harmed."""
    expected = data.split(b"\n")
    if not expected[-1]:
        del expected[-1]
    with (
        pipe(data) as descriptor,
        mock.patch.object(stream, "CHUNK", chunk),
        mock.patch.object(stream, "MAX_LINE", most),
    ):
        found = list(stream.LineReader(descriptor))
    assert len(found) == len(expected)
    for line, whole in zip(found, expected, strict=True):
        if line == stream.TOO_LONG:
            assert len(whole) > most
        else:
            assert line.encode(*ENCODING) == whole
            assert len(whole) <= most + chunk  # it is noticed when the next chunk has come


def test_a_line_is_there_as_soon_as_its_line_feed() -> None:
    """A controller waits for the answer before it sends more."""
    reading, writing = os.pipe()
    try:
        lines = stream.LineReader(reading)
        for line in ["name", "play b d4", ""]:
            os.write(writing, line.encode() + b"\n")
            assert next(lines) == line
    finally:
        os.close(reading)
        os.close(writing)


def test_a_long_answer_is_written_whole() -> None:
    """One that no pipe holds, so that the writer has to wait for the reader."""
    text = "play b d4\n" * 100_000
    reading, writing = os.pipe()

    def write() -> None:
        stream.write_text(writing, text)
        os.close(writing)

    writer = threading.Thread(target=write)
    writer.start()
    with open(reading, "rb") as reader:
        received = reader.read()
    writer.join()
    assert received == text.encode()


def test_nobody_reads_the_answers() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        with pytest.raises(BrokenPipeError):
            stream.write_text(writing, "= \n\n")
    finally:
        os.close(writing)


@given(st.binary())
def test_bytes_survive_the_round_trip(data: bytes) -> None:
    """A file name need not be UTF-8."""
    text = data.decode(*ENCODING)
    reading, writing = os.pipe()
    try:
        stream.write_text(writing, text + "!")
        assert os.read(reading, 1 << 16) == data + b"!"
    finally:
        os.close(reading)
        os.close(writing)
