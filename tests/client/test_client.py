"""The watched subprocess: no engine may hang, flood or outlive who talks to it."""

import doctest
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, process_time, sleep

import pytest
from clients import PATIENCE, bounded, put_on_path
from processes import python, running, wait_until_gone

import pinchtp.client
from pinchtp.client import (
    LINE_END,
    CommandRefused,
    EngineDied,
    EngineStartError,
    EngineTimeout,
    GtpClient,
    ProtocolError,
    Response,
    Transcript,
    UnexpectedOutput,
    merge_transcripts,
    program_name,
    split_command,
)
from pinchtp.client.client import MAX_STDERR
from pinchtp.client.transcript import MAX_MERGED

SHORT = 0.3  # waited for where nothing should come

# Responds to every line with the part of it after an `=`.
ECHO = """
import os
rest = b""
while data := os.read(0, 65536):
    *lines, rest = (rest + data).split(b"\\n")
    os.write(1, b"".join(b"= " + line + b"\\n\\n" for line in lines))
"""
DEAF = "import time; time.sleep(1000)"

Start = Callable[..., GtpClient]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts an engine from its source in Python; it is closed at the end."""
    engines = []

    def started(code: str = ECHO, **options: object) -> GtpClient:
        engines.append(GtpClient(python(code), **options))  # type: ignore[arg-type]
        return engines[-1]

    yield started
    for engine in engines:
        engine.close()


def answering(answer: str) -> str:
    """The source of an engine that answers each line by these characters."""
    return f"import os, sys\nfor line in sys.stdin.buffer:\n  os.write(1, {answer.encode()!r})"


def test_example_of_the_package_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put_on_path(monkeypatch, tmp_path)
    failed, tried = doctest.testmod(pinchtp.client)
    assert failed == 0
    assert tried > 0


# --- commands and answers


def test_command_gets_its_response(start: Start) -> None:
    answer = start().send("play b D4", PATIENCE)
    assert (answer.ok, answer.id, answer.text) == (True, None, "play b D4")
    assert 0 < answer.seconds < PATIENCE


def test_commands_are_answered_in_order(start: Start) -> None:
    engine = start()
    assert [engine.ask(f"x {number}", PATIENCE) for number in range(100)] == [
        f"x {number}" for number in range(100)
    ]


def test_error_response_raises_only_in_ask(start: Start) -> None:
    engine = start(answering("? illegal move\n\n"))
    answer = engine.send("play b D4", PATIENCE)
    assert (answer.ok, answer.text) == (False, "illegal move")
    with pytest.raises(CommandRefused, match=r"^illegal move$"):
        engine.ask("play b D4", PATIENCE)


@pytest.mark.parametrize(
    ("raw", "ok", "number", "text"),
    [
        (b"= \n\n", True, None, ""),
        (b"=\n\n", True, None, ""),
        (b"= D4\n\n", True, None, "D4"),
        (b"=D4\n\n", True, None, "D4"),
        (b"=7 D4\n\n", True, 7, "D4"),
        (b"=7\n\n", True, 7, ""),
        (b"?7 no\n\n", False, 7, "no"),
        (b"= a\nb\n\n", True, None, "a\nb"),
        (b"= \na\nb\n\n", True, None, "\na\nb"),
        (b"= a\r\nb\r\n\r\n", True, None, "a\nb"),
        (b"\n= a\n\n", True, None, "a"),
        (b"= \xc3\xa9\n\n", True, None, "é"),
        (b"=   two\n\n", True, None, "two"),
    ],
)
def test_unusual_responses_are_read(raw: bytes, ok: bool, number: int | None, text: str) -> None:
    assert Response.parse(raw, 0.5) == Response(ok, number, text, 0.5)


@pytest.mark.parametrize("raw", [b"\n\n", b"D4\n\n", b"info x\n= D4\n\n", b" = D4\n\n"])
def test_malformed_response_is_an_error(raw: bytes) -> None:
    with pytest.raises(ProtocolError, match="sent a malformed response"):
        Response.parse(raw)


def test_carriage_returns_and_extra_blank_lines_are_tolerated(start: Start) -> None:
    engine = start(answering("= a\r\n\r\n\r\n"))
    assert [engine.ask("x", PATIENCE) for _ in range(5)] == ["a"] * 5


@pytest.mark.parametrize("command", ["", "  ", "# name", "name\nname"])
def test_command_without_single_response_is_refused(start: Start, command: str) -> None:
    with pytest.raises(ValueError, match="not one command"):
        start().send(command, PATIENCE)


def test_any_bytes_survive(start: Start) -> None:
    name = b"\xff\xfe".decode("utf-8", "surrogateescape")
    assert start().ask(f"loadsgf {name}é", PATIENCE) == f"loadsgf {name}é"


# --- what goes wrong


def test_silence_ends_at_the_deadline(start: Start) -> None:
    engine = start(DEAF)
    began = monotonic()
    with pytest.raises(EngineTimeout, match=r"did not respond to 'name' within 0\.3 s$"):
        engine.send("name", SHORT)
    assert monotonic() - began < PATIENCE / 2


def test_half_an_answer_is_shown(start: Start) -> None:
    engine = start(answering("= half"))
    engine.write(b"name\n", PATIENCE)
    assert engine.await_output(PATIENCE)
    with pytest.raises(EngineTimeout, match=r"within 0\.3 s, but sent '= half'"):
        engine.read(SHORT)


def test_blank_answers_are_none(start: Start) -> None:
    with pytest.raises(EngineTimeout):
        start(answering("\n\n")).send("name", SHORT)


def test_late_response_is_not_taken_for_another(start: Start, tmp_path: Path) -> None:
    go = tmp_path / "go"
    wait = f"while not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
    engine = start(
        "import time\n" + answering("= late\n\n").replace("  os.write", f"  {wait}  os.write")
    )
    with pytest.raises(EngineTimeout):
        engine.send("genmove b", 0.05)
    with pytest.raises(EngineTimeout, match="has yet to respond to 'genmove b'"):
        engine.send("name", PATIENCE)
    go.touch()
    assert engine.response(PATIENCE).text == "late"
    assert engine.ask("name", PATIENCE) == "late"


def test_crash_reports_status_and_stderr(start: Start) -> None:
    with pytest.raises(EngineDied, match=r"ended with exit status 3: out of memory$"):
        start(
            "import sys, os\ninput(); os.write(2, b'loading\\nout of memory\\n'); os._exit(3)"
        ).send("name", PATIENCE)


def test_dead_engine_is_dead_for_later_commands(start: Start) -> None:
    engine = start("import os\ninput(); os._exit(3)")
    for _ in range(3):
        with pytest.raises(EngineDied, match=r"ended with exit status 3$"):
            engine.send("name", PATIENCE)


def test_signal_is_reported(start: Start) -> None:
    with pytest.raises(EngineDied, match="ended with signal 9"):
        start("import os\ninput(); os.kill(os.getpid(), 9)").send("name", PATIENCE)


def test_output_before_death_is_read(start: Start) -> None:
    engine = start("import os\ninput(); os.write(1, b'= bye\\n\\n'); os._exit(0)")
    assert engine.ask("quit", PATIENCE) == "bye"
    assert engine.wait(PATIENCE) == 0
    with pytest.raises(EngineDied):
        engine.send("name", PATIENCE)


def test_closed_output_counts_as_dead(start: Start) -> None:
    with pytest.raises(EngineDied, match="closed its standard output, but still runs"):
        start("import os, time\nos.close(1); time.sleep(1000)").send("name", PATIENCE)


def test_death_is_noticed_despite_a_child_process(start: Start) -> None:
    began = monotonic()
    with pytest.raises(EngineDied, match="ended with exit status 1"):
        start("import os, time\nif os.fork():\n  os._exit(1)\ntime.sleep(1000)").send("x", PATIENCE)
    assert monotonic() - began < PATIENCE / 2


def test_banner_is_unexpected_output(start: Start) -> None:
    engine = start("import os\nos.write(1, b'Welcome\\n')\n" + ECHO)
    assert engine.await_output(PATIENCE)
    with pytest.raises(UnexpectedOutput, match="unexpected output: 'Welcome"):
        engine.send("name", PATIENCE)


def test_endless_output_is_cut_off(start: Start) -> None:
    engine = start("import os\nwhile True:\n  os.write(1, b'x' * 65536)", max_answer=1 << 20)
    with pytest.raises(UnexpectedOutput, match="exceeded the response limit of 1048576 bytes"):
        engine.read(PATIENCE)


def test_endless_blank_lines_end_at_the_deadline(start: Start) -> None:
    engine = start("import os\nwhile True:\n  os.write(1, b'\\n\\n')")
    began = monotonic()
    with pytest.raises((EngineTimeout, UnexpectedOutput)):
        engine.send("name", SHORT)
    assert monotonic() - began < PATIENCE / 2


def test_writing_to_a_deaf_engine_ends_at_the_deadline(start: Start) -> None:
    with pytest.raises(EngineTimeout, match="does not read its standard input"):
        start(DEAF).write(b"name\n" * 1_000_000, SHORT)


@pytest.mark.parametrize(
    "command", ["", "'open", "/no/such/program", "/etc/passwd", [], ["/"]], ids=repr
)
def test_unstartable_engine_is_an_error(command: str | list[str]) -> None:
    with pytest.raises(EngineStartError):
        GtpClient(command)


def test_missing_folder_is_named() -> None:
    with pytest.raises(EngineStartError, match="in /no/such: No such file"):
        GtpClient(python(ECHO), cwd="/no/such")


# --- raw bytes


def test_floods_in_both_directions_do_not_block_each_other(start: Start) -> None:
    engine = start()
    engine.write(b"0123456789\n" * 100_000, PATIENCE)
    for _ in range(100_000):
        assert engine.read(PATIENCE) == b"= 0123456789\n\n"


def test_lines_can_be_read_one_by_one(start: Start) -> None:
    engine = start(answering("= \ninfo 1\ninfo 2\n\n"))
    engine.write(b"lz-analyze 10\n", PATIENCE)
    lines = [engine.read(PATIENCE, LINE_END) for _ in range(4)]
    assert lines == [b"= \n", b"info 1\n", b"info 2\n", b"\n"]


def test_unread_output_is_collected(start: Start) -> None:
    engine = start()
    assert engine.collect(0.05) == b""
    engine.write(b"a\nb\n", PATIENCE)
    assert engine.await_output(PATIENCE)
    assert engine.collect(0.1) == b"= a\n\n= b\n\n"


def test_closed_input_ends_the_engine(start: Start) -> None:
    engine = start()
    engine.close_input()
    assert engine.wait(PATIENCE) == 0
    with pytest.raises(ValueError, match="closed"):
        engine.write(b"name\n", PATIENCE)


def test_close_sends_quit_before_killing() -> None:
    polite = "import sys\nfor line in sys.stdin:\n  print('= \\n', flush=True); sys.exit(5)"
    assert GtpClient(python(polite)).quit(PATIENCE) == 5
    began = monotonic()
    assert GtpClient(python(DEAF)).quit(SHORT) is None
    assert monotonic() - began < PATIENCE / 2


# --- standard error, transcript, surroundings


def test_stderr_flood_does_not_block(start: Start) -> None:
    flood = "import os\nfor _ in range(100):\n  os.write(2, b'x' * 65536)\nos.write(2, b'end')\n"
    engine = start(flood + ECHO)
    assert engine.ask("name", PATIENCE) == "name"
    until = monotonic() + PATIENCE
    while not engine.stderr.endswith("end") and monotonic() < until:
        sleep(0.01)
    assert engine.stderr_size == 100 * 65536 + 3
    assert len(engine.stderr) == MAX_STDERR


def test_transcript_shows_both_sides(start: Start) -> None:
    engine = start()
    engine.ask("a b", PATIENCE)
    engine.close_input()
    assert engine.transcript.lines() == ["> a b", "< = a b", "< ", "! end of input"]


def test_transcript_keeps_latest_lines_only() -> None:
    transcript = Transcript(most=10_000)
    for number in range(100_000):
        transcript.add("<", b"%d\n" % number)
    assert sum(len(event.data) for event in transcript) < 10_000
    assert len(list(transcript)) < 1000
    assert transcript.lines()[-1] == "< 99999"


def test_transcript_keeps_lines_before_a_flood() -> None:
    transcript = Transcript(most=10_000)
    transcript.add(">", b"name\n")
    for _ in range(100):
        transcript.add("<", b"x" * 1000)
    transcript.add("<", b"end")
    kinds = [event.kind for event in transcript]
    assert kinds[:3] == [">", "!", "<"]
    assert transcript.lines()[:2] == ["> name", "! left out: the events before"]
    assert transcript.lines()[-1].endswith("xend")
    assert sum(len(event.data) for event in transcript) < 10_000
    for number in range(100):  # and it is forgotten in its turn
        transcript.add("<>"[number % 2], b"%d\n" % number)
    assert transcript.lines()[-1] == "> 99"
    assert "> name" not in transcript.lines()


def test_transcripts_are_merged_in_the_order_of_time() -> None:
    one, other = Transcript(), Transcript()
    one.add(">", b"genmove b\n")
    other.add("!", b"gone")
    one.add("<", b"= D4\n\n")
    lines = merge_transcripts({"black": one, "white": other}).split("\n")
    assert [line.split(maxsplit=1)[1] for line in lines] == [
        "black > genmove b",
        "white ! gone",
        "black < = D4",
    ]
    one.add("<", b"x" * 100_000)
    assert len(merge_transcripts({"black": one})) < 10_000
    assert merge_transcripts({}) == ""
    for _ in range(30):
        one.add("<", b"x" * 4000)
        other.add("<", b"y" * 4000)
    merged = merge_transcripts({"black": one, "white": other})
    assert MAX_MERGED - 5000 < len(merged) <= MAX_MERGED
    assert merged.split()[1] in {"black", "white"}  # the first line is complete


def test_engine_gets_folder_and_environment(start: Start, tmp_path: Path) -> None:
    code = """
