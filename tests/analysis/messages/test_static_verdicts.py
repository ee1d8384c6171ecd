"""What is proved without inputs holds in every simulated run, and common patterns are proved."""

from __future__ import annotations

from dataclasses import replace

import pytest
from snapset.analysis.messages.static_verdicts import StaticMessages, static_messages
from snapset.frontend.load import load_text

from tests.generators.messages.random_spmd import HEAD, UNPROVABLE, random_spmd
from tests.support.message_patterns import PATTERNS
from tests.support.message_programs import fortran_of, on_ranks

BETTER = {"silent": 0, "self-contained": 1, "right-tight": 2, "not right-tight": 3}


def judged(text: str) -> StaticMessages:
    program = load_text(text)
    return static_messages(program, next(key for key in program.procedures if key.endswith("model")))


def proved(text: str) -> StaticMessages:
    """Without what is only assumed."""
    found = judged(text)
    return replace(found, parts={at: one for at, one in found.parts.items() if not one.assumed})


def check(seed: int, sizes: tuple[int, ...] = (2, 3, 4, 5)) -> bool:
    """Is the part's verdict proved? Then every run agrees. Whatever is proved, log and resend are right."""
    text, kinds = random_spmd(seed)
    found = proved(text)
    for size in sizes:
        run = on_ranks(text, HEAD, size, {"n": 3}, plans=("log", "resend"))
        assert [one.code for one in run.diagnostics if one.code == "SN605"] == [], (seed, size)
        for one in run.runs:
            assert one.right, (seed, size, one)
            assert one.plan == "store-all" or one.log_bytes == one.predicted_log_bytes, (seed, size, one)
        for verdict in found.parts.values():
            if size in verdict.sizes:
                for part in run.parts:
                    assert BETTER[part.verdict] <= BETTER[verdict.verdict], (seed, size, part, verdict)
    return bool(found.parts) or bool(UNPROVABLE & set(kinds))


def test_what_is_proved_holds_on_random_programs() -> None:
    for seed in range(6):
        check(seed, (2 + seed % 4,))


def test_most_random_programs_are_proved() -> None:
    """All but those that hang on who is faster, and those that are stuck by themselves on some ranks."""
    texts = [random_spmd(seed) for seed in range(30)]
    texts = [text for text, kinds in texts if not UNPROVABLE & set(kinds)]
    assert sum(bool(proved(text).parts) for text in texts) >= 0.95 * len(texts)


@pytest.mark.slow
def test_what_is_proved_holds_on_1000_random_programs() -> None:
    count = sum(check(seed) for seed in range(1_000))
    print(f"{count} of 1000 proved, or not to be")
    assert count >= 800


@pytest.mark.parametrize("name", PATTERNS)
def test_the_published_patterns_are_proved_where_the_program_ends(name: str) -> None:
    pattern = PATTERNS[name]
    found, ranks = proved(fortran_of(pattern)), len(pattern["ranks"])
    if pattern["outcome"]["store-all"]["synchronous"] != "ends":
        assert not found.parts
        assert "stuck" in found.unknown
        return
    (verdict,) = found.parts.values()
    assert ranks in verdict.sizes
    assert (verdict.verdict == "self-contained") == (pattern["self_contained"] and pattern["right_tight"])
    assert (verdict.verdict == "not right-tight") == (not pattern["right_tight"])


BODY = """subroutine model(x, flag, many, y)
use mpi
real(8), intent(inout) :: x
real(8), intent(out) :: y
logical, intent(in) :: flag
integer, intent(in) :: many(3)
real(8) :: a
integer :: rank, size, ierr, k, req
call mpi_comm_rank(mpi_comm_world, rank, ierr)
call mpi_comm_size(mpi_comm_world, size, ierr)
a = x
{before}
!$AD CHECKPOINT-START
x = x*x
{inside}
!$AD CHECKPOINT-END
{behind}
y = x*a
end subroutine
"""
SUM = "call mpi_allreduce(x, a, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)"


def verdict_of(inside: str, before: str = "", behind: str = "") -> tuple[str, str]:
    found = proved(BODY.format(before=before, inside=inside, behind=behind))
    return (next(iter(found.parts.values())).verdict if found.parts else "unknown"), found.unknown


