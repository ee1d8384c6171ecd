"""Every kind of call that communicates, on simulated ranks: store-all against differences over all ranks, second runs
against store-all, and the log as predicted."""

from __future__ import annotations

import pytest
from snapset.analysis.replay.experiment.gradient import primal
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

from tests.support.message_programs import check_derivative, on_all, on_ranks, plan

HEAD = "model(x)>(y)"
FRAME = """subroutine model(x, n, y)
use mpi
implicit none
integer, intent(in) :: n
real(8), intent(inout) :: x
real(8), intent(out) :: y
real(8) :: a(12), b(24), c(24), s
integer :: rank, size, ierr, k, req(4), left, right, kind, other, got, index, places(4), status(mpi_status_size)
integer :: statuses(mpi_status_size, 4), counts(8), starts(8), message
logical :: flag
call mpi_comm_rank(mpi_comm_world, rank, ierr)
call mpi_comm_size(mpi_comm_world, size, ierr)
left = mod(rank - 1 + size, size)
right = mod(rank + 1, size)
req = mpi_request_null
do k = 1, 12
  a(k) = sin(x*k) + 0.1d0*rank
end do
b = 0.5d0
c = x
{before}
!$AD CHECKPOINT-START
x = x*sin(x) + 1
{inside}
{reading}
a(12) = x*a(12)
!$AD CHECKPOINT-END
{behind}
y = x*x + sum(a*a) + sum(sin(b))
end subroutine
"""
READING = "do k = 1, 24; x = x + sin(x)*b(k)*0.1d0 + c(k)**2*0.01d0; end do"
REAL = "mpi_double_precision"
W = "mpi_comm_world, ierr)"
R = "mpi_comm_world, req(1), ierr)"
WAIT = "call mpi_wait(req(1), status, ierr)"
SENT = f"call mpi_isend(a, 3, {REAL}, right, 5, mpi_comm_world, req(2), ierr)"
CAME = f"call mpi_irecv(b, 3, {REAL}, left, 5, {R}"
DONE = "call mpi_wait(req(2), status, ierr)"
SIZES = "counts(:size) = [(k, k = 1, size)]; starts(:size) = [(k*(k + 1)/2 - k, k = 1, size)]"


def text(inside: str, before: str = "", behind: str = "", reading: str = READING) -> str:
    """``reading``: what reads the receive buffer in the part, where nothing is under way at its end."""
    parts = {"before": before, "inside": inside, "behind": behind, "reading": reading}
    return FRAME.format(**{name: part.replace("; ", "\n") for name, part in parts.items()})


COLLECTIVES = {
    "exscan": f"call mpi_exscan(a, b, 3, {REAL}, mpi_sum, ",
    "scan": f"call mpi_scan(a, b, 3, {REAL}, mpi_sum, ",
    "reduce_scatter": f"{SIZES}; call mpi_reduce_scatter(a, b, counts, {REAL}, mpi_max, ",
    "reduce_scatter_block": f"call mpi_reduce_scatter_block(a, b, 2, {REAL}, mpi_prod, ",
    "gatherv": f"{SIZES}; starts = 2*starts; call mpi_gatherv(a, rank + 1, {REAL}, b, counts, starts, {REAL}, 1, ",
    "scatterv": f"{SIZES}; call mpi_scatterv(a, counts, starts, {REAL}, b, rank + 1, {REAL}, 0, ",
    "allgatherv": f"{SIZES}; call mpi_allgatherv(a, rank + 1, {REAL}, b, counts, starts, {REAL}, ",
    "alltoallv": f"{SIZES}; counts = rank + 1; starts(:size) = [((rank + 1)*k, k = 0, size - 1)]; "
                 "places(:size) = [(k, k = 1, size)]; req(:size) = [(k*(k + 1)/2 - k, k = 1, size)]; "
                 f"call mpi_alltoallv(a, counts, starts, {REAL}, b, places, req, {REAL}, ",
    "allgather": f"call mpi_allgather(a, 2, {REAL}, b, 2, {REAL}, ",
    "allgather in place": "b(2*rank + 1:2*rank + 2) = a(:2); "
                          f"call mpi_allgather(mpi_in_place, 2, {REAL}, b, 2, {REAL}, ",
    "allgatherv in place": f"{SIZES}; b(:6) = a(:6)*x; call mpi_allgatherv(mpi_in_place, 1, {REAL}, b, counts, starts, "
                           f"{REAL}, ",
    "gather in place": f"b(:6) = a(:6)*x; if (rank == 0) then; call mpi_gather(mpi_in_place, 2, {REAL}, b, 2, {REAL}, "
                       f"0, {W}; else; call mpi_gather(a, 2, {REAL}, b, 2, {REAL}, 0, {W}; end if; call mpi_barrier(",
    "scatter in place": f"if (rank == 0) then; call mpi_scatter(a, 2, {REAL}, mpi_in_place, 2, {REAL}, 0, {W}; else; "
                        f"call mpi_scatter(a, 2, {REAL}, b, 2, {REAL}, 0, {W}; end if; call mpi_barrier(",
    "alltoall in place": f"b(:6) = a(:6)*x; call mpi_alltoall(mpi_in_place, 2, {REAL}, b, 2, {REAL}, ",
    "reduce_scatter in place": f"{SIZES}; b(:6) = a(:6)*x; call mpi_reduce_scatter(mpi_in_place, b, counts, {REAL}, "
                               "mpi_sum, ",
    "allreduce in place": f"call mpi_allreduce(mpi_in_place, a, 3, {REAL}, mpi_min, ",
    "bcast": f"call mpi_bcast(a, 3, {REAL}, 1, ",
    "scatter": f"call mpi_scatter(a, 2, {REAL}, b, 2, {REAL}, 2, ",
    "alltoall": f"call mpi_alltoall(a, 2, {REAL}, b, 2, {REAL}, ",
    "barrier": "call mpi_barrier(",
    "reduce": f"call mpi_reduce(a, b, 3, {REAL}, mpi_sum, 1, ",
}


