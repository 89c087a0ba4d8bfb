"""Fixtures of the board's tests: one server and one browser for all of them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from board.visits import Board, Visit
from threads import call_in_new_thread

if TYPE_CHECKING:  # playwright may be missing
    from board.page import Visitor
    from playwright.sync_api import Browser


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs tests that are coroutines."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(test).parameters}
    call_in_new_thread(lambda: asyncio.run(test(**given)))
    return True


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A server for tests that leave it running; fails at its end if it has printed a traceback."""
    with Board(tmp_path_factory.mktemp("board")) as made:
        yield made
        said = made.stop()
        assert "Traceback" not in said, said


@pytest.fixture
def visit(server: Board) -> Iterator[Visit]:
    """A new visitor, by the socket alone."""
    with server.visit() as made:
        yield made


@pytest.fixture(scope="session")
def desktop(browser: Browser, server: Board) -> Iterator[Visitor]:
    """A wide window, whose cache is shared by its visitors."""
    from board.page import Visitor  # noqa: PLC0415

    with Visitor(browser, server) as made:
        yield made


@pytest.fixture(scope="session")
def handheld(browser: Browser, server: Board) -> Iterator[Visitor]:
    """A phone, whose cache is shared by its visitors."""
    from board.page import PHONE, Visitor  # noqa: PLC0415

    with Visitor(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as made:
        yield made


@pytest.fixture(params=["desktop", pytest.param("handheld", marks=pytest.mark.nightly)])
def visitor(request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """A new visitor with a wide window; in nightly tests with a phone, too."""
    made: Visitor = request.getfixturevalue(request.param)
    made.arrive()
    yield made
    made.check()
    made.leave()


@pytest.fixture
def phone(handheld: Visitor) -> Iterator[Visitor]:
    """A new visitor with a phone."""
    handheld.arrive()
    yield handheld
    handheld.check()
    handheld.leave()
