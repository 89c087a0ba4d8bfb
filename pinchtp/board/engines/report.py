"""What engines say of a position while they analyze it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pinchtp.client.analysis import Info, read_infos, read_ownership
from pinchtp.games import Color

MOST_CANDIDATES = 20
MOST_PLIES = 12  # of a principal variation that are shown


@dataclass(frozen=True)
class Report:
    """A line of analysis. ownership: rows from the top, for Black; empty if it was not told."""

    infos: tuple[Info, ...]
    ownership: tuple[float, ...] = ()

    @property
    def visits(self) -> int:
        return sum(info.visits for info in self.infos)

    @property
    def best(self) -> Info:
        return self.infos[0]


def read_line(line: str, scale: float) -> Report | None:
    """A line of analysis; None for what is none. scale: what winrates are out of."""
    infos = [_bounded(info) for info in read_infos(line, scale) if info.pv]
    if not infos:
        return None
    infos.sort(key=lambda info: info.order)
    return Report(tuple(infos[:MOST_CANDIDATES]), read_ownership(line))


def _bounded(info: Info) -> Info:
    """A candidate within the bounds of what the page shows."""
    return replace(
        info,
        winrate=_chance(info.winrate),
        prior=None if info.prior is None else _chance(info.prior),
        lcb=None if info.lcb is None else _chance(info.lcb),
        pv=info.pv[:MOST_PLIES],
    )


def _chance(value: float) -> float:
    return min(1.0, max(0.0, value))


def black_chance(winrate: float, mover: Color) -> float:
    """Black's chance, from the mover's; and the other way round."""
    return winrate if mover == Color.BLACK else 1 - winrate
