"""A base class for resources, for use in `with` statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Resource(ABC):
    """A resource that a `with` statement closes, or aborts after an exception."""

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
        """Releases all resources after an exception; closes them by default."""
        self.close()