def without_blocking(call: str) -> str:
    """The last call of a text as the one that does not block, and its wait behind other work."""
    rest, _, last = call.rpartition("call mpi_")
    return f"{rest}call mpi_i{last}{R}; s = sin(x); {WAIT}; x = x*s"


def right_everywhere(source: str, ranks: int = 3, popular: bool | None = None) -> None:
    """Differences agree, and all plans that should be right are."""
    program = load_text(source)
    check_derivative(program, HEAD, ranks, {"n": 3})
    for nested in ("again", "keep"):
        found = on_ranks(program, HEAD, ranks, {"n": 3}, nested=nested)
        assert found.diagnostics == ()
        for name in ("store-all", "log", "resend"):
            one = plan(found, name)
            assert one.right, one
            assert name == "store-all" or one.log_bytes == one.predicted_log_bytes
        assert popular is None or plan(found, "popular").right == popular, plan(found, "popular")


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", COLLECTIVES)
def test_collectives(name: str) -> None:
    right_everywhere(text(f"{COLLECTIVES[name]}{W}"), popular=True)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", COLLECTIVES)
def test_collectives_that_do_not_block(name: str) -> None:
    right_everywhere(text(without_blocking(COLLECTIVES[name])), popular=True)


def test_a_collective_that_ends_behind_the_part_or_begins_before_it() -> None:
    call = f"call mpi_iallreduce(a, b, 3, {REAL}, mpi_sum, {R}"
    right_everywhere(text("a(5) = a(5)*x", before=call, behind=WAIT, reading=""))
    right_everywhere(text(WAIT, before=call), popular=False)
    right_everywhere(text(f"{call}; a(5) = x", behind=f"{WAIT}; x = x*b(2)", reading=""), popular=False)


INIT = (f"call mpi_recv_init(b, 3, {REAL}, left, 5, {R}; "
        f"call mpi_send_init(a, 3, {REAL}, right, 5, mpi_comm_world, req(2), ierr)")
GO, END = "call mpi_startall(2, req, ierr)", "call mpi_waitall(2, req, statuses, ierr)"


@pytest.mark.sample(2)
@pytest.mark.parametrize(("before", "inside", "behind", "popular"), [
    (INIT, f"{GO}; x = sin(x); {END}", "", True),
    (INIT, f"do kind = 1, n; a(1) = a(1)*x; {GO}; {END}; x = sin(x + b(1)); end do", "", True),
    (f"{INIT}; {GO}", f"{END}; x = x*b(1)", f"a = a*b(:12); {GO}; {END}", False),
    (INIT, f"{GO}; a(7) = x", f"{END}; {GO}; x = sin(x); {END}", False),
    ("", f"{INIT}; {GO}; {END}; call mpi_request_free(req(1), ierr)", "", True),
    (INIT, "call mpi_start(req(1), ierr); call mpi_start(req(2), ierr); call mpi_wait(req(1), status, ierr); "
     f"x = x*b(2); {DONE}; call mpi_wait(req(1), status, ierr)", "", True),  # a wait for an inactive one
    (f"left = mpi_proc_null; right = mpi_proc_null; {INIT}", f"{GO}; {END}", "", True),
])  # fmt: skip
def test_persistent_requests(before: str, inside: str, behind: str, popular: bool) -> None:
    right_everywhere(text(inside, before, behind, READING if END in inside or "mpi_wait" in inside else ""),
                     popular=popular)


