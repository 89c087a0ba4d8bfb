"""The lists of `tests/long/mutants.py`, which name lines and files of the program."""

from clients import FOLDER
from mutants import SUBJECTS, SURVIVORS, source_of


def is_a_line(place: str) -> bool:
    """Whether a line is in its module."""
    module, _, text = place.partition(": ")
    return text in [line.strip() for line in source_of(module).splitlines()]


def test_survivors_are_lines_of_their_modules() -> None:
    assert [place for place in SURVIVORS if not is_a_line(place)] == []


def test_tests_and_modules_of_subjects_exist() -> None:
    tests = {FOLDER / f"{test}.py" for each in SUBJECTS.values() for test in each.tests}
    assert [test for test in tests if not test.is_file()] == []
    assert all(source_of(module) for each in SUBJECTS.values() for module in each.modules)
