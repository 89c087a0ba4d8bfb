"""The text of Bushka's turns, compared with the reference and the published games."""

import random

import bushka_boards as boards
import pytest
from bushka_boards import AMBIGUOUS, at
from reference.bushka import Bushka
from rulebook.test_bushka import FRAGMENT, FRAGMENT_LINE, MATCH_GAME

from pinchtp import _core
from pinchtp.games.bushka import AmbiguousMove, BushkaNotation, NoSuchMove
from pinchtp.games.notation import NotationError, split_turns, whole_turns

NOTATION = BushkaNotation()


def play_line(position: _core.Position, line: str) -> _core.Position:
    for text in line.split():
        parts = NOTATION.parse(text, position)
        assert NOTATION.format(position, parts) == text
        position = boards.play(position, parts)
        assert not position.mid_turn
    return position


@pytest.mark.parametrize(
    ("text", "square"),
    [
        *(("j6", "j6"), ("J6", "i6"), ("K6", "j6"), ("k6", "j6"), ("i6", "i6"), ("I6", "i6")),
        *(("f0", "f0"), ("F0", "f0"), ("F10", "f0"), ("f10", "f0")),
    ],
)
def test_single_squares_are_read_as_in_moves(text: str, square: str) -> None:
    assert NOTATION.parse_point(text, boards.set_up(Bushka())) == at(square)


@pytest.mark.parametrize("text", ["", "m5", "e11", "e64", "e3-e4", "pass", "\u212a6"])
def test_other_texts_are_not_squares(text: str) -> None:
    with pytest.raises(NotationError, match="is not a square such as e6, or a vertex such as E6"):
        NOTATION.parse_point(text, boards.set_up(Bushka()))


@pytest.mark.parametrize(
    ("book", "line"),
    [
        (Bushka(), MATCH_GAME),
        (FRAGMENT, FRAGMENT_LINE),
        (FRAGMENT, "e64 e1x3 d5e4x gxe6 e4f3x f45 f34x f65x ef7 ixg7 e8f6x"),
    ],
    ids=["match", "fragment", "variation"],
)
def test_published_lines_are_played_as_in_the_reference(book: Bushka, line: str) -> None:
    end = play_line(boards.set_up(book), line)
    for text in line.split():
        book = book.play(book.parse(text))
    boards.assert_same(end, book)


def assert_round_trips(book: Bushka) -> None:
    """Asserts that texts equal the reference's and are read back, also with all victims."""
    position = boards.set_up(book)
    moves = book.moves()
    texts = {boards.parts_of(move, moves): book.text(move) for move in moves}
    assert len(set(texts.values())) == len(texts)
    assert [turn for turn, _ in whole_turns(position)] == sorted(texts)
    for parts, text in texts.items():
        assert NOTATION.format(position, parts) == text
        assert NOTATION.parse(text, position) == parts
        assert NOTATION.parse(text.upper(), position) == parts
        bracket = text[text.index("[") :] if "[" in text else ""
        origin, target = (NOTATION.format(position, (part,)) for part in parts[:2])
        assert NOTATION.parse(f"{origin}-{target}{bracket}", position) == parts


def test_turns_of_random_games_round_trip() -> None:
    rng = random.Random(8)
    for book in list(boards.random_game(rng))[::4]:
        assert_round_trips(book)


def test_turns_of_random_set_ups_round_trip() -> None:
    rng = random.Random(9)
    for _ in range(60):
        assert_round_trips(boards.random_set_up(rng))
    assert_round_trips(AMBIGUOUS)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("f2-f5", "f25"),
        ("F2-F5", "f25"),
        ("F25", "f25"),
        ("j6-i6", "ji6"),  # Bushka's own letters
        ("K6-J6", "ji6"),  # GTP's letters, which are unambiguous here
        ("k6-j6", "ji6"),
        ("J6-I6", "ji6"),
        ("JI6", "ji6"),
        ("J5-J6", "i56"),
        ("i5-i6", "i56"),
    ],
)
def test_alternative_notations(text: str, same: str) -> None:
    position = boards.set_up(boards.board("f2 f3 f4 i5 j6", "a5"))
    assert NOTATION.parse(text, position) == NOTATION.parse(same, position)


def test_letter_case_resolves_ambiguity() -> None:
    """Both j and i can move: the case of the letter decides."""
    position = boards.set_up(boards.board("i6 j6", "a5"))
    assert NOTATION.parse("j6", position) == (at("j6"),)
    assert NOTATION.parse("J6", position) == (at("i6"),)
    assert NOTATION.parse("I6", position) == (at("i6"),)
    assert NOTATION.parse("k6", position) == NOTATION.parse("K6", position) == (at("j6"),)


def test_row_ten_is_digit_0() -> None:
    position = boards.set_up(boards.board("e1", "f0", to_move="black"))
    for text in ("f0", "F10", "f10", "F0"):
        assert NOTATION.parse(text, position) == (at("f0"),)
    assert NOTATION.parse("F10-F9", position) == NOTATION.parse("f09", position)
    first_row = boards.set_up(boards.board("e1", "f0"))
    assert NOTATION.parse("e1", first_row) == (at("e1"),)
    with pytest.raises(NoSuchMove):
        NOTATION.parse("e10", first_row)