@pytest.mark.parametrize(("inside", "before", "expected"), [
    (SUM, "", "self-contained"),
    (f"if (flag) {SUM}", "", "self-contained"),
    (f"if (x > 1) {SUM}", "", "unknown"),
    (f"do k = 1, many(2)\n{SUM}\nend do", "", "unknown"),
    (f"if (k > 0) {SUM}", "k = 0\nif (rank == 0) k = 1", "unknown"),
    (f"if (k + 3 > 0) {SUM}", "if (flag) k = rank", "unknown"),
    ("call mpi_send(x, 1, mpi_double_precision, many(1), 1, mpi_comm_world, ierr)", "", "unknown"),
    ("call mpi_recv(a, 1, mpi_double_precision, mpi_any_source, 1, mpi_comm_world, mpi_status_ignore, ierr)", "",
     "unknown"),
])  # fmt: skip
def test_nothing_is_proved_of_what_may_differ(inside: str, before: str, expected: str) -> None:
    assert verdict_of(inside, before)[0] == expected


def test_requests_without_a_start_or_an_end() -> None:
    receive = "call mpi_irecv(a, 1, mpi_double_precision, modulo(rank - 1, size), 1, mpi_comm_world, req, ierr)"
    send = "call mpi_send(x, 1, mpi_double_precision, mod(rank + 1, size), 1, mpi_comm_world, ierr)"
    wait = "call mpi_wait(req, mpi_status_ignore, ierr)"

    def codes(inside: str) -> list[str]:
        return sorted({code for code, _, _ in proved(BODY.format(before="", inside=inside, behind="")).said})

    assert codes(f"{receive}\n{send}\n{wait}") == []
    assert codes(f"{receive}\n{send}") == ["SN604", "SN605"]  # `y = x*a` reads what is received into
    assert codes(wait) == ["SN603"]


PLACES = """module places
use mpi
type grid_type
  integer :: left, right
end type
type(grid_type), save :: grid
integer :: me, ranks, neighbour(2)
real(8) :: scale
contains
integer function next(at, by)
  integer, intent(in) :: at, by
  next = mod(at + by + ranks, ranks)
end function
subroutine find_place()
  integer :: ierr
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  neighbour(1) = next(me, -1)
  neighbour(2) = next(me, 1)
  grid%left = neighbour(1)
  grid%right = neighbour(2)
end subroutine
subroutine physics(x)
  real(8), intent(inout) :: x
  scale = 2*x
  x = scale*x
end subroutine
subroutine lost()
  neighbour(2) = int(scale)
end subroutine
subroutine exchange(x, to, from)
  real(8), intent(inout) :: x
  integer, intent(in) :: to, from
  integer :: req(2), ierr
  real(8) :: got
  call mpi_irecv(got, 1, mpi_double_precision, from, 1, mpi_comm_world, req(1), ierr)
  call mpi_isend(x, 1, mpi_double_precision, to, 1, mpi_comm_world, req(2), ierr)
  call mpi_waitall(2, req, mpi_statuses_ignore, ierr)
  x = x*got
end subroutine
subroutine by_grid(x, g)
  real(8), intent(inout) :: x
  type(grid_type), intent(in) :: g
  call exchange(x, g%right, g%left)
end subroutine
end module
subroutine model(x, y, n)
use places
real(8), intent(inout) :: x
real(8), intent(out) :: y
integer, intent(in) :: n
integer :: k, own, ierr
type(grid_type) :: other
call find_place()
own = neighbour(2)
do k = 1, n
  !$AD CHECKPOINT-START
  {inside}
  !$AD CHECKPOINT-END
end do
y = x*x
contains
subroutine change()
  own = int(x)
end subroutine
end subroutine
"""


