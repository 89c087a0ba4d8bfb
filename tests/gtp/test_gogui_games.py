"""Every game through GoGui's ruler: in random games it agrees with the rulebook, and GoGui could
show each answer.
"""

import random
import re
from collections import Counter

import bushka_boards
import pytest
from clients import server
from games.test_bushka_notation import AMBIGUOUS
from gtp.test_gogui import QUESTIONS, say
from reference.bushka import SQUARES, Bushka
from rulebooks import Follower, followed

from pinchtp._core import PASS, SWAP
from pinchtp.games import GAMES
from pinchtp.games.notation import COLUMNS, coordinates, format_move, parse_move, point
from pinchtp.gtp.server import Server

SIZES = [(3, 3), (5, 4), (7, 7)]
LARGE = [(2, 2), (2, 5), (4, 9), (9, 9), (15, 3), (4, 16), (25, 2), (2, 25)]  # from 15: wide layout

MOST_PARTS = 400  # of the turns of a game before it is abandoned

# GoGui's graphics commands that we use, with points as arguments.
ON_POINTS = {"CIRCLE", "MARK", "SQUARE", "TRIANGLE"}


def games() -> list[object]:
    """Games and boards: the only board there is, or several small ones."""
    found: list[object] = []
    for game in GAMES.values():
        if game.smallest == game.largest:
            found.append((game.name, *game.size))
            continue
        found += [(game.name, *size) for size in SIZES]
        found += [pytest.param(game.name, *size, marks=pytest.mark.slow) for size in LARGE]
    return found


def started(game: str, width: int, height: int, rng: random.Random) -> tuple[Server, Follower]:
    """A new game, by the options that it has, in the engine and in the rulebook."""
    options = {"pie": rng.random() < 0.7} if GAMES[game].swaps else {}
    if "crosscut" in GAMES[game].rules() and max(width, height) > 3:
        options["crosscut"] = rng.random() < 0.5
    return server(width, height, game=game, **options), followed(game, width, height, **options)


def choose(rng: random.Random, legal: list[str], follower: Follower) -> str:
    """Returns a swap half of the time it is legal, and a pass only if nothing else is."""
    if SWAP in follower.moves() and rng.random() < 0.5:
        return "pass"
    return rng.choice([move for move in legal if move != "pass"] or legal)


@pytest.mark.parametrize(("game", "width", "height"), games())
def test_random_games(game: str, width: int, height: int) -> None:
    """Moves come from the ruler's lists, and every position is asked everything."""
    rng = random.Random(f"{game}{width}x{height}")
    for _ in range(3):
        engine, follower = started(game, width, height, rng)
        play_on(engine, follower, rng)


def play_on(
    engine: Server, follower: Follower, rng: random.Random, begin: str = "clear_board"
) -> None:
    """A random game to its end, or for long enough. begin: how the board it starts from is made."""
    for _ in range(MOST_PARTS):
        assert_like_the_book(engine, follower)
        assert_graphics(engine, follower)
        if rng.random() < 0.05:
            assert_told_again(engine, begin)
        legal = say(engine, "gogui-rules_legal_moves").split()
        if not legal:
            assert follower.book.winner
            return
        move = choose(rng, legal, follower)
        code = parse_move(move, engine.engine.session.position)
        say(engine, f"play {say(engine, 'gogui-rules_side_to_move')} {move}")
        follower.play(code)


def test_kings_are_shown_on_set_up_boards() -> None:
    """On random set-up boards: random games rarely get that far."""
    rng = random.Random(5)
    books = [bushka_boards.random_set_up(rng) for _ in range(15)]
    kings = 0
    for book in books:
        engine = server(10, game="bushka")
        follower = Follower(book)
        begin = f"pinchtp-loadboard {picture_of(book)}"
        say(engine, begin)
        play_on(engine, follower, rng, begin)
        kings += len(follower.kings)
    assert kings > 10


@pytest.mark.parametrize("victim", ["D3", "E3"])
def test_ambiguous_capture_takes_three_steps(victim: str) -> None:
    """Two captures lead from D5 to E4; they differ in the piece taken."""
    follower = Follower(AMBIGUOUS)
    engine = server(10, game="bushka")
    say(engine, f"pinchtp-loadboard {picture_of(AMBIGUOUS)}")
    for part in ("D5", "E4", victim):
        assert part in say(engine, "gogui-rules_legal_moves").split()
        say(engine, f"play b {part}")
        follower.play(point_of(part))
        assert_like_the_book(engine, follower)
        assert_graphics(engine, follower)
    assert not follower.steps
    assert len(follower.captured) == 2


def picture_of(book: Bushka) -> str:
    """The argument of pinchtp-loadboard."""
    signs = dict.fromkeys(SQUARES, ".") | dict.fromkeys(book.black_men, "X")
    signs |= dict.fromkeys(book.white_men, "O") | dict.fromkeys(book.black_kings, "B")
    signs |= dict.fromkeys(book.white_kings, "W")
    rows = ("".join(signs.get((x, y), "?") for x in range(10)) for y in reversed(range(10)))
    return f"{'/'.join(rows)} {book.to_move[0]}"


# --- the rules


