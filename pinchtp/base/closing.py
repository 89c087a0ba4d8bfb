"""A base class for what has to be closed, for use in `with` statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closing(ABC):
    """Is closed at the end of a `with` statement, or aborted if an exception ends it."""

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
        """Releases all resources. May be called more than once."""

    def abort(self) -> None:
        """Releases all resources after an exception; unless overridden, as close() does."""
        self.close()
