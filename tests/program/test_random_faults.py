"""Whatever happens to the program from outside at random moments: no answer is wrong, no traceback.

Each test compares with the undisturbed responses of the same session. `nightly` runs are longer.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest
from clients import PATIENCE, Program, bounded, run, split_answers
from duels import FILLER, TWIN, duel, player

from pinchtp.base.process import ExitStatus
from pinchtp.base.sqlite import StoreError
from pinchtp.match.record import Termination
from pinchtp.match.results.store import MatchStore

pytestmark = pytest.mark.slow

OPTIONS = ["--visits", "60", "--seed", "1", "--memory", "16", "--size", "7", "--no-ponder"]
SESSION = "".join(
    f"{line}\n"
    for line in [
        *("name", "play b a1", "play w pass", "showboard", "clear_board"),
        *(["genmove b", "genmove w", "pinchtp-printboard", "undo"] * 6),
        *("lz-genmove_analyze b", "printsgf", "pinchtp-legal", "final_score", "list_commands"),
        *("pinchtp-game capture-go", "genmove b", "genmove w", "nonsense", "showboard"),
    ]
).encode()
SOME = [1, 2]
MANY = pytest.mark.parametrize(
    "seed", [*SOME, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(3, 40))]
)

HARMLESS = [signal.SIGWINCH, signal.SIGCHLD, signal.SIGURG, signal.SIGCONT]


@pytest.fixture(scope="module")
def in_peace() -> str:
    return run(*OPTIONS, sent=SESSION).stdout


def send_in_pieces(program: Program, source: random.Random, data: bytes = SESSION) -> None:
    """Sends in pieces, as over a slow network; stops when the reader is gone."""
    while data:
        size = source.choice([1, 3, 10, 100, 500])
        try:
            program.send(data[:size])
        except OSError:
            return
        data = data[size:]
        sleep(source.uniform(0, 0.01))


class RepeatedAction:
    """Repeats an action in a thread while the block runs."""

    def __init__(self, do: Callable[[], None]) -> None:
        self._do = do
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self._over.is_set():
            self._do()

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join(PATIENCE)


@MANY
def test_signals_change_no_answer(seed: int, in_peace: str) -> None:
    """It is stopped and continued, and gets signals that mean nothing, while it reads pieces."""
    source = random.Random(seed)
    with Program(*OPTIONS) as program:
        assert program.ask("# nothing\nname") == "= pinchtp"

        def disturb() -> None:
            sleep(source.uniform(0, 0.02))
            if source.random() < 0.3:
                os.kill(program.pid, signal.SIGSTOP)
                sleep(source.uniform(0, 0.02))
                os.kill(program.pid, signal.SIGCONT)
            os.kill(program.pid, source.choice(HARMLESS))

        with RepeatedAction(disturb):
            sender = random.Random(seed + 100)
            writing = threading.Thread(target=lambda: send_in_pieces(program, sender))
            writing.start()
            answers = [program.answer() for _ in split_answers(in_peace)]
            writing.join(PATIENCE)
        program.close_input()
        assert (program.rest(), program.ended()) == ("", (0, ""))
    assert answers == split_answers(in_peace)


def ends(program: Program, source: random.Random) -> set[int]:
    """Ends the program in a random way; returns the possible exit statuses."""
    number = source.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP, None, None])
    if number is None:
        program.close_input()
        return {0}
    os.kill(program.pid, number)
    return {ExitStatus.INTERRUPTED, -signal.SIGINT} if number == signal.SIGINT else {-number}


@MANY
def test_program_may_be_ended_at_any_moment(seed: int, in_peace: str) -> None:
    """Ended by end of input or a signal: its output is the beginning of a session."""
    source = random.Random(seed)
    with Program(*OPTIONS) as program:
        assert program.ask("name") == "= pinchtp"
        sender = random.Random(seed + 100)
        said = list[str]()
        reading = threading.Thread(target=lambda: said.append(program.rest()))
        reading.start()
        most = SESSION[: source.randrange(len(SESSION))]
        send_in_pieces(program, sender, most)
        sleep(source.uniform(0, 0.1))
        statuses = ends(program, source)
        reading.join(PATIENCE)
        status, notes = program.ended()
        assert status in statuses
        assert notes == ""
    # An incomplete last line counts as a line if the input ends there.
    whole = said[0].rpartition("\n\n")[0]
    last = whole.rpartition("\n\n")[0] if 0 in statuses else whole
    assert in_peace.startswith(last)


@MANY
def test_output_closed_at_any_moment(seed: int) -> None:
    source = random.Random(seed)
    with Program(*OPTIONS) as program:
        assert program.ask("name") == "= pinchtp"
        writing = threading.Thread(target=lambda: send_in_pieces(program, random.Random(seed)))
        writing.start()
        sleep(source.uniform(0, 0.5))
        program.close_output()
        writing.join(PATIENCE)
        with suppress(OSError):  # it may have noticed; if all was answered before, it does now
            program.send(b"name\n")
        assert program.ended() == (0, "")


# --- matches


def test_jumps_of_the_wall_clock_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of day goes by years, forwards and backwards, at each look at it."""
    source = random.Random(1)
    monkeypatch.setattr(time, "time", lambda: source.uniform(0, 2e9))
    record = duel(FILLER, TWIN)
    assert (record.termination, record.failed) == (Termination.RULES, None)
    assert 0 < record.seconds < PATIENCE
    assert all(0 < move.seconds < PATIENCE for move in record.moves)