def assert_like_the_book(engine: Server, follower: Follower) -> None:
    book = follower.book
    square = max(position_size(engine))
    assert say(engine, "gogui-rules_board_size") == str(square)
    assert say(engine, "gogui-rules_board") == board_of(follower, square)
    moves = ["pass" if move in (SWAP, PASS) else format_move(move) for move in follower.moves()]
    assert say(engine, "gogui-rules_legal_moves") == " ".join(dict.fromkeys(moves))
    assert say(engine, "gogui-rules_captured_count") == "{} {}".format(*follower.lost)
    result = say(engine, "gogui-rules_final_result")
    assert say(engine, "winner") == (book.winner or "none")
    if book.winner is None:
        assert say(engine, "gogui-rules_side_to_move") == book.to_move
        assert result == f"{book.to_move.capitalize()} to move"
    elif book.winner == "draw":
        assert result.startswith("Draw")
        assert say(engine, "final_score") == "0"
    else:
        assert result.startswith(f"{book.winner.capitalize()} wins")
        if engine.engine.session.game.sides:
            is_first = book.owner_of_top_bottom == book.winner
            assert result.endswith(
                "top and bottom are joined" if is_first else "left and right are joined"
            )
        assert say(engine, "final_score") == f"{book.winner[0].upper()}+R"


def position_size(engine: Server) -> tuple[int, int]:
    position = engine.engine.session.position
    return position.width, position.height


def board_of(follower: Follower, square: int) -> str:
    """Returns the rows from the top, `?` where the square has no point of the board."""
    signs = {"black": "X", "white": "O"}
    cells = dict.fromkeys(follower.points, ".")
    cells |= {at: signs[color] for at, color in follower.book.stones().items()}
    rows = [[cells.get((x, y), "?") for x in range(square)] for y in reversed(range(square))]
    return "\n".join(map(" ".join, rows))


def assert_told_again(engine: Server, begin: str) -> None:
    """GoGui sends its ruler the whole game again for every ply."""
    answers = [say(engine, question) for question in [*QUESTIONS, "gogui-rules_board_gfx"]]
    history = say(engine, "pinchtp-history")
    say(engine, begin)
    say(engine, f"gogui-play_sequence {history}")
    again = [say(engine, question) for question in [*QUESTIONS, "gogui-rules_board_gfx"]]
    assert again == answers


# --- the graphics


def assert_graphics(engine: Server, follower: Follower) -> None:
    lines = [line for line in say(engine, "gogui-rules_board_gfx").split("\n") if line]
    points = {format_move(point(*at)) for at in follower.points}
    missing = missing_points(points, position_size(engine))
    shown = shown_on_points(lines, points, missing)
    assert bool(missing) == any(line.startswith("COLOR #000000") for line in lines)
    stones = follower.book.stones()
    # Of a complete turn, the pieces still on the board; of an incomplete one, every chosen point.
    latest = [at for at in map(coordinates, follower.latest) if at in follower.points]
    assert shown["SQUARE"] == (set(latest) if follower.steps else set())
    swaps = set(latest) if SWAP in follower.moves() else set()
    assert shown["MARK"] == (set() if follower.steps else set(latest) & stones.keys() - swaps)
    assert shown["CIRCLE"] == follower.captured
    assert shown["TRIANGLE"] == follower.atari
    kings, banned = dict.fromkeys(follower.kings, "K"), dict.fromkeys(follower.banned, "x")
    assert labels_of(lines) == kings | banned | dict.fromkeys(swaps, "swap")
    assert text_of(lines) or follower.book.winner is None


def shown_on_points(
    lines: list[str], points: set[str], missing: set[str]
) -> dict[str, set[tuple[int, int]]]:
    """Returns the points of each symbol. Asserts that each is on the board, or that missing ones
    share one color, and that none has two colors.
    """
    shown: dict[str, set[tuple[int, int]]] = {word: set() for word in ON_POINTS}
    colored: Counter[str] = Counter()
    for line in lines:
        word, *arguments = line.split()
        if word == "COLOR":
            assert re.fullmatch("#[0-9a-f]{6}", arguments.pop(0))
            colored.update(arguments)
            if set(arguments) == missing:
                continue
        elif word in ON_POINTS:
            assert not shown[word]
            shown[word] = {coordinates(point_of(name)) for name in arguments}
        else:
            assert word in ("LABEL", "TEXT")
            continue
        assert arguments
        assert points >= set(arguments), "drawn outside the board"
    assert max(colored.values(), default=0) <= 1
    return shown


def missing_points(points: set[str], size: tuple[int, int]) -> set[str]:
    """Returns the points of GoGui's square that a board does not have."""
    square = range(max(size))
    return {format_move(point(x, y)) for x in square for y in square} - points


def point_of(vertex: str) -> int:
    return point(COLUMNS.index(vertex[0]), int(vertex[1:]) - 1)


def labels_of(lines: list[str]) -> dict[tuple[int, int], str]:
    words = [line.split() for line in lines if line.startswith("LABEL ")]
    assert all(len(each) == 3 for each in words), "GoGui reads one word as a label"
    return {coordinates(point_of(vertex)): label for _, vertex, label in words}


def text_of(lines: list[str]) -> str:
    texts = [line for line in lines if line.startswith("TEXT ")]
    assert len(texts) <= 1, "GoGui opens a window for a second line"
    return "".join(texts).removeprefix("TEXT ")
