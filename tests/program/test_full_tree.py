"""The measurement of analyses with a full tree."""

import subprocess

import full_tree
import pytest


def test_engine_that_ends_is_reported() -> None:
    with pytest.raises(subprocess.CalledProcessError, match=r"--game.*chess.* exit status 2"):
        full_tree.analyze("chess", 16, 10, 1, 1)
