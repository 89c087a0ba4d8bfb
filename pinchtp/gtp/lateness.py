"""How late answers come, learned from those that were given.

A machine that others keep busy wakes a search up late, and the answer takes its way; a quiet one
loses a millisecond. What was seen bounds what is set aside. Until enough was seen, and while moves
are so long that a larger margin costs next to nothing, it is that of a busy machine (clock.LAG).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from pinchtp.base.clock import LAG, Clock

REMEMBERED = 200  # answers
DOUBT = 8  # answers after which half of what is set aside without knowledge is given up
RARE = (
    1 / 5
)  # of the worst lateness seen: the clock keeps a reserve of lags for accidents (clock.py)

MOST_WAY = 5.0  # seconds; what is more is another game, or a clock set by hand
LEAST_LAG = 0.005  # seconds
SHARE_OF_PERIOD = 0.02  # of a move's overtime that is set aside at least, up to LAG
SHARE_OF_MAIN = 0.001  # likewise of main time, which many moves have together

# While nothing is known, a search ends early by this share of its time, at most by the seconds.
EARLY_SHARE, EARLY_MOST = 0.05, 0.02
EARLY_LEAST = 0.0005


class Lateness:
    """Remembers how late the latest answers were.

    searches: how long after its search had to end a move was ready. ways: what answers cost beyond
    that, as far as the controller's `time_left` tells.
    """

    def __init__(self) -> None:
        self._searches: deque[float] = deque(maxlen=REMEMBERED)
        self._ways: deque[float] = deque(maxlen=REMEMBERED)

    def note(self, seconds: float) -> None:
        """Notes how many seconds after the end of its search a move was ready."""
        self._searches.append(max(seconds, 0.0))

    def note_way(self, seconds: float) -> None:
        """The latest answer has cost so much more by the controller's clock."""
        if seconds <= MOST_WAY:
            self._ways.append(max(seconds, 0.0))

    def lag(self, clock: Clock) -> float:
        """Seconds to expect that a move costs beyond its search, as clock.allotment wants them."""
        seen = _to_expect(self._searches) + _to_expect(self._ways)
        return max(seen, _doubt(self._searches, LAG), _affordable(clock))

    def early(self, seconds: float) -> float:
        """How many seconds early a search of that length has to end to be in time."""
        doubt = _doubt(self._searches, min(EARLY_MOST, EARLY_SHARE * seconds))
        return min(max(_share(self._searches, 0.9), doubt, EARLY_LEAST), seconds / 2)


def _to_expect(seen: Collection[float]) -> float:
    """What is usual, and what makes the worst bearable."""
    return max(_share(seen, 0.95), RARE * max(seen, default=0.0))


def _doubt(seen: Collection[float], seconds: float) -> float:
    """What is left of a margin that was chosen without knowledge."""
    return seconds * DOUBT / (DOUBT + len(seen))


def _share(seen: Collection[float], share: float) -> float:
    """What so large a share of the values does not exceed."""
    return sorted(seen)[int(share * (len(seen) - 1))] if seen else 0.0


def _affordable(clock: Clock) -> float:
    """What costs a move next to nothing."""
    control = clock.control
    if control.period:
        share = SHARE_OF_PERIOD * control.period / max(control.stones, 1)
    else:
        share = SHARE_OF_MAIN * clock.left
    return min(max(share, LEAST_LAG), LAG)
