"""Options from TOML files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pinchtp.base.files import read_file


def read_toml(path: Path) -> dict[str, Any]:
    """What a TOML file holds. Raises ValueError that names the file; OSError."""
    import tomllib  # noqa: PLC0415  (few processes need it)

    try:
        return tomllib.loads(read_file(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is no TOML file: {error}") from None
    except RecursionError:
        raise ValueError(f"{path}: its values are nested too deeply") from None