@pytest.mark.parametrize(("inside", "holds"), [
    ("call physics(x); call exchange(x, neighbour(2), neighbour(1)); call physics(x)", True),
    ("call physics(x); call by_grid(x, grid)", True),
    ("call lost(); call exchange(x, neighbour(2), neighbour(1))", False),
    ("call exchange(x, own, neighbour(1))", True),
    ("call change(); call exchange(x, own, neighbour(1))", False),  # of the host, by a procedure in it
    ("other%left = int(x); grid = other; call by_grid(x, grid)", False),  # all components with the whole
    ("call exchange(x, next(me, 1), next(me, -1))", True),  # arithmetic is followed
    ("call mpi_sendrecv_replace(x, 1, mpi_double_precision, neighbour(2), k, neighbour(1), k, mpi_comm_world, "
     "mpi_status_ignore, ierr)", True),  # the step's number is a tag
    ("call exchange(x, next(me, k), next(me, -k))", False),  # but not a peer: two steps do not tell of others
])  # fmt: skip
def test_places_that_modules_hold_are_followed_through_wrappers(inside: str, holds: bool) -> None:
    found = proved(PLACES.replace("{inside}", inside.replace("; ", "\n  ")))
    assert bool(found.parts) == holds, found.unknown
    if holds:
        verdicts = {one.verdict for one in found.parts.values()}
        assert verdicts <= {"self-contained", "silent"}
        assert "self-contained" in verdicts


PREPARED = """subroutine model(x, n, y)
use mpi
real(8), intent(inout) :: x
real(8), intent(out) :: y
integer, intent(in) :: n
integer :: rank, size, ierr, k, req(2), other
real(8) :: out, in
call mpi_comm_rank(mpi_comm_world, rank, ierr)
call mpi_comm_size(mpi_comm_world, size, ierr)
call mpi_recv_init({into}, 1, mpi_double_precision, mod(rank - 1 + size, size), 9, mpi_comm_world, req(1), ierr)
call mpi_send_init(out, 1, mpi_double_precision, mod(rank + 1, size), 9, mpi_comm_world, req(2), ierr)
other = mod(rank + 1, size)
do k = 1, n
  out = x*x
  {before}
  !$AD CHECKPOINT-START
  {inside}
  x = x*in
  !$AD CHECKPOINT-END
  {behind}
end do
y = x*x
end subroutine
"""


@pytest.mark.parametrize(("stretches", "verdict"), [
    (("", "call mpi_startall(2, req, ierr); call mpi_waitall(2, req, mpi_statuses_ignore, ierr)", ""),
     "self-contained"),
    (("", "call mpi_start(req(1), ierr); call mpi_start(req(2), ierr); call mpi_wait(req(1), mpi_status_ignore, ierr); "
      "call mpi_wait(req(2), mpi_status_ignore, ierr)", ""), "self-contained"),
    (("call mpi_startall(2, req, ierr)", "call mpi_waitall(2, req, mpi_statuses_ignore, ierr)", ""), "right-tight"),
    (("", "call mpi_start(req(2), ierr)", "call mpi_start(req(1), ierr); "
      "call mpi_waitall(2, req, mpi_statuses_ignore, ierr)"), "right-tight"),  # nothing in the part waits for behind it
    (("", "call mpi_start(req(1), ierr)", "call mpi_waitall(2, req, mpi_statuses_ignore, ierr)"), None),  # never sent
])  # fmt: skip
def test_persistent_requests_are_messages_each_time_they_are_started(stretches: tuple[str, str, str],
                                                                     verdict: str | None) -> None:
    before, inside, behind = (one.replace("; ", "\n  ") for one in stretches)
    found = proved(PREPARED.format(into="in", before=before, inside=inside, behind=behind))
    assert [one.verdict for one in found.parts.values()] == ([verdict] if verdict else []), found.unknown
    assert found.said == () or verdict is None


def test_what_a_started_receive_writes_is_not_known() -> None:
    start = ("call mpi_startall(2, req, ierr)\n  call mpi_waitall(2, req, mpi_statuses_ignore, ierr)\n  "
             "call mpi_send(x, 1, mpi_double_precision, other, 1, mpi_comm_world, ierr)")
    found = proved(PREPARED.format(into="other", before="", inside=start, behind=""))
    assert not found.parts
    assert "dest" in found.unknown


SHIFT = ("call mpi_sendrecv_replace(x, 1, mpi_double_precision, {0}, 1, {1}, 1, mpi_comm_world, mpi_status_ignore, "
         "ierr)")
