"""Has a GTP client of Python talk to an engine; one client a process, for gtp_table.py.

    python tests/field/gtp_clients.py CLIENT COMMAND [ARGUMENT ...]

Prints a JSON object: the answer of each command, or the error's name and text.
"""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

COMMANDS = ["name", "boardsize 5", "showboard", "play b z9", "play b c3", "play w swap"]
COMMANDS += ["genmove b", "list_commands", "quit"]

Ask = Callable[[str], Any]


def gtp(command: list[str]) -> Ask:
    pose_as_gnugo(command)
    return import_module("gtp").GoTextPipe()._send


def vim_goban(command: list[str]) -> Ask:
    pose_as_gnugo(command)
    send = import_module("goban.engine").GnuGo().send
    return lambda line: "\n".join(send(line))


def open_spiel(command: list[str]) -> Ask:
    game = import_module("pyspiel").load_game("tic_tac_toe")
    bot = import_module("open_spiel.python.bots.gtp").GTPBot(game, command)
    return lambda line: bot.gtp_cmd(*line.split())


def fastgtp(command: list[str]) -> Ask:
    server = import_module("fastgtp.server.gtp")
    loop = asyncio.new_event_loop()
    transport = import_module("fastgtp.server.transport").SubprocessGTPTransport(command)

    def ask(line: str) -> Any:
        raw = loop.run_until_complete(transport.send_command(line))
        answer = server.parse_response(raw)
        if not answer.success:
            raise RuntimeError(answer.error)
        return answer.payload

    return ask


def pose_as_gnugo(command: list[str]) -> None:
    """Puts a program named gnugo first on the path that starts the engine."""
    folder = Path(tempfile.mkdtemp())
    program = folder / "gnugo"
    program.write_text(f"#!/bin/sh\nexec {' '.join(command)}\n")
    program.chmod(0o755)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"


def main() -> None:
    clients = {"gtp": gtp, "vim-goban": vim_goban, "open_spiel": open_spiel, "fastgtp": fastgtp}
    answers: dict[str, str] = {}
    ask = clients[sys.argv[1]](sys.argv[2:])
    for command in COMMANDS:
        try:
            answers[command] = str(ask(command))
        except Exception as error:  # any error of a client is its answer
            answers[command] = f"{type(error).__name__}: {error}"
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