GAMES = 40
ENGINES = (player("FixedOrder", name="a"), player("Twin", name="b"))
ENDED = {
    signal.SIGINT: {ExitStatus.INTERRUPTED, -signal.SIGINT},
    signal.SIGTERM: {ExitStatus.INTERRUPTED, -signal.SIGTERM},
    signal.SIGHUP: {ExitStatus.INTERRUPTED, -signal.SIGHUP},
}


# Waits for Python's own start: earlier signals never reach the program.
AS_MAIN = (
    "import runpy; print('started', flush=True); "
    "runpy.run_module('pinchtp', run_name='__main__', alter_sys=True)"
)


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(2, 40))]
)
def test_match_interrupted_at_any_moment_resumes(seed: int, tmp_path: Path) -> None:
    """By any termination signal, again and again: it continues, and is complete."""
    source = random.Random(seed)
    db = tmp_path / "match.db"
    options = [f"--engine={each.name}={each.command}" for each in ENGINES]
    options += ["--size=5", f"--games={GAMES}", "--jobs=2", f"--db={db}", "--quiet"]
    command = [sys.executable, "-P", "-c", AS_MAIN, "match", *options]
    known = set[tuple[int, str]]()
    for _ in range(4):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout is not None
        with bounded(process):
            assert process.stdout.readline() == b"started\n"
        sleep(source.uniform(0.3, 3))
        number = source.choice(list(ENDED))
        process.send_signal(number)
        _, notes = process.communicate(timeout=PATIENCE)
        assert process.returncode in ENDED[number] | {0}
        assert b"pinchtp/cli.py" not in notes, notes.decode()
        if db.exists():
            now = stored(db)
            assert known <= now
            known = now
    assert subprocess.run(command, check=False, timeout=3 * PATIENCE).returncode == 0
    assert known <= stored(db)
    assert {number for number, _ in stored(db)} == set(range(GAMES))


def stored(db: Path) -> set[tuple[int, str]]:
    """Returns the games of a store, by number, with their moves; none before its first write."""
    try:
        store = MatchStore.open(db)
    except StoreError as error:
        if "no match has started in it" not in str(error):
            raise
        return set()
    with store:
        return {
            (record.game.number, " ".join(move.text for move in record.moves))
            for record in store.records()
        }
