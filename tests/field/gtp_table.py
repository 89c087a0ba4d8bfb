"""Measures clients and engines of GTP for the tables in pinchtp/gtp/README.md.

    PINCHTP_FIELD=FOLDER python tests/field/gtp_table.py

writes the tables; FOLDER has the programs (programs.py), and the system those of SYSTEM.
PINCHTP_GOGUI may name the folder of GoGui with its `bin`; without it, GoGui's row is not changed.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from gtp_clients import COMMANDS  # noqa: E402  (after the path is set)
from guide import GuidePart, programs_folder  # noqa: E402
from programs import LEELA_ZERO, version_of  # noqa: E402

from pinchtp.client import GtpClient  # noqa: E402

PART = GuidePart("gtp/README.md", "field", "gtp_table.py")
OURS = [sys.executable, "-m", "pinchtp"]
PLAYER = [*OURS, "--size", "5", "--visits", "10"]
CAPTURE_GO = [*OURS, "--game", "capture-go", "--visits", "20"]
GNUGO, LEELAZ, OLD_PYTHON = "/usr/games/gnugo", "/usr/games/leelaz", "python2.7"
SYSTEM = {GNUGO: "--version", LEELAZ: "--help", OLD_PYTHON: "-V", "node": "--version"}

GOGUI, GOGUI_FOLDER = "GoGui 1.6.0 (gogui-adapter)", "PINCHTP_GOGUI"


def missing_programs() -> list[str]:
    """Returns the programs of SYSTEM that do not run: the tables would lack their rows."""
    return [program for program, option in SYSTEM.items() if not _runs(program, option)]


def _runs(program: str, option: str) -> bool:
    if not shutil.which(program):
        return False
    return subprocess.run([program, option], capture_output=True, check=False).returncode == 0


def measure_clients(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yields each client with its responses of COMMANDS."""
    script = HERE / "gtp_clients.py"
    for name in ("fastgtp", "open_spiel", "vim-goban"):
        path = {"PYTHONPATH": str(folder / "python" / name)}
        yield version_of(name), _responses([sys.executable, str(script), name, *PLAYER], path)
    if gogui := os.environ.get(GOGUI_FOLDER):
        yield GOGUI, ask_by_gogui(Path(gogui))
    commands = json.dumps(COMMANDS)
    old = str(HERE / "gtp_clients.py27")
    for name in ("gomill", "gtp"):
        with tempfile.TemporaryDirectory() as posed:
            gnugo = Path(posed, "gnugo")
            gnugo.write_text(f"#!/bin/sh\nunset PYTHONPATH\nexec {' '.join(PLAYER)}\n")
            gnugo.chmod(0o755)
            path = {
                "PYTHONPATH": str(folder / "python" / name),
                "PATH": f"{posed}:{os.environ['PATH']}",
            }
            command = [OLD_PYTHON, old, name, commands, str(gnugo)]
            yield version_of(name), _responses(command, path)
    command = ["node", str(HERE / "gtp_clients.cjs"), commands, *PLAYER]
    yield (
        version_of("@sabaki/gtp"),
        _responses(command, {"NODE_PATH": str(folder / "node_modules")}),
    )


