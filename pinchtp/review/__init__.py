"""Reviews of games: `pinchtp review`, and the parts that the board and `pinchtp play` share."""

from typing import Any


def main(arguments: list[str]) -> Any:
    """Runs `pinchtp review`; the board imports this package without its command line."""
    from pinchtp.review.command import main as run  # noqa: PLC0415

    return run(arguments)
