"""Growth of costs with the work, as tools/growth.py measures it; exponents hold on any machine."""

from pathlib import Path

import pytest
from growth import GROWTHS, Growth, exponent


@pytest.mark.nightly
@pytest.mark.parametrize("growth", GROWTHS, ids=lambda growth: growth.name)
def test_cost_grows_no_faster_than_allowed(growth: Growth, tmp_path: Path) -> None:
    seconds = growth.seconds(tmp_path)
    assert exponent(seconds) <= growth.most, seconds


def test_exponents_of_growth() -> None:
    assert exponent([1.0, 4.0, 16.0]) == pytest.approx(1)
    assert exponent([2.0, 2.0, 2.0]) == 0
