"""Sets of calls whose procedure has no source, exactly: by the words of a declaration, an interface, MPI, or nothing.

A word stands for each argument (``in out inout none``, and ``sent received exchanged`` for messages). Behind the sets
stand ``keep``, ``unseen``, ``varies:`` what arrives from other processes, ``counts:`` what goes there, ``completes:``
the requests that end, and ``talks`` for any of these three.
"""

from __future__ import annotations

import pytest
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend.load import load_text

from tests.support.modelled import parts

HEAD = """module m
real(8) :: g
contains
subroutine s(x, y, a, b, n, m, k, p, al, r, st, pi)
implicit none
include 'mpif.h'
integer :: n, m, k(10), r, rs(4), st(6), ierr
real(8) :: x, y, a(10), b(10)
real(8), intent(in) :: pi
real(8), pointer :: p(:)
real(8), allocatable :: al(:)
interface
  subroutine known(u, v, w)
    real(8), intent(in) :: u
    real(8), intent(out) :: v
    real(8), intent(inout) :: w(:)
  end subroutine
  function fun(u)
    real(8), intent(in) :: u
    real(8) :: fun
  end function
  subroutine ptr(u, v)
    real(8), pointer, intent(inout) :: u(:)
    real(8), allocatable, intent(inout) :: v(:)
  end subroutine
end interface
"""
DECLARED = {"work": "in out inout none", "arr": "out received sent exchanged", "gl": "out globals",
            "sk": "in out skippable"}
CASES = {
    "call work(x, y, a, b)": "a x -> a y ! y keep unseen",
    "call work(x, y, a(n), k(m))": "a m n x -> a y ! y keep unseen",
    "call work(x, a(n), y, b)": "n x y -> a y ! keep unseen",
    "call work(x, a, y, b)": "x y -> a y ! keep unseen",  # perhaps not all of an array
    "call work(2*x, y, a, n + 1)": "a n x -> a y ! y keep unseen",
    "call work(x, y)": "x -> y ! y keep unseen",
    # More arguments than words: nothing is known.
    "call work(x, y, a, b, k)": "a b g k x y -> a b g k x y ! keep unseen",
    "call arr(a, b, x, y)": "x y -> a b y ! keep unseen varies: b y counts: x y talks",
    "call arr(a, b, 2*x, y)": "x y -> a b y ! keep unseen varies: b y counts: y talks",
    "call gl(x)": "g -> g x ! x keep unseen",
    "call sk(x, y)": "x -> y ! y",
    "call nowhere(x, pi)": "g pi x -> g x ! keep unseen",
    "call nowhere(pi*x)": "g pi x -> g ! keep unseen",
    "call known(x, y, a)": "a g x -> a g y ! y keep unseen",
    "call known(x, a(2), b(1:n))": "b g n x -> a b g ! keep unseen",
    "call known(u=x, w=a, v=y)": "a g x -> a g y ! y keep unseen",
    "call ptr(p, al)": "al al[] g p p=> -> al al[] g p p=> ! keep unseen",
    "y = fun(x)": "g x -> fun@ g ! fun@ keep unseen",
    "call mpi_send(a, n, mpi_real8, 0, 1, m, ierr)": "a m n -> ierr ! ierr keep unseen counts: a talks",
    "call mpi_recv(a, n, mpi_real8, 0, 1, m, st, ierr)": "m n -> a ierr st ! ierr keep unseen varies: a talks",
    "call mpi_irecv(a, n, mpi_real8, 0, 1, m, r, ierr)": "m n -> a ierr r ! ierr r keep unseen varies: a talks",
    "call mpi_wait(r, st, ierr)": "r -> ierr r st ! ierr keep unseen completes: r talks",
    "call mpi_waitall(4, rs, st, ierr)": "rs -> ierr rs st ! ierr keep unseen completes: rs talks",
    "call mpi_allreduce(x, y, 1, mpi_real8, mpi_sum, m, ierr)":
        "m x y -> ierr y ! ierr keep unseen varies: y counts: x y talks",
    # What is started is what was prepared.
    "call mpi_send_init(a, n, mpi_real8, 0, 1, m, r, ierr); call mpi_start(r, ierr)":
        "a r -> ierr r ! ierr keep unseen counts: a talks",
    "call mpi_recv_init(a, n, mpi_real8, 0, 1, m, r, ierr); call mpi_start(r, ierr)":
        "r -> a ierr r ! ierr keep unseen varies: a talks",
    "call mpi_recv_init(a, n, mpi_real8, 0, 1, m, r, ierr); call mpi_send_init(b, n, mpi_real8, 0, 1, m, r, ierr); "
    "call mpi_recv_init(x, 1, mpi_real8, 0, 1, m, r, ierr); call mpi_send_init(y, 1, mpi_real8, 0, 1, m, r, ierr); "
    "call mpi_start(r, ierr)": "b r y -> a ierr r x ! ierr keep unseen varies: a x counts: b y talks",
}


@pytest.mark.parametrize("body", CASES)
def test_what_a_call_without_source_does(body: str) -> None:
    lines = body.split("; ")
    text = HEAD + "\n".join(lines) + "\nend subroutine\nend module\n"
    model = Models(load_text(text, name="t.f90"), DECLARED).by_key["m::s"]
    line = HEAD.count("\n") + len(lines)
    node = next(n.index for n in model.flow.nodes if n.kind == "call" and n.span.line == line)
    e = model.effects[node]
    sets = {"varies": e.varies, "counts": e.counts, "completes": e.completes}
    said = [f"{parts(model, e.use)} -> {parts(model, e.out)} ! {parts(model, e.kill)}",
            *(word for word, holds in {"keep": e.keep, "unseen": e.unseen}.items() if holds),
            *(f"{name}: {parts(model, bits)}" for name, bits in sets.items() if bits), *(["talks"] if e.talks else [])]
    assert " ".join(" ".join(said).split()).replace(f"@{line}", "@") == CASES[body]


def test_what_starts_messages_that_nobody_prepared_here_does_anything() -> None:
    text = f"{HEAD}call mpi_start(r, ierr)\nend subroutine\nend module\n"
    model = Models(load_text(text, name="t.f90")).by_key["m::s"]
    (call,) = model.calls
    e = model.effects[call]
    everything = {name for name in parts(model, model.space.all()).split() if not name.startswith("mpi_")}
    assert {*parts(model, e.use).split()} >= everything >= {"a", "b", "g", "x", "y", "al[]", "p=>"}
    assert (e.out, e.varies, e.counts, e.kill) == (e.use, e.use, e.use, 0)
    assert (e.keep, e.unseen, e.talks) == (True, True, True)
