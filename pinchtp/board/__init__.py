"""`pinchtp board`: the board in the browser.

A server for one visitor or a few, each with a table of their own. The page (`page/`) draws and
clicks; it knows no rules. Our rules judge every move here, and engines are GTP subprocesses like
those of any other frontend. `messages.py` says how a visit goes: begin there.
"""

from __future__ import annotations


def main(arguments: list[str]) -> int:
    """Runs `pinchtp board`; returns the exit status."""
    from pinchtp.board.command import run  # noqa: PLC0415  (the libraries of the server are heavy)

    return run(arguments)