SHARED = """subroutine model(x, n, y)
use mpi
real(8), intent(inout) :: x
real(8), intent(out) :: y
integer, intent(in) :: n
integer :: rank, size, ierr, k, to, from, pair(2), places(0:2), more(2:3), req(4), comm, dims(2), at(2)
logical :: periods(2)
integer :: beside(2)
common /ends/ beside
real(8) :: a
{declared}
call mpi_comm_rank(mpi_comm_world, rank, ierr)
call mpi_comm_size(mpi_comm_world, size, ierr)
to = mod(rank + 1, size)
from = mod(rank - 1 + size, size)
{before}
!$AD CHECKPOINT-START
x = x*x
{inside}
!$AD CHECKPOINT-END
y = x*x
contains
subroutine ends(p)
integer, intent(in) :: p(2)
{send}
end subroutine
subroutine other(x)
real(8), intent(inout) :: x
integer :: low, high
common /ends/ low, high
high = int(x)
end subroutine
subroutine finish(r)
integer, intent(inout) :: r(2)
call mpi_waitall(2, r, mpi_statuses_ignore, ierr)
end subroutine
end subroutine
"""
PAIR = "call mpi_irecv(a, 1, mpi_double_precision, from, 1, mpi_comm_world, req({0}), ierr); " \
       "call mpi_isend(x, 1, mpi_double_precision, to, 1, mpi_comm_world, req({1}), ierr)"
CART = ("dims = 0; periods = .true.; call mpi_dims_create(size, 2, dims, ierr); call mpi_cart_create(mpi_comm_world, "
        "2, dims, periods, .false., comm, ierr); call mpi_cart_shift(comm, 0, 1, from, to, ierr)")


@pytest.mark.parametrize(("inside", "before", "declared", "holds"), [
    (SHIFT.format("to", "from"), "", "", True),
    (SHIFT.format("to", "from"), "k = int(x)", "equivalence (to, k)", False),
    (SHIFT.format("to", "from"), "pair(2) = int(x)", "equivalence (to, pair(1))", True),  # beside it
    (SHIFT.format("to", "from"), "pair(2) = int(x)", "equivalence (to, pair(2))", False),
    (SHIFT.format("beside(2)", "beside(1)"), "beside = [from, to]; beside(1) = from; beside(2) = to", "", True),
    (SHIFT.format("beside(2)", "beside(1)"), "beside(1) = from; beside(2) = to; call other(x)", "", False),
    ("call ends(pair)", "pair(1) = from; pair(2) = to", "", True),
    ("call ends(places(1:2))", "places(1) = from; places(2) = to; places(0) = 0", "", True),  # not places(0:1)
    ("call ends(places(1:))", "places(1) = from; places(2) = to", "", True),
    ("call ends(more)", "more(2) = from; more(3) = to", "", True),
    ("call ends(more)", "more(2) = from; more(3) = int(x)", "", False),
    ("call ends(places(0:1))", "places(0) = from; places(1) = to; places(2) = from", "", True),
    (f"{PAIR.format(3, 4)}; call finish(req(3:4)); x = x*a", "req = mpi_request_null", "", True),
    (f"{PAIR.format(1, 2)}; call finish(req); x = x*a", "req = mpi_request_null", "", True),
    (SHIFT.format("to", "from").replace("mpi_comm_world", "comm"), CART, "", True),
    (SHIFT.format("to", "from"), CART.replace(".false., comm", ".true., comm"), "", False),  # numbers may change
    (SHIFT.format("to", "from"), CART.replace("dims = 0", "dims = int(x)"), "", False),
])  # fmt: skip
def test_memory_that_is_shared_or_seen_with_other_bounds(inside: str, before: str, declared: str, holds: bool) -> None:
    parts = {"inside": inside, "before": before, "declared": declared, "send": SHIFT.format("p(2)", "p(1)")}
    found = proved(SHARED.format(**{name: text.replace("; ", "\n") for name, text in parts.items()}))
    assert bool(found.parts) == holds, found.unknown
    verdicts = {one.verdict for (where, _), one in found.parts.items() if where == "model"}
    assert "self-contained" in verdicts or not holds
    assert found.said == ()


