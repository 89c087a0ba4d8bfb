"""Records with variations: all lines of a game out and in."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest
from record_games import PINCH, lines, played

from pinchtp.games import GAMES, Color, GameType
from pinchtp.games.history import Turn
from pinchtp.games.notation import parse_move
from pinchtp.games.session import Session
from pinchtp.records.errors import RecordError
from pinchtp.records.game import Usual
from pinchtp.records.reader import read_sgf
from pinchtp.records.sgf import to_sgf, variations_to_sgf
from pinchtp.records.sgf.nodes import find_named_game
from pinchtp.records.sgf.syntax import parse_first

# The main line first; then variations in the order of a walk down each branch.
LINES = ["c3 d4 a1 e5", "c3 d4 a1 b1", "c3 d4 e1", "c3 b2", "d2 a1 b1", "d2 a1 b2 c1"]


@dataclass
class Variation:
    """A turn and what follows it."""

    turn: Turn
    branches: list["Variation"] = field(default_factory=list)


def session_of(line: str) -> Session:
    return played(*line.split(), pie=False)


def tree_of(lines: Iterable[str]) -> list[Variation]:
    """Returns the moves after the start as a tree, each move once."""
    first: list[Variation] = []
    for line in lines:
        branches = first
        for turn in session_of(line).turns():
            known = [each for each in branches if each.turn.moves == turn.moves]
            if not known:
                known = [Variation(turn)]
                branches += known
            branches = known[0].branches
    return first


def written(lines: list[str]) -> str:
    return variations_to_sgf(session_of(lines[0]), tree_of(lines))


def lines_of(text: str) -> list[str]:
    """Returns the moves of every line read."""
    record = read_sgf(text, Usual(PINCH))[0].read_tree()
    return [
        " ".join(
            PINCH.notation.format(each.before, each.moves).lower()
            for each in Session.at(PINCH, record.start, line).turns()
        )
        for line in lines(record)
    ]


def test_every_line_is_written_and_read() -> None:
    text = written(LINES)
    assert lines_of(text) == LINES
    assert text.count(";B[cc]") == text.count(";W[db]") == 1
    assert lines_of(written(["c3 d4"])) == ["c3 d4"]
    assert lines_of(variations_to_sgf(session_of(""), [])) == [""]


def test_illegal_variation_stays_a_text_from_its_illegal_node_on() -> None:
    refused = "(;W[cc]C[no];B[aa](;W[ab])(;W[ac]))"
    text = f"(;SZ[5]RU[pinch, no swap](;B[cc];W[db])(;B[cc]{refused[1:]}(;B[ae]))"
    assert lines_of(text) == ["c3 d4", "a1"]
    start, first, _ = read_sgf(text)[0].read_tree().main
    assert first.refused == ["move 2: C3 is occupied"]
    assert first.entries[-1].extras.variations == (refused,)
    assert start.refused == []
    with pytest.raises(RecordError, match="move 2: C3 is occupied"):
        lines_of(text.replace(";W[db]", ";W[cc]"))
    with pytest.raises(RecordError, match="invalid SGF: "):
        lines_of("(;SZ[5]")


def test_equal_moves_of_variations_are_joined() -> None:
    text = "(;SZ[5]RU[pinch](;B[cc]C[one];W[aa])(;B[cc]C[two]LB[aa:1];W[bb])(;B[cc]C[one]))"
    assert lines_of(text) == ["c3 a5", "c3 b4"]
    last = read_sgf(text)[0].read_tree().main[1].entries[-1]
    assert (last.comment, last.extras.properties) == ("one\ntwo", (("LB", ("aa:1",)),))


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("WL[90]", "WL[55]", "WL[90];WL[55]"),
        ("WL[90]", "WL[90]", "WL[90]"),
        ("", "WL[55]OW[2]", "WL[55]OW[2]"),
        ("SBKV[40.00]", "SBKV[60.00]", "SBKV[40.00];SBKV[60.00]"),
    ],
)
def test_time_and_winrate_of_an_equal_move_are_kept(first: str, second: str, kept: str) -> None:
    root = "(;SZ[5]RU[pinch, swap]AP[pinchtp:0];B[cc]"
    record = read_sgf(f"{root}(;W[aa]{first};B[bb])(;W[aa]{second};B[dd]))")[0].read_tree()
    session = Session.at(PINCH, record.start, record.main_line().history)
    session.info = record.info
    written = to_sgf(session).replace("C[winrate 60.00 %]", "").replace("\n", "")
    assert f";W[aa]{kept};B[bb]" in written


def test_comments_without_a_move_belong_to_the_move_before() -> None:
    text = "(;SZ[5]RU[pinch](;C[a];B[cc](;C[b];W[aa])(;C[c];W[bb]))(;C[d];B[aa]))"
    record = read_sgf(text)[0].read_tree()
    assert record.info.comment == "a\nd"
    assert record.main[1].entries[-1].comment == "b\nc"
    assert lines_of(text) == ["c3 a5", "c3 b4", "a5"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("(;SZ[5]RU[pinch](;AB[aa];W[cc])(;B[dd]))", "(;B[dd])"),
        ("(;SZ[5]RU[pinch](;B[cc])(;AB[aa];W[dd]))", "(;AB[aa];W[dd])"),
        ("(;SZ[5]RU[capture-go]HA[2];B[aa](;B[ee];W[cc])(;W[dd]))", "(;W[dd])"),
    ],
)
def test_variation_with_another_start_stays_a_text(text: str, kept: str) -> None:
    record = read_sgf(text)[0].read_tree()
    assert record.info.extras is not None
    assert record.info.extras.variations == (kept,)
    assert len(list(lines(record))) == 1


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("RU[bushka]", "bushka"),
        ("RU[ Pinch-Remove , swapped]", "pinch-remove"),
        ("RU[capture-go, no pie, crosscut]", "capture-go"),
        ("RU[chinese]", None),
        ("", None),
    ],
)
def test_record_names_its_game(rules: str, name: str | None) -> None:
    tree = parse_first(f"(;SZ[5]{rules};B[cc](;W[aa])(;W[bb]))".encode())
    assert find_named_game(tree.nodes[0]) is GAMES.get(name or "")


def test_engine_color_gets_its_name() -> None:
    for chosen in Color:
        session = session_of("c3")
        for color in (Color.WHITE, Color.BLACK):
            at = parse_move("a1" if color is Color.WHITE else "b1", session.position)
            session.play(color, at, winrate=0.5 if color is chosen else None)
        text = variations_to_sgf(session, [])
        names = {color: f"P{color.capital}[" in text for color in Color}
        assert names == {color: color is chosen for color in Color}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_variations_of_every_game_are_read_back(game: GameType) -> None:
    """Two games that part after some turns; captures, relocations and swaps among them."""
    rng = random.Random(game.name)
    for shared in (0, 1, 2, 5, 9):
        main = Session(game, *(game.size if game.smallest == game.largest else (5, 5)))
        play_turns(main, shared, rng)
        other = main.copy()
        play_turns(main, 6, rng)
        play_turns(other, 7, rng)
        text = variations_to_sgf(main, joined(main.turns(), other.turns()))
        record = read_sgf(text, Usual(game))[0].read_tree()
        found = [Session.at(game, record.start, line).turns() for line in lines(record)]
        assert found == [main.turns()] + [other.turns()] * (other.turns() != main.turns())


def play_turns(session: Session, count: int, rng: random.Random) -> None:
    """So many whole turns, or fewer to the end."""
    end = len(session.turns()) + count
    while not session.is_over and (len(session.turns()) < end or session.position.mid_turn):
        session.play(session.to_move, rng.choice(session.position.legal_moves()), comment="Why?")


def joined(main: list[Turn], other: list[Turn]) -> list[Variation]:
    """Returns the tree of two games, their common turns once."""
    if main[:1] == other[:1] and main:
        return [Variation(main[0], joined(main[1:], other[1:]))]
    return [Variation(turns[0], joined(turns[1:], [])) for turns in (main, other) if turns]
