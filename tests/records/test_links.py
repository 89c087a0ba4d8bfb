"""Games as links: there and back, short enough, and refused in words."""

import random
import re
from contextlib import suppress

import pytest
from record_games import random_session

from pinchtp.board.importing import read
from pinchtp.board.table import Table
from pinchtp.board.tree import RequestError
from pinchtp.games import GAMES, GameType
from pinchtp.games.session import Session
from pinchtp.records.link import link_text, load_link


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_links_survive_the_round_trip(game: GameType) -> None:
    rng = random.Random(f"links {game.name}")
    for _ in range(40):
        session = random_session(game, rng)
        text = link_text(session)
        assert re.fullmatch(r"#game=[\w\-./:,+;=%]*", text)
        again = load_link(text)
        assert (again.start, again.moves, again.resigned, again.position) == (
            session.start,
            session.moves,
            session.resigned,
            session.position,
        )


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_hundred_turns_have_less_than_2000_characters(game: GameType) -> None:
    rng = random.Random(1)
    size = game.size if game.smallest == game.largest else (19, 19)
    session = Session(game, *size)
    while len(session.turns()) < 100 and not session.is_over:
        session.play(session.to_move, rng.choice(session.position.legal_moves()))
    assert len(link_text(session)) < 2000


def test_options_and_address_are_read() -> None:
    session = Session(GAMES["capture-go"], 6, 6, pie=True, crosscut=True)
    link = link_text(session)
    assert link == "#game=capture-go;6x6;pie=true;crosscut=true;"
    for text in (link, link.replace(";", "%3B")):  # as some programs escape addresses
        again = load_link("http://localhost:8000/" + text)
        assert again.options == session.options
        assert again.start == session.start


@pytest.mark.parametrize(
    ("fragment", "reason"),
    [
        ("pinch", "expected a game, a size and moves, such as pinch;9x9;e5.c3"),
        ("go;9x9;", "expected a game and a size first"),
        ("pinch;99x9;", "unacceptable size"),
        ("pinch;9x9;foo=1;", "no option 'foo'"),
        ("pinch;9x9;width=3;e5", "no option 'width'"),
        ("pinch;9x9;height=3;e5", "no option 'height'"),
        ("pinch;9x9;self=3;e5", "no option 'self'"),
        ("pinch;9x9;game=3;e5", "no option 'game'"),
        ("pinch;9x9;e5.e5", "move 2, 'e5': E5 is occupied"),
        ("pinch;9x9;at=nonsense;", "cannot load"),
    ],
)
def test_invalid_links_are_rejected_with_a_reason(fragment: str, reason: str) -> None:
    with pytest.raises(RequestError, match="cannot load this link") as refused:
        read(f"#game={fragment}", Table())
    assert reason in str(refused.value)


def test_any_fragment_loads_or_is_refused() -> None:
    rng = random.Random("fragments")
    parts = [
        *GAMES,
        "5x5",
        "9x9",
        "99x1",
        "at=",
        "at=5/5",
        "width=3",
        "self=1",
        "pie=true",
        "pie=",
        "a1.b2",
        "swap",
        "resign-b",
        "%ff",
        "%00",
        "=",
        "\u0661x\u0661",
        "e5.e5",
    ]
    for _ in range(2000):
        fragment = ";".join(rng.choices(parts, k=rng.randrange(1, 7)))
        if rng.random() < 0.5:
            fragment = rng.choice(["pinch;5x5;", "bushka;8x8;"]) + fragment
        with suppress(RequestError):
            read(f"#game={fragment}", Table())
