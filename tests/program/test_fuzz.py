"""A short form of tools/fuzz: its corpus, which holds what once failed, and some random inputs."""

from __future__ import annotations

import sys
from itertools import islice

import pytest
from clients import FOLDER

sys.path.append(str(FOLDER.parent / "tools"))

from fuzz.run import CORPUS, corpus, inputs
from fuzz.sessions import Fault, Play
from fuzz.source import Source
from fuzz.targets import TARGETS

from pinchtp.games.session import Session
from pinchtp.gtp.errors import GtpError

RANDOM = {"sessions": 40}  # inputs; of the others more


def test_every_target_has_a_corpus() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
    assert all(map(corpus, TARGETS))


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_is_too_strange(name: str) -> None:
    for data in islice(inputs(name, seed=7), len(corpus(name)) + RANDOM.get(name, 1000)):
        TARGETS[name](data)


def test_sessions_get_somewhere() -> None:
    """They would hold nothing if all of their lines were refused."""
    made = accepted = 0
    for data in islice(inputs("sessions", seed=3), 20):
        play = Play(Source(data))
        play.run()
        made += len(play.server.engine.session.history)
        accepted += play.accepted
    assert made > 40
    assert accepted > 100


def test_faults_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal that changes something, an internal error, and a position that is not replayed."""

    def half_made(session: Session, *arguments: object, **more: object) -> None:
        session.resign(session.to_move)
        raise GtpError("syntax error")

    def broken(session: Session, *arguments: object, **more: object) -> None:
        raise ZeroDivisionError

    def forgetful(session: Session, *arguments: object, **more: object) -> None:
        session.history.append(session.history[-1])

    for wrong, reason in [
        (half_made, "a refusal has changed something"),
        (broken, "internal error"),
        (forgetful, "an illegal move in the history"),
    ]:
        play = Play(Source(b""))
        play.send("play b a1")
        with monkeypatch.context() as patched:
            patched.setattr(Session, "play", wrong)
            patched.setattr(Session, "restore", lambda session, saved: None)
            with pytest.raises(Fault, match=reason):
                play.send("play w b2")