POLL = "flag = .false.; do while (.not. flag); call mpi_test(req({0}), flag, status, ierr); x = x + 0.001d0*x*x; end do"
BOTH = f"{CAME}; {SENT}"


@pytest.mark.sample(3)
@pytest.mark.parametrize("inside", [
    f"{BOTH}; {POLL.format(1)}; {POLL.format(2)}",
    f"{BOTH}; flag = .false.; do while (.not. flag); call mpi_testall(2, req, flag, statuses, ierr); x = 1.01d0*x; "
    "end do",
    f"{BOTH}; got = 0; do while (got < 2); call mpi_testany(2, req, index, flag, status, ierr); "
    "if (flag .and. index /= mpi_undefined) then; got = got + 1; x = x*index; end if; end do",
    f"{BOTH}; got = 0; do while (got < 2); call mpi_waitsome(2, req, k, places, statuses, ierr); got = got + k; "
    "x = x*(places(1) + k); end do",
    f"{BOTH}; got = 0; do while (got < 2); call mpi_testsome(2, req, k, places, statuses, ierr); got = got + k; "
    "x = x*(1 + k); end do",
    f"{BOTH}; do got = 1, 2; call mpi_waitany(2, req, index, status, ierr); x = x*index; end do",
    f"{SENT}; call mpi_probe(left, 5, mpi_comm_world, status, ierr); call mpi_get_count(status, {REAL}, got, ierr); "
    f"call mpi_recv(b, got, {REAL}, status(mpi_source), status(mpi_tag), mpi_comm_world, status, ierr); {DONE}",
    f"{SENT}; flag = .false.; do while (.not. flag); call mpi_iprobe(mpi_any_source, 5, mpi_comm_world, flag, status, "
    f"ierr); x = 1.01d0*x; end do; call mpi_recv(b, 3, {REAL}, status(mpi_source), 5, mpi_comm_world, status, ierr); "
    f"{DONE}",
    f"{SENT}; call mpi_mprobe(mpi_any_source, mpi_any_tag, mpi_comm_world, message, status, ierr); "
    f"call mpi_mrecv(b, 3, {REAL}, message, status, ierr); {DONE}",
    f"{SENT}; flag = .false.; do while (.not. flag); call mpi_improbe(left, 5, mpi_comm_world, flag, message, status, "
    f"ierr); end do; call mpi_imrecv(b, 3, {REAL}, message, req(1), ierr); {WAIT}; {DONE}",
    f"{BOTH}; call mpi_waitall(2, req, statuses, ierr); call mpi_get_count(statuses(1, 1), {REAL}, got, ierr); "
    "x = x*got",
])  # fmt: skip
def test_what_is_asked_is_heard_again(inside: str) -> None:
    right_everywhere(text(inside))


def test_probes_and_tests_across_a_border() -> None:
    right_everywhere(text(f"call mpi_recv(b, 3, {REAL}, left, 5, mpi_comm_world, status, ierr); {DONE}",
                          f"{SENT}; call mpi_probe(left, 5, mpi_comm_world, status, ierr)"), popular=False)
    right_everywhere(text("call mpi_probe(left, 5, mpi_comm_world, status, ierr)", SENT,  # a probe alone
                          f"call mpi_recv(b, 3, {REAL}, left, 5, mpi_comm_world, status, ierr); {DONE}; x = x*b(1)"))
    right_everywhere(text(f"call mpi_mrecv(b, 3, {REAL}, message, status, ierr); {DONE}",
                          f"{SENT}; call mpi_mprobe(left, 5, mpi_comm_world, message, status, ierr)"), popular=False)
    right_everywhere(text(f"{POLL.format(1)}; {DONE}", BOTH), popular=False)


