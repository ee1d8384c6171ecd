"""Axes: where values stand, and which numbers stand beside them."""

from __future__ import annotations

import re

import pytest
from snapset.analysis.results import Frontier, FrontierPoint
from snapset.pictures.pareto_front import drawn_frontiers
from snapset.pictures.plot import LogPlotArea, log_ticks, round_range


@pytest.mark.parametrize(("values", "ends"), [
    ([79200], (50_000, 100_000)), ([3, 4000], (2, 5000)), ([0, 7], (5, 10)), ([100], (100, 1000)), ([0], (1, 10)),
    ([], (1, 10)), ([999, 1001], (500, 2000)),
])  # fmt: skip
def test_the_ends_of_a_logarithmic_axis_are_round(values: list[int], ends: tuple[int, int]) -> None:
    assert round_range(values) == ends


@pytest.mark.parametrize(("ends", "marks"), [
    ((50_000, 100_000), [50_000, 100_000]), ((1, 10), [1, 2, 5, 10]), ((2, 500), [10, 100]),
    ((1, 10**9), [1, 100, 10**4, 10**6, 10**8]),
])  # fmt: skip
def test_few_round_numbers_stand_beside_it(ends: tuple[int, int], marks: list[int]) -> None:
    assert log_ticks(*ends) == marks


def test_a_decade_is_as_long_as_the_next() -> None:
    area = LogPlotArea(0, 300, 0, 200, 1000, 100, 1, 1)
    assert [area.x(value) for value in (0, 1, 10, 100, 1000)] == pytest.approx([0, 0, 100, 200, 300])
    assert [area.y(value) for value in (1, 10, 100)] == pytest.approx([200, 100, 0])


def test_points_are_labelled_and_no_label_lies_on_another() -> None:
    points = tuple(FrontierPoint(1000 + n, 5000 - n, (f"a{n} in Sbk",)) for n in range(6))
    text = drawn_frontiers("f(x)>(y)", [Frontier("", points, {"lazy": (1000, 5000), "eager": (9000, 9000)}, True)])
    labels = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="start" font-size="10">([^<]*)<', text)
    assert {"lazy: 1,000 / 5,000", "eager: 9,000 / 9,000", "a3 in Sbk: 1,003 / 4,997"} <= {one[2] for one in labels}
    boxes = [(float(x), float(y), float(x) + 5.6 * len(said)) for x, y, said in labels]
    for place, (left, y, right) in enumerate(boxes):
        for other_left, other_y, other_right in boxes[:place]:
            assert right <= other_left or other_right <= left or abs(y - other_y) >= 12