import os
input()
print("=", os.getcwd(), os.environ["COLOR"], os.environ["PATH"], end="\\n\\n", flush=True)
"""
    answer = start(code, cwd=tmp_path, env={"COLOR": "red"}).ask("x", PATIENCE)
    assert answer == f"{tmp_path} red {os.environ['PATH']}"


def test_command_may_be_one_string() -> None:
    assert split_command("'my engine' --level=3 a\\ b") == ("my engine", "--level=3", "a b")
    assert program_name("'/opt/my engine/gnu' --gtp") == "gnu"
    with GtpClient(shlex.join(python(ECHO))) as engine:
        assert engine.ask("name", PATIENCE) == "name"


# --- what remains


def test_all_engine_processes_end(start: Start, tmp_path: Path) -> None:
    """Children, grandchildren, and orphans in other process groups."""
    token = f"{tmp_path}"
    sleeper = f"[sys.executable, '-c', 'import time; time.sleep(1000)', {token!r}]"
    code = f"""
import subprocess, sys
subprocess.Popen({sleeper})
subprocess.Popen({sleeper}, start_new_session=True)
subprocess.Popen(["sh", "-c", "setsid sleep 1000 {token} & sleep 1000 {token} &"]).wait()
print("= \\n", flush=True)
"""
    engine = GtpClient([sys.executable, "-c", code])
    engine.read(PATIENCE)
    assert len(running(token)) >= 2
    assert len(engine.members()) >= 2
    engine.close()
    assert running(token) == []
    assert engine.members() == set()


@pytest.mark.parametrize("signal", [9, 15, 2])
def test_engine_ends_with_killed_owner(tmp_path: Path, signal: int) -> None:
    token = f"{tmp_path}"
    engine = f"[sys.executable, '-S', '-c', {DEAF!r}, {token!r}]"
    owner = f"""
