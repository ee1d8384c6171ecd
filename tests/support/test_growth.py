"""What counts operations tells linear work from quadratic."""

from __future__ import annotations

from tests.support.growth import grows_linearly, operations


def test_lines_and_functions_in_c_count() -> None:
    def work() -> None:
        for one in "abc":
            ord(one)

    assert 3 + 3 < operations(work) < 20
    assert operations(work) == operations(work)


def test_quadratic_work_is_seen() -> None:
    def pairs(n: int) -> int:
        return sum(1 for i in range(n) for _ in range(i))

    def once(n: int) -> int:
        return sum(1 for _ in range(n))

    assert grows_linearly(once, 4_000)
    assert not grows_linearly(pairs, 4_000)