TYPES = {
    "bytes apart": f"call mpi_type_create_hvector(3, 1, 32_8, {REAL}, kind, ierr)",
    "vector": f"call mpi_type_vector(3, 1, 4, {REAL}, kind, ierr)",
    "contiguous": f"call mpi_type_contiguous(3, {REAL}, kind, ierr)",
    "indexed": "places(:2) = [2, 1]; counts(:2) = [0, 6]; "
               f"call mpi_type_indexed(2, places, counts, {REAL}, kind, ierr)",
    "indexed block": f"counts(:3) = [7, 0, 4]; call mpi_type_create_indexed_block(3, 1, counts, {REAL}, kind, ierr)",
    "subarray": f"counts(:2) = [4, 3]; places(:2) = [1, 3]; starts(:2) = [2, 0]; call mpi_type_create_subarray(2, "
                f"counts, places, starts, mpi_order_fortran, {REAL}, kind, ierr)",
    "of a type": f"call mpi_type_contiguous(1, {REAL}, other, ierr); call mpi_type_vector(3, 1, 2, other, kind, ierr)",
    "resized": f"call mpi_type_vector(3, 1, 3, {REAL}, other, ierr); "
               "call mpi_type_create_resized(other, 0_8, 8_8, kind, ierr)",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", TYPES)
def test_types_of_data(name: str) -> None:
    made = f"{TYPES[name]}; call mpi_type_commit(kind, ierr)"
    used = ("call mpi_sendrecv(a, 1, kind, right, 5, b, 1, kind, left, 5, mpi_comm_world, status, ierr); "
            "call mpi_get_count(status, kind, got, ierr); x = x*got")
    right_everywhere(text(f"{used}; call mpi_type_free(kind, ierr)", made), popular=True)
    packed = used.replace("b, 1, kind", f"b, 3, {REAL}")
    right_everywhere(text(f"{made}; {packed}"), popular=True)


@pytest.mark.parametrize(("name", "elements"), [
    ("vector", [1, 5, 9]), ("bytes apart", [1, 5, 9]),
    ("contiguous", [1, 2, 3]), ("indexed", [1, 2, 7]), ("indexed block", [8, 1, 5]),
    ("subarray", [3, 7, 11]), ("of a type", [1, 3, 5]), ("resized", [1, 4, 7]),
])  # fmt: skip
def test_which_elements_a_type_means(name: str, elements: list[int]) -> None:
    """By hand: each element of the array is its own number."""
    def difference(expected: list[int]) -> list[float]:
        wrong = " + ".join(f"abs(b({k}) - {one})" for k, one in enumerate(expected, 1))
        program = text("", behind=f"a = [(real(k, 8), k = 1, 12)]; {TYPES[name]}; call mpi_type_commit(kind, ierr); "
                       f"call mpi_sendrecv(a, 1, kind, right, 5, b, 3, {REAL}, left, 5, mpi_comm_world, status, ierr); "
                       f"x = {wrong}; a = 0; b = 0")
        return on_all(program, HEAD, 2, lambda rank, head, machine, ranked:
                      primal(head, machine, Inputs({"n": 1}, 1), None, ranked))

    assert difference(elements) == [0, 0]
    assert difference(elements[::-1]) != [0, 0]


@pytest.mark.parametrize(("inside", "said"), [
    (f"call mpi_sendrecv(a, 13, {REAL}, right, 1, b, 13, {REAL}, left, 1, mpi_comm_world, status, ierr)", "elements"),
    ("call mpi_type_free(kind, ierr); call mpi_send(a, 1, kind, right, 1, mpi_comm_world, ierr)", "no type of data"),
    (f"call mpi_type_vector(3, 1, 9, {REAL}, kind, ierr); call mpi_send(a, 1, kind, right, 1, mpi_comm_world, ierr)",
     "elements"),
    ("call mpi_start(req(1), ierr)", "not prepared"),
    (f"{INIT}; {GO}; {GO}", "not completed yet"),
    ("call mpi_abort(mpi_comm_world, 1, ierr)", "MPI_ABORT"),
    (f"call mpi_bcast(a, 3, {REAL}, 7, {W}", "root 7"),
])  # fmt: skip
def test_what_goes_wrong_is_said(inside: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        on_ranks(text(inside), HEAD, 3, {"n": 3})


@pytest.mark.parametrize(("inside", "touched"), [
    (f"{BOTH}; a(2) = x; {WAIT}; {DONE}", True),
    (f"{BOTH}; b(3) = x; {WAIT}; {DONE}", True),
    (f"{BOTH}; a(4) = x; b(4) = x; {WAIT}; {DONE}", False),
    (f"{BOTH}; {WAIT}; {DONE}; a(2) = x; b(2) = x", False),
])  # fmt: skip
def test_a_buffer_touched_in_flight_is_said(inside: str, touched: bool) -> None:
    found = on_ranks(text(inside), HEAD, 3, {"n": 3})
    assert [one.code for one in found.diagnostics] == ["SN605"] * touched
