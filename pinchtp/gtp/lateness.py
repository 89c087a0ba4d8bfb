"""How late answers come, learned from those that were given and from the steps of searches.

A busy machine wakes a search late, and the answer takes time to arrive; a quiet one loses a
millisecond. What was seen bounds what is set aside. Until enough was seen, and while moves
are so long that a larger margin costs next to nothing, it is that of a busy machine (LAG).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import deque

from pinchtp.base.allowance import LAG
from pinchtp.base.clock import Clock, TimeControl

REMEMBERED = 500  # delays: steps of a search and answers
DOUBT = 10  # delays after which a margin chosen without knowledge has shrunk to a quarter
# Of the worst delay seen: the clock keeps a reserve of lags for accidents (allowance.py).
RARE = 1 / 5
BEARABLE = 1 / 4  # of a move's own period: to be safe from longer delays would cost more

# A rare delay that is longer, of main time or of a period for several stones: not prepared for. It
# was a machine that stood still, and would take the time of all moves to come. As a time, the worst
# that was seen on busy machines (LAG); as a share, what costs few of the moves.
STANDSTILL, STANDSTILL_SHARE = 0.5, 0.01

MOST_WAY = 5.0  # seconds; a larger difference means another game, or a clock set by hand

# What is set aside at least, up to LAG, as it costs next to nothing. With the reserve a move that
# has a period for itself is searched for 96 % of it.
SHARE_OF_MOVE = 0.008  # of the period
SHARE_OF_STONE = 0.02  # of a move's share of a period for several
SHARE_OF_MAIN = 0.001  # of main time, which many moves have together
LEAST_LAG = 0.005  # seconds of main time

# While nothing is known, a search ends early by this share of its time, at most by the seconds.
EARLY_SHARE, EARLY_MOST = 0.05, 0.02
EARLY_LEAST = 0.0005


class Delays:
    """The latest delays, in seconds."""

    def __init__(self) -> None:
        self._latest: deque[float] = deque()
        self._sorted: list[float] = []

    def __len__(self) -> int:
        return len(self._latest)

    def add(self, seconds: float) -> None:
        seconds = max(seconds, 0.0)
        self._latest.append(seconds)
        insort(self._sorted, seconds)
        if len(self._latest) > REMEMBERED:
            del self._sorted[bisect_left(self._sorted, self._latest.popleft())]

    def share(self, share: float) -> float:
        """The delay that this share of all delays does not exceed; 0 if there are none."""
        return self._sorted[int(share * (len(self._sorted) - 1))] if self._sorted else 0.0

    def doubt(self, seconds: float) -> float:
        """What remains of a margin of so many seconds that was chosen without knowledge."""
        return seconds * (DOUBT / (DOUBT + len(self))) ** 2

    def to_expect(self, most: float) -> float:
        """The lag to plan for: what 95 % of the delays do not exceed, or RARE of the worst that is
        no longer than `most`, whichever is longer.
        """
        bearable = bisect_right(self._sorted, most)
        return max(self.share(0.95), RARE * self._sorted[bearable - 1] if bearable else 0.0)


class Lateness:
    """Remembers how late the latest answers were, and the steps of the searches before them.

    searches: how long after they had to end. ways: what answers cost beyond that, as far as the
    controller's `time_left` tells.
    """

    def __init__(self) -> None:
        self._searches = Delays()
        self._ways = Delays()

    def note(self, seconds: float) -> None:
        """Notes by how much a step of a search ended late, or a move was ready late."""
        self._searches.add(seconds)

    def note_way(self, seconds: float) -> None:
        """The latest answer has cost so much more by the controller's clock."""
        if seconds <= MOST_WAY:
            self._ways.add(seconds)

    def lag(self, clock: Clock) -> float:
        """Seconds to expect that a move costs beyond its search, as allowance() wants them."""
        most = _bearable(clock.control)
        seen = self._searches.to_expect(most) + self._ways.to_expect(most)
        return max(seen, self._searches.doubt(LAG), _affordable(clock.control, clock.left))

    def early(self, seconds: float) -> float:
        """How many seconds early a search of that length has to end to be in time."""
        doubt = self._searches.doubt(min(EARLY_MOST, EARLY_SHARE * seconds))
        return min(max(self._searches.share(0.9), doubt, EARLY_LEAST), seconds / 2)


def _bearable(control: TimeControl) -> float:
    """The longest delay that time is set aside for, if it is rare."""
    if control.period > 0 and control.stones <= 1:
        return BEARABLE * control.period
    return max(STANDSTILL, STANDSTILL_SHARE * (control.period or control.main or 0.0))


def _affordable(control: TimeControl, left: float) -> float:
    """What costs a move next to nothing."""
    if not control.period:
        return min(max(SHARE_OF_MAIN * left, LEAST_LAG), LAG)
    share = SHARE_OF_STONE / control.stones if control.stones > 1 else SHARE_OF_MOVE
    return min(share * control.period, LAG)