def test_single_squares_are_steps() -> None:
    position = boards.set_up(AMBIGUOUS)
    for text in ("d5", "e4", "d3"):
        parts = NOTATION.parse(text, position)
        assert parts == (at(text),)
        assert NOTATION.format(position, parts) == text
        position = position.play(*parts)
    assert not position.mid_turn
    position = boards.set_up(AMBIGUOUS).play(at("d5"))
    assert NOTATION.parse("e4-e3", position) == (at("e4"), at("e3"))
    assert NOTATION.format(position, (at("e4"), at("e3"))) == "e4-e3"


def test_line_by_turns() -> None:
    """Each with the position before it; the last may be incomplete."""
    start = boards.start()
    first, second = at("d2"), at("d3")
    after = start.play(first).play(second)
    reply = after.legal_moves()[0]
    assert list(split_turns(start, [])) == []
    assert list(split_turns(start, [first])) == [(start, (first,))]
    assert list(split_turns(start, [first, second, reply])) == [
        (start, (first, second)),
        (after, (reply,)),
    ]


def test_victims_distinguish_captures() -> None:
    position = boards.set_up(AMBIGUOUS)
    parts = (at("d5"), at("e4"), at("d3"))
    assert NOTATION.format(position, parts) == "d5e4x[d3,f4]"
    for text in ("d5e4x[d3,f4]", "D5E4X[F4,D3]", "d5-e4[f4,d3]", "d5-e4-d3"):
        assert NOTATION.parse(text, position) == parts
    for text in ("d5e4x", "d5-e4"):
        with pytest.raises(AmbiguousMove) as caught:
            NOTATION.parse(text, position)
        assert str(caught.value) == f"ambiguous move: {text} fits d5e4x[d3,f4], d5e4x[e3,f5]"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e",
        "e-",
        "5e",
        "swap",
        "resign",
        "l5",
        "e6 e5",
        "e64[",
        "e64[e5",
        "e64[]",
        "e6-",
        "e644",
    ],
)
def test_invalid_text_is_rejected(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        NOTATION.parse(text, boards.start())
    assert type(caught.value) is NotationError
    assert "use the published notation" in str(caught.value)


@pytest.mark.parametrize(
    ("book", "text", "message"),
    [
        (boards.board("e6 c4", "f0"), "e64", "e64 is not legal; from e6: ed6, e67"),
        (boards.board("e6 c4", "f0"), "E6-E4", "E6-E4 is not legal; from e6: ed6, e67"),
        (boards.board("i5", "f0"), "J5-J9", "J5-J9 is not legal; from i5: ih5, i56"),
        (boards.board("e6 c4", "f0"), "c3", "c3 is not legal: legal moves start from c4, e6"),
        (boards.board("e6 c4", "f0"), "a1", "a1 is not legal: legal moves start from c4, e6"),
        (
            boards.board("e1 e2 h5", "e4"),
            "h56",
            "h56 is not legal; a phalanx capture is compulsory: e1x3",
        ),
        (boards.board("e5", "e7"), "ed5", "ed5 is not legal; a capture is compulsory: e56x"),
        (boards.board("e5", "e7"), "e56", "e56 is not legal; a capture is compulsory: e56x"),
        (
            boards.board("e5", "e7"),
            "e5-e6[f5]",
            "e5-e6[f5] is not legal; a capture is compulsory: e56x",
        ),
        (boards.board("e5", to_move="black"), "e56", "e56 is not legal; the game is over"),
    ],
)
def test_illegal_move_error_lists_legal_moves(book: Bushka, text: str, message: str) -> None:
    with pytest.raises(NoSuchMove) as caught:
        NOTATION.parse(text, boards.set_up(book))
    assert str(caught.value) == message


def test_lists_of_more_than_12_are_truncated() -> None:
    position = boards.set_up(boards.board("e5", "f0", kings="e5"))
    with pytest.raises(NoSuchMove, match=r"from e5: (\w+, ){12}\.\.\.$"):
        NOTATION.parse("e50", position)
    position = boards.set_up(boards.board("d4", "f0", kings="d4"))
    with pytest.raises(NoSuchMove, match=r"from d4: (\w+, ){11}\w+$"):
        NOTATION.parse("d40", position)


def test_incomplete_turn_error_lists_steps() -> None:
    position = boards.set_up(AMBIGUOUS).play(at("d5")).play(at("e4"))
    for text in ("d5e4x", "e5", "d3-e4", "d3[f4]"):
        with pytest.raises(NoSuchMove, match=r"the turn continues with d3, e3$"):
            NOTATION.parse(text, position)


def test_pass_is_read_in_any_case() -> None:
    position = boards.start()
    assert NOTATION.parse("PASS", position) == (_core.PASS,)
    assert NOTATION.format(position, (_core.PASS,)) == "pass"


def test_rows_are_named_1_to_9_and_0() -> None:
    assert [NOTATION.row_label(y) for y in (0, 8, 9)] == ["1", "9", "0"]
