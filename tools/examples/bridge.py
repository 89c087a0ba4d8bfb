"""Plays a correspondence game in a text file: a bridge between a server and a GTP engine.

    python tools/examples/bridge.py game.txt w pinchtp --size 9 --no-files

Each line of the file is a move, Black's first. Another program (a server, a mail script, an editor)
appends the opponent's moves. The bridge appends the engine's moves and ends with the game. Start it
again at any time: it replays the file first.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from pinchtp.client import GtpClient

POLL = 0.2  # seconds between reads of the file


def moves_in(game: Path) -> list[str]:
    """Returns the moves of a file, except a last line without a newline, which is incomplete."""
    text = game.read_text("utf-8") if game.exists() else ""
    return text[: text.rfind("\n") + 1].split()


def play(game: Path, color: str, command: list[str]) -> str:
    """Plays until the game is over. Returns the result, such as `B+R`."""
    with GtpClient(command) as engine:
        engine.ask("clear_board", timeout=10)
        played = 0
        while True:
            moves = moves_in(game)
            for move in moves[played:]:
                to_move = "bw"[played % 2]
                engine.ask(f"play {to_move} {move}", timeout=10)
                played += 1
            score = engine.send("final_score", timeout=10)
            if score.ok:
                return score.text
            if "bw"[played % 2] == color:
                move = engine.ask(f"genmove {color}", timeout=600)
                with game.open("a", encoding="utf-8") as file:
                    file.write(f"{move}\n")
                played += 1
            else:
                time.sleep(POLL)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("game", type=Path, help="file of the moves")
    parser.add_argument("color", choices=("b", "w"), help="of the engine")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="command line of the engine")
    arguments = parser.parse_args()
    print(play(arguments.game, arguments.color, arguments.command))