def ask_by_gogui(folder: Path) -> dict[str, str]:
    """Returns the responses through GoGui's adapter, which knows a swap as a pass only."""
    commands = [each.replace("swap", "pass") for each in COMMANDS]
    done = subprocess.run(
        [folder / "bin" / "gogui-adapter", shlex.join(PLAYER)],
        input="\n".join([*commands, ""]),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    responses = (response.removeprefix("= ") for response in done.stdout.split("\n\n"))
    return dict(zip(COMMANDS, responses, strict=False))


def _responses(command: list[str], environment: dict[str, str]) -> dict[str, str]:
    env = {**os.environ, **environment}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        return dict.fromkeys(COMMANDS, done.stderr.strip().rpartition("\n")[2])
    found: dict[str, str] = json.loads(done.stdout)
    return found


def client_table(rows: list[tuple[str, dict[str, str]]]) -> str:
    """Returns the table of clients as Markdown; without GoGui, with its row of the guide."""
    with GtpClient(PLAYER) as engine:
        diagram = engine.ask("showboard", timeout=10)
    lines = {}
    for name, found in rows:
        cells = [
            "yes" if found["name"].lstrip("= ") == "pinchtp" else found["name"],
            _compare_diagram(found["showboard"].removeprefix("="), diagram),
            _find_failure(found["play b z9"]),
            _find_swap(found["play w swap"], name),
            "yes" if len(found["genmove b"].strip("= ")) == len("C3") else found["genmove b"],
        ]
        lines[name] = f"| {name} | {' | '.join(cells)} |"
    if GOGUI not in lines:
        (lines[GOGUI],) = [each for each in PART.read().splitlines() if f"| {GOGUI} |" in each]
    heads = ["| client | text | diagram | failure | swap | move |", "|---|---|---|---|---|---|"]
    return "\n".join([*heads, *sorted(lines.values(), key=str.lower), ""])


def _find_swap(response: str, name: str) -> str:
    if response.strip("= ") == "":
        return "as a pass" if name == GOGUI else "yes"
    return response


def _find_failure(response: str) -> str:
    if response.startswith("?"):
        return "as text"
    return "raised" if "illegal move" in response else f"no: {response}"


def _compare_diagram(found: str, diagram: str) -> str:
    """Returns how a client changed a diagram."""
    if found.strip("\n") == diagram.strip("\n"):
        return "yes"
    changes = []
    if found != found.upper() and found == found.lower():
        changes.append("lower case")
        diagram = diagram.lower()
    if found == diagram.strip():
        changes.append("first row not indented")
    elif [line.strip() for line in found.strip().splitlines()] == [
        line.strip() for line in diagram.strip().splitlines()
    ]:
        changes.append("no row indented")
    else:
        changes.append("another text")
    return ", ".join(changes)


def engines(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yields name and command of each engine."""
    script = str(HERE / "gtp_engines.py")
    for name in ("betago", "pygtp"):
        path = f"PYTHONPATH={folder / 'python' / name}"
        yield version_of(name), ["env", path, sys.executable, script, name]
    path = f"PYTHONPATH={folder / 'python' / 'gomill'}"
    player = folder / "python" / "gomill" / "gtp_stateful_player"
    yield version_of("gomill"), ["env", path, OLD_PYTHON, str(player)]
    path = f"NODE_PATH={folder / 'node_modules'}"
    yield version_of("@sabaki/gtp"), ["env", path, "node", str(HERE / "gtp_engine.cjs")]
    yield "GNU Go 3.8 (Debian)", [GNUGO, "--mode", "gtp"]
    weights = ["-w", str(folder / LEELA_ZERO)]
    options = ["-g", *weights, "--cpu-only", "-v", "1", "--noponder", "-t", "1"]
    yield "Leela Zero 0.17 (Debian)", [LEELAZ, *options]


def engine_table(rows: Iterator[tuple[str, list[str]]]) -> str:
    """Checks engines, plays two games against each, and returns the table as Markdown."""
    lines = ["| engine | failed checks | First Capture Go, 9x9 |", "|---|---|---|"]
    for name, command in sorted(rows, key=lambda row: row[0].lower()):
        checked = _check(command)
        failed = [check["id"] for check in checked["checks"] if check["status"] == "failed"]
        lines.append(f"| {name} | {' '.join(failed)} | {_play(command)} |")
    return "\n".join(lines) + "\n"


def _check(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(
        [*OURS, "check", "--timeout", "3", "--json", *command],
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _play(command: list[str]) -> str:
    """Plays a pair of games and returns how many were finished, or why none."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/match.db"
        match = ["match", "--game", "capture-go", "--size", "9", "--games", "2", "--time", "none"]
        match += ["--jobs", "1", "--db", database]
        for name, words in (("us", CAPTURE_GO), ("them", command)):
            match += ["--engine", f"{name}={' '.join(words)}"]
        done = subprocess.run([*OURS, *match], capture_output=True, text=True, check=False)
        if done.returncode:
            problem = done.stderr.strip().rpartition("\n")[2]
            return problem.removeprefix("pinchtp match: engine them ")
        show = [*OURS, "match", "show", database, "--json"]
        shown = subprocess.run(show, capture_output=True, text=True, check=True)
        return f"{json.loads(shown.stdout)['games']} games"


def tables(folder: Path) -> str:
    """Returns both tables."""
    clients = client_table(list(measure_clients(folder)))
    return f"{clients}\n{engine_table(engines(folder))}"


if __name__ == "__main__":
    if missing := missing_programs():
        sys.exit(f"cannot run {', '.join(missing)}: the tables would lack their rows")
    PART.write(tables(programs_folder()))
