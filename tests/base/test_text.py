"""Foreign text, made safe for each place where it goes."""

import pytest

from pinchtp.base.text import count, in_answer, printable, shorten, to_unicode, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("é 中 ½", "é 中 ½"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b31m \r \x07", r"\x9b31m \r \x07"),
        ("a\u202eb", r"a\u202eb"),
        ("\udcff", r"\udcff"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable("a\n\tb", keep="") == r"a\n\tb"


def test_control_characters_have_symbols() -> None:
    assert visible("a\tb\n\x1b[31m\x7f\x00") == "a\tb\n\N{SYMBOL FOR ESCAPE}[31m\u2421\u2400"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("one line", "one line"),
        ("  a \n\n \t\n b\tc ", "  a \n \n \t\n b\tc "),
        ("a\x00b\x1bc\x7fd\re", "abcde"),
        ("\n\n\n", "\n \n \n"),
    ],
)
def test_text_of_an_answer_has_no_blank_line(text: str, kept: str) -> None:
    assert in_answer(text) == kept


def test_invalid_utf8_is_written_as_escapes() -> None:
    text = to_unicode(b"a\xffb".decode("utf-8", "surrogateescape"))
    assert text.encode() == rb"a\udcffb"
    assert to_unicode("é 中") == "é 中"


def test_long_text_is_shortened() -> None:
    assert shorten(b"a\nb") == r"'a\nb'"
    assert shorten(60 * b"a") == f"'{60 * 'a'}'"
    assert shorten(61 * b"a") == f"'{60 * 'a'}'..."


def test_counts_have_their_nouns() -> None:
    assert [count(1, "game"), count(2, "game"), count(2, "was", "were")] == [
        "1 game",
        "2 games",
        "2 were",
    ]
    assert count(12_345_678, "visit") == "12345678 visits"