def test_started_collectives_and_probes_are_followed() -> None:
    start = "call mpi_iallreduce(x, a, 1, mpi_double_precision, mpi_sum, mpi_comm_world, req, ierr)"
    wait = "call mpi_wait(req, mpi_status_ignore, ierr)"
    assert verdict_of(f"{start}\n{wait}")[0] == "self-contained"
    assert verdict_of(wait, start)[0] == "right-tight"
    assert verdict_of("k = 1", start, wait)[0] == "silent"
    send = "call mpi_isend(x, 1, mpi_double_precision, mod(rank + 1, size), 1, mpi_comm_world, req, ierr)"
    probe = "call mpi_probe(modulo(rank - 1, size), 1, mpi_comm_world, mpi_status_ignore, ierr)"
    receive = ("call mpi_recv(a, 1, mpi_double_precision, modulo(rank - 1, size), 1, mpi_comm_world, "
               "mpi_status_ignore, ierr)")
    assert verdict_of(f"{send}\n{probe}\n{receive}\n{wait}")[0] == "self-contained"
    assert verdict_of(probe, send, f"{receive}\n{wait}")[0] == "right-tight"
    assert "stuck" in verdict_of(f"{probe}\n{send}\n{receive}\n{wait}")[1]


@pytest.mark.parametrize(("inside", "verdict"), [
    (f"do k = 1, many(1)\nif (k == 1) then\n{SUM}\nend if\nend do", "unknown"),  # a table may differ
    (f"do k = 1, 100000\nif (k == 1) then\n{SUM}\nend if\nend do", "self-contained"),
    (f"do k = 1, 100000\nif (k == rank) then\n{SUM}\nend if\nend do", "unknown"),  # who knows which steps there are
    (f"do k = 1, 100000\nif (k > 0 .and. k - 1 >= 0) then\n{SUM}\nend if\nend do", "self-contained"),
    (f"do k = 1, 100000\nif (k < 2 .or. rank < 0) then\n{SUM}\nend if\nend do", "self-contained"),
])  # fmt: skip
def test_the_first_step_is_told_from_later_ones(inside: str, verdict: str) -> None:
    assert verdict_of(inside)[0] == verdict


@pytest.mark.parametrize(("between", "touches"), [
    ("a = 1", True), ("x = a", True), ("x = 2", True), ("k = rank", False), ("v = x", True), ("v(2) = 1", False),
    ("w(3) = 1", True), ("w(2) = 1", False), ("w(5) = 1", False), ("v(1) = w(4)", True), ("w = 0", True),
    ("if (flag) a = 1", False), ("if (rank == 0) a = 1", True), ("w(many(1)) = 1", True), ("w(many(2)) = 1", False),
    ("call bump(a)", True), ("call bump(v(1))", False),
])  # fmt: skip
def test_a_buffer_that_is_certainly_touched_in_flight(between: str, touches: bool) -> None:
    wait = "call mpi_waitall(5, req, mpi_statuses_ignore, ierr)"
    right, left = "mod(rank + 1, size)", "modulo(rank - 1, size)"
    lines = [f"call mpi_irecv({what}, mpi_double_precision, {left}, {tag}, mpi_comm_world, req({tag}), ierr)"
             for tag, what in ((1, "a, 1"), (2, "w(3), 2"), (3, "w(many(1)), 1"))]
    lines += [f"call mpi_isend({what}, mpi_double_precision, {right}, {tag}, mpi_comm_world, req({at}), ierr)"
              for at, tag, what in ((4, 1, "x, 1"), (5, 2, "v(3), 2"))]
    lines.append(f"call mpi_send(v, 1, mpi_double_precision, {right}, 3, mpi_comm_world, ierr)")
    text = BODY.replace("integer :: rank, size, ierr, k, req", "integer :: rank, size, ierr, k, req(5)\nreal(8) :: "
                        "v(4), w(9)").replace("end subroutine", "contains\nsubroutine bump(b)\nreal(8), intent(inout) "
                        ":: b\nb = b + 1\ncall mpi_barrier(mpi_comm_world, ierr)\nend subroutine\nend subroutine")
    found = proved(text.format(before="", inside="\n".join([*lines, between, wait]), behind=""))
    assert {code for code, _, _ in found.said} == ({"SN605"} if touches else set()), (found.said, found.unknown)
