"""Numbers formatted for display."""

import pytest

from pinchtp.html.format import decimal, percentages, points, seconds, signed

MINUS = "\N{MINUS SIGN}"


def test_numbers_are_formatted_for_people() -> None:
    assert [points(0), points(0.5), points(12.5)] == ["0", "½", "12½"]
    assert [signed(0.4), signed(-3), signed(float("inf"))] == [
        "0",
        f"{MINUS}3",
        "+∞",
    ]
    assert [decimal(-2.944), decimal(-0.001)] == [f"{MINUS}2.94", "0.00"]
    times = [0, 2e-5, 0.0123, 0.9996, 1.5, 600, 9000]
    texts = ["0 s", "20 µs", "12.3 ms", "1 s", "1.5 s", "10 min", "2.5 h"]
    assert [*map(seconds, times)] == texts


@pytest.mark.parametrize(
    "counts", [(1, 1, 1), (1, 2, 0), (0, 0, 0), (333, 333, 334), (1, 999), (7,)]
)
def test_percentages_sum_to_100(counts: tuple[int, ...]) -> None:
    shown = [int(each.removesuffix(" %")) for each in percentages(counts)]
    assert sum(shown) == (100 if any(counts) else 0)
    for number, count_ in zip(shown, counts, strict=True):
        assert abs(number - 100 * count_ / (sum(counts) or 1)) < 1
