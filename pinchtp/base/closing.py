"""What has to be closed, for `with` statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closing(ABC):
    """Something that a `with` statement closes at its end, or aborts if it ends by an exception."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.abort()

    @abstractmethod
    def close(self) -> None:
        """Gives back what is held. May be called more than once."""

    def abort(self) -> None:
        """Gives back what is held when something has gone wrong; here that is close()."""
        self.close()
