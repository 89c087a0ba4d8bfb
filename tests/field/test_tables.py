"""Other programs, compared with the tables of the guides."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly


def test_clients_and_engines_do_what_the_guide_says(folder: Path) -> None:
    from field.gtp_table import PART, missing_programs, tables  # noqa: PLC0415

    if missing := missing_programs():
        pytest.skip(f"cannot run {', '.join(missing)}")
    assert tables(folder) == PART.read()


def test_libraries_rate_and_test_as_the_guide_says(folder: Path) -> None:
    from field.rating_table import PART, tables  # noqa: PLC0415  (needs the programs)

    assert tables(folder) == PART.read()


def test_readers_do_what_the_guide_says(folder: Path) -> None:
    from field.sgf_table import PART, measure, table  # noqa: PLC0415  (needs the programs)

    assert table(measure(folder)) == PART.read()


@pytest.mark.filterwarnings("default")
def test_wrappers_do_what_the_guide_says(folder: Path) -> None:
    from field.supersuit_table import PART, table  # noqa: PLC0415  (needs the programs)

    assert table(folder) == PART.read()


@pytest.mark.filterwarnings("default")
def test_matches_on_failing_clusters_end_as_the_guide_says() -> None:
    pytest.importorskip("distributed")
    from field.dask_table import PART, table  # noqa: PLC0415

    assert table() == PART.read()
