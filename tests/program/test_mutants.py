"""The lists of `tests/long/mutants.py`, which name lines and files of the program."""

from __future__ import annotations

import pytest
from clients import FOLDER
from mutants import SUBJECTS, SURVIVORS, source_of


@pytest.mark.parametrize("place", SURVIVORS)
def test_survivor_is_a_line_of_its_module(place: str) -> None:
    module, _, text = place.partition(": ")
    assert text in [line.strip() for line in source_of(module).splitlines()]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_tests_of_a_subject_exist(subject: str) -> None:
    assert all((FOLDER / f"{test}.py").is_file() for test in SUBJECTS[subject].tests)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_modules_of_a_subject_exist(subject: str) -> None:
    assert all(source_of(module) for module in SUBJECTS[subject].modules)
