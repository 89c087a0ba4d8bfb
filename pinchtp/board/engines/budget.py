"""How long engines may work for a visitor: so many hours in any 24.

Visitors are told apart by their cookie. Whoever comes with a new one from the same address of
another machine goes on where the old one ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

WINDOW = 24 * 3600.0  # seconds that are looked back
STEP = 300.0  # seconds of the window that are forgotten at once
CHECK_INTERVAL = 5.0  # seconds between looks whether any time is left
MOST_ACCOUNTS = 1000  # that are remembered; the one with the least in it is forgotten first


class Account:
    """The engine time that was used in the last 24 hours."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._used: dict[int, float] = {}  # seconds, by the step of the window

    def spend(self, seconds: float) -> None:
        """Notes that an engine has worked for so long until now."""
        step = int(self._clock() // STEP)
        self._used[step] = self._used.get(step, 0.0) + seconds

    @property
    def spent(self) -> float:
        """Seconds used within the window."""
        self._forget()
        return sum(self._used.values())

    def until_free(self, most: float) -> float:
        """Seconds until less than so many will be spent."""
        over = self.spent - most
        for step in sorted(self._used):
            over -= self._used[step]
            if over < 0:
                return (step + 1) * STEP + WINDOW - self._clock()
        return 0.0

    def _forget(self) -> None:
        oldest = self._clock() - WINDOW
        for step in [each for each in self._used if (each + 1) * STEP <= oldest]:
            del self._used[step]


class Budget:
    """What a visitor may use: a bound on all accounts that the visitor is known by."""

    def __init__(self, most: float) -> None:
        """most: seconds in the window."""
        self.most = most
        self._accounts: set[Account] = set()

    def add(self, account: Account) -> None:
        """The visitor is known by this account, too."""
        self._accounts.add(account)

    def spend(self, seconds: float) -> None:
        """Notes that an engine has worked for so long until now."""
        for account in self._accounts:
            account.spend(seconds)

    @property
    def left(self) -> float:
        """Seconds that may still be used now; none below zero."""
        spent = max((account.spent for account in self._accounts), default=0.0)
        return max(0.0, self.most - spent)

    @property
    def until_free(self) -> float:
        """Seconds until some may be used again."""
        return max((account.until_free(self.most) for account in self._accounts), default=0.0)


class Budgets:
    """The accounts of all who have come since the server was started."""

    def __init__(self, most: float) -> None:
        """most: seconds that a visitor may use in the window."""
        self._most = most
        self._accounts: dict[str, Account] = {}

    def budget(self, visitor: str) -> Budget:
        """The budget of a visitor, known by the cookie alone so far."""
        made = Budget(self._most)
        made.add(self.account(visitor))
        return made

    def account(self, name: str) -> Account:
        """The account of a visitor, or of an address."""
        if name not in self._accounts and len(self._accounts) >= MOST_ACCOUNTS:
            del self._accounts[min(self._accounts, key=lambda each: self._accounts[each].spent)]
        return self._accounts.setdefault(name, Account())


class Meter:
    """Charges a budget while an engine works."""

    def __init__(self, budget: Budget, ran_out: Callable[[], None]) -> None:
        """ran_out: called if nothing is left while the engine still works."""
        self._budget, self._ran_out = budget, ran_out
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        self._charged = monotonic()
        self._wait()

    def __exit__(self, *_: object) -> None:
        assert self._timer
        self._timer.cancel()
        self._charge()

    def _wait(self) -> None:
        seconds = min(CHECK_INTERVAL, self._budget.left)
        self._timer = asyncio.get_running_loop().call_later(seconds, self._check)

    def _check(self) -> None:
        self._charge()
        if self._budget.left:
            self._wait()
        else:
            self._ran_out()

    def _charge(self) -> None:
        now = monotonic()
        self._budget.spend(now - self._charged)
        self._charged = now