import sys
from pinchtp.client import GtpClient
engines = [GtpClient({engine}) for _ in range(3)]
print("ready", flush=True)
engines[0].read(1000)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", owner],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parent,
    )
    with process:
        assert process.stdout
        with bounded(process):
            assert process.stdout.readline()
        assert len(running(token)) >= 3
        process.send_signal(signal)
    wait_until_gone(token)


def test_closed_clients_leak_nothing() -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    with GtpClient(python(ECHO)) as engine:
        engine.ask("x", PATIENCE)
    before = descriptors()
    threads = threading.active_count()
    for _ in range(5):
        with GtpClient(python(ECHO)) as engine:
            engine.ask("x", PATIENCE)
        engine.close()
    assert (descriptors(), threading.active_count()) == (before, threads)


def test_engines_in_threads_do_not_disturb_each_other() -> None:
    answers: dict[int, list[str]] = {}

    def talk(number: int) -> None:
        with GtpClient(python(ECHO)) as engine:
            answers[number] = [engine.ask(f"{number} {each}", PATIENCE) for each in range(200)]

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert answers == {number: [f"{number} {each}" for each in range(200)] for number in range(8)}


def test_command_costs_little_time(start: Start) -> None:
    """Our CPU time per command; 13 µs measured on an idle machine."""
    engine = start()
    count = 2000
    best = float("inf")
    for _ in range(3):
        began = process_time()
        for _ in range(count):
            engine.send("name", PATIENCE)
        best = min(best, (process_time() - began) / count)
    assert best < 200e-6
