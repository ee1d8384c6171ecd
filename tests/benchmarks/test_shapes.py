"""No shape of program is slow: what a report of twice the size takes besides, in operations.

Of the sizes n, 2n and 4n the steps are compared, so that what every run takes is not counted: of work that is linear
the second step is twice the first.
"""

from pathlib import Path

import pytest
from snapset.cli.main import main

from benchmarks.program_shapes import SHAPES
from tests.support.growth import operations

SIZES = {"calls": 4, "loops": 4, "halves": 8, "chain": 3, "procedure": 8, "parts": 3, "deep": 200, "wide": 10,
         "constants": 12, "reals": 12, "elseifs": 80, "generic": 10}
LONGER = {"generic": 1.5}  # the text is longer than twice as long
RATIO = 2.6


@pytest.mark.sample(9)
@pytest.mark.parametrize("name", SIZES)
def test_twice_the_size_takes_twice_the_operations(name: str, tmp_path: Path,
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    shape, n = SHAPES[name], SIZES[name]

    def report(size: int) -> None:
        source = tmp_path / f"{name}{size}.f90"
        source.write_text(shape.text(size))
        assert main(["report", str(source), "--head", shape.head, "--no-cache", "--quiet", "--jobs", "1",
                     *shape.options]) == 0

    report(n)  # what is imported
    small, middle, large = (operations(lambda size=size: report(size)) for size in (n, 2*n, 4*n))
    capsys.readouterr()
    most = LONGER.get(name, 1)*RATIO
    assert large - middle <= most*(middle - small), (large - middle)/(middle - small)
