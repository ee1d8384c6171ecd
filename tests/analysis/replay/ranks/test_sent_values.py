"""What is sent need be no variable: ``call mpi_allreduce(sum(u), ...)``."""

from __future__ import annotations

import pytest
from snapset.frontend.base.diagnostics import InputError

from tests.support.message_programs import check_derivative, on_ranks

HEAD = "model(u)>(y)"
PROGRAM = """subroutine model(u, y)
use mpi
implicit none
real(8), intent(inout) :: u(3)
real(8), intent(out) :: y
real(8) :: a, v(2)
integer :: ierr
!$AD CHECKPOINT-START
a = u(1)
call mpi_allreduce({0}, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
u = u*a
!$AD CHECKPOINT-END
y = sum(u)*a
end subroutine
"""


@pytest.mark.parametrize("sent", ["sum(u**2), a, 1", "2*u(2)*u(1), a, 1", "1.5d0, a, 1", "mpi_in_place, a, 1",
                                  "(u(3)), a, 1"])
def test_a_value_is_sent(sent: str) -> None:
    text = PROGRAM.format(sent)
    check_derivative(text, HEAD, 2)
    assert all(one.right for one in on_ranks(text, HEAD, 2, plans=("log", "resend", "popular")).runs)


def test_several_values_are_refused() -> None:
    with pytest.raises(InputError, match="of a value; assign it to a variable"):
        on_ranks(PROGRAM.format("[u(1), u(2)], v, 2"), HEAD, 2)
