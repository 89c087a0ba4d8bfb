"""Parts of guides that a script writes, between two comments."""

import os
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "pinchtp"
VARIABLE = "PINCHTP_FIELD"  # names the folder of programs.py


@dataclass(frozen=True)
class GuidePart:
    """A part of a guide.

    guide: the file, from pinchtp/. name: of the part. script: the file here that writes it.
    """

    guide: str
    name: str
    script: str

    def read(self) -> str:
        """Returns the text of the part."""
        return self._divided()[1]

    def write(self, text: str) -> None:
        """Replaces the text of the part."""
        before, _, after = self._divided()
        whole = before + self._begin + text + self._end + after
        (PACKAGE / self.guide).write_text(whole, encoding="utf-8")

    @property
    def _begin(self) -> str:
        return f"<!-- {self.name}, by tests/field/{self.script} -->\n"

    @property
    def _end(self) -> str:
        return f"<!-- end of {self.name} -->\n"

    def _divided(self) -> tuple[str, str, str]:
        """Returns the guide before the part, the part, and the guide after it."""
        text = (PACKAGE / self.guide).read_text(encoding="utf-8")
        before, _, rest = text.partition(self._begin)
        part, _, after = rest.partition(self._end)
        return before, part, after


def programs_folder() -> Path:
    """Returns the folder of the programs. Raises KeyError without VARIABLE."""
    return Path(os.environ[VARIABLE])
