"""Engines brought to positions of sessions by as few commands as possible."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from boards import pinch
from client.test_engine import scripted
from clients import PATIENCE

from pinchtp.client import NotSupported, ProtocolError
from pinchtp.client.position import EnginePosition
from pinchtp.games import Color
from pinchtp.games.session import Session


class Driven:
    """A started engine with a position, and the commands that it is sent."""

    def __init__(self, tmp_path: Path, **answers: str) -> None:
        self.engine = scripted(tmp_path, {"list_commands": "= undo", **answers})
        self.engine.start()
        self.position = EnginePosition(self.engine)

    def sent(self, session: Session) -> list[str]:
        """The commands that bring the engine to a session's position."""
        self.engine.transcript.clear()
        self.position.go_to(session)
        return [line[2:] for line in self.engine.transcript.lines() if line.startswith("> ")]


Drive = Callable[..., Driven]


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Drive]:
    """Starts engines that respond so; they are killed at the end."""
    engines = []

    def started(**answers: str) -> Driven:
        engines.append(Driven(tmp_path, **answers))
        return engines[-1]

    yield started
    for each in engines:
        each.engine.kill()


def test_go_to_sends_only_differences(drive: Drive) -> None:
    driven = drive()
    assert driven.sent(pinch(moves="C3 D4")) == [
        *("boardsize 5", "clear_board", "play b C3", "play w D4")
    ]
    assert driven.sent(pinch(moves="C3 D4 B2")) == ["play b B2"]
    assert driven.sent(pinch(moves="C3 D4 A1")) == ["undo", "play b A1"]
    assert driven.sent(pinch(moves="C3 D4 A1")) == []
    assert driven.sent(pinch(moves="A1 B1")) == [
        *("boardsize 5", "clear_board", "play b A1", "play w B1")
    ]


def test_go_to_after_restart_begins_again(drive: Drive) -> None:
    driven = drive()
    driven.sent(pinch(moves="C3"))
    driven.engine.kill()
    driven.engine.start()
    assert driven.sent(pinch(moves="C3")) == ["boardsize 5", "clear_board", "play b C3"]


def test_go_to_swap_sends_pass(drive: Drive) -> None:
    driven = drive()
    assert driven.sent(pinch(moves="C3 swap"))[2:] == ["play b C3", "play w pass"]


def test_go_to_start_of_other_than_stones_is_not_supported(drive: Drive) -> None:
    driven = drive(list_commands="= set_position\nundo")
    session = pinch()
    cells = bytes([1]) + bytes(24)
    session.set_up(session.position_of(cells, Color.BLACK))
    assert driven.sent(session)[2:] == ["set_position b A1"]
    session.set_up(session.position_of(cells, Color.WHITE))
    assert driven.sent(session)[2:] == ["set_position b A1"]
    session.set_up(session.position_of(cells, Color.BLACK, swapped=True))
    with pytest.raises(NotSupported, match="only stones"):
        driven.sent(session)


@pytest.mark.parametrize("rules", ["{}", '{"pie": true}', '{"koRule": "SIMPLE"}', "[1]", "no JSON"])
def test_go_to_accepts_engines_of_same_or_unknown_rules(drive: Drive, rules: str) -> None:
    driven = drive(list_commands="= kata-get-rules", **{"kata-get-rules": f"= {rules}"})
    assert driven.sent(pinch()) == ["boardsize 5", "clear_board", "kata-get-rules"]


def test_go_to_other_rules_is_not_supported(drive: Drive) -> None:
    driven = drive(list_commands="= kata-get-rules", **{"kata-get-rules": '= {"pie": false}'})
    with pytest.raises(NotSupported, match="start it with --game pinch --pie"):
        driven.sent(pinch())


def test_go_to_without_undo_begins_again(drive: Drive) -> None:
    driven = drive(undo="? cannot undo")
    driven.sent(pinch(moves="C3 D4"))
    assert driven.sent(pinch(moves="C3 E5")) == [
        *("boardsize 5", "clear_board", "play b C3", "play w E5")
    ]


@pytest.mark.parametrize(("move", "text"), [("d4", "D4"), ("RESIGN", "resign")])
def test_genmove_is_read_by_rules(drive: Drive, move: str, text: str) -> None:
    driven = drive(genmove=f"= {move}")
    session = pinch(moves="C3")
    driven.sent(session)
    generated = driven.position.genmove(session, PATIENCE)
    assert generated.move == text
    assert bool(generated.moves) == (text != "resign")
    if generated.moves:
        session.play(session.to_move, *generated.moves)
        assert driven.sent(session) == []
    else:  # the program may count it as a move or not
        assert driven.sent(session) == ["boardsize 5", "clear_board", "play b C3"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("= C3", "played C3, which is not legal: C3 is occupied"),
        ("= Z9", "played Z9, which is not legal"),
        ("? tired", "rejected genmove: tired"),
    ],
)
def test_genmove_illegal_is_protocol_error(drive: Drive, answer: str, reason: str) -> None:
    driven = drive(genmove=answer)
    session = pinch(moves="C3")
    driven.sent(session)
    with pytest.raises(ProtocolError, match=reason):
        driven.position.genmove(session, PATIENCE)
