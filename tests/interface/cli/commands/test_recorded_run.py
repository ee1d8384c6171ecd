"""``snapset messages --messages``: records of real runs, judged beside what is proved."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from snapset.analysis.messages.communication_trace import events_of
from snapset.analysis.messages.recorded_run import read_recorded_run
from snapset.cli.main import main

from tests.support.corpus import CORPUS
from tests.support.paths import ROOT

# The pipeline on two ranks, as MPICH ran it: model@23 within model@15.
PIPELINE = [
    ["begin 15", "isend 1 1", "begin 23", "isend 1 2", "wait-send 1 2", "wait-send 1 1", "end 23", "end 15",
     "isend 1 3", "wait-send 1 3"],
    ["begin 15", "irecv 0 1", "wait-recv 0 1", "begin 23", "irecv 0 2", "wait-recv 0 2", "end 23", "irecv 0 3",
     "wait-recv 0 3", "end 15"],
]  # fmt: skip


def record(path: Path, ranks: list[list[str]], joined: bool = False) -> str:
    """Write the lines of a wrapper: ``isend 1 2`` is to (from) rank 1 by tag 2."""
    for rank, calls in enumerate(ranks):
        lines: list[str] = []
        starts: dict[tuple[str, str, str], int] = {}
        for seq, text in enumerate(calls):
            call, peer, tag = (*text.split(), "0")[:3]
            start = starts.pop((call.removeprefix("wait-"), peer, tag), seq)
            if call in ("isend", "irecv"):
                starts[call[1:], peer, tag] = seq
            lines.append(json.dumps({"rank": rank, "seq": seq, "call": call, "peer": int(peer), "tag": int(tag),
                                     "communicator": 1, "bytes": 8, "request": start}))
        with path.with_name(path.name if joined else f"{path.name}.{rank}").open("a") as file:
            file.write("\n".join(lines) + "\n")
    return str(path)


def judged(tmp_path: Path, ranks: list[list[str]], *more: str, joined: bool = False) -> int:
    return main(["messages", str(CORPUS / "mpi_pipeline.f90"), "--head", "model(x)>(y)", "--messages",
                 record(tmp_path / "trace.jsonl", ranks, joined), *more])


@pytest.mark.parametrize("joined", [False, True])
def test_a_record_is_judged_beside_the_proof(tmp_path: Path, joined: bool, capsys: pytest.CaptureFixture[str]) -> None:
    code = judged(tmp_path, PIPELINE, "--format", "json", joined=joined)
    found = json.loads(capsys.readouterr().out)
    parts = {part["id"]: part for part in found["parts"]}
    assert code == 1  # the popular way is stuck
    assert {name: (part["verdict"], part["proved"]) for name, part in parts.items()} == {
        "model@15": ("not right-tight", "not right-tight"), "model@23": ("right-tight", "right-tight")}
    runs = {run["plan"]: (run["log_bytes"], run["sent_again_bytes"]) for run in found["runs"] if run["ends"]}
    assert runs == {"store-all": (0, 0), "log": (24, 0), "resend": (24, 8)}  # as docs/messages.md has it, run


def test_a_run_that_refutes_the_proof_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record of another program: its inner part is not right-tight."""
    other = [["begin 23", "isend 1 2", "wait-send 1 2", "end 23", "isend 1 3", "wait-send 1 3"],
             ["begin 23", "irecv 0 2", "wait-recv 0 2", "irecv 0 3", "wait-recv 0 3", "end 23"]]
    code = judged(tmp_path, other, "--messages-plan", "log")
    assert code == 1
    assert "this run refutes it" in " ".join(capsys.readouterr().out.split())


def test_wildcards_waits_out_of_order_and_collectives_of_some(tmp_path: Path,
                                                             capsys: pytest.CaptureFixture[str]) -> None:
    """What a wildcard took is told by its completion; a collective that only two have recorded is of those two."""
    path = tmp_path / "trace.jsonl"
    rows = [
        (0, "irecv", -2, -1, 0), (0, "irecv", 2, 7, 1), (0, "wait-recv", 2, 7, 1), (0, "wait-recv", 1, 7, 0),
        (0, "collective", 0, 0, 4), (1, "isend", 0, 7, 0), (1, "wait-send", 0, 7, 0), (1, "collective", 0, 0, 2),
        (2, "isend", 0, 7, 0), (2, "wait-send", 0, 7, 0)]
    seqs: dict[int, int] = {}
    with path.open("w") as file:
        for rank, call, peer, tag, request in rows:
            seqs[rank] = seqs.get(rank, -1) + 1
            file.write(json.dumps({"rank": rank, "seq": seqs[rank], "call": call, "peer": peer, "tag": tag,
                                   "communicator": 1, "bytes": 8, "request": request}) + "\n")
    assert main(["messages", str(CORPUS / "mpi_pipeline.f90"), "--head", "model(x)>(y)", "--messages", str(path)]) == 0
    assert "deadlock" not in capsys.readouterr().out


@pytest.mark.parametrize(("lines", "said"), [
    ("", "no calls are recorded"),
    ("nonsense", ":1: "), ("[]", "not a JSON object"), ('{"rank": "0"}', "no whole number rank"),
    ('{"rank": 0, "seq": 0, "call": "fly", "peer": 0, "tag": 0, "communicator": 1, "bytes": 8, "request": 0}',
     "call is none of"),
    ('{"rank": 1, "seq": 0, "call": "begin", "peer": 5, "tag": 0, "communicator": 1, "bytes": 8, "request": 0}',
     "rank 0 of 2 has recorded nothing"),
    ('{"rank": 0, "seq": 0, "call": "begin", "peer": 5, "tag": 0, "communicator": 1, "bytes": 8, "request": 0}',
     "part 5 of rank 0 never ends"),
    ('{"rank": 0, "seq": 0, "call": "end", "peer": 5, "tag": 0, "communicator": 1, "bytes": 8, "request": 0}',
     "not the one that began last"),
    ('{"rank": 0, "seq": 0, "call": "wait-send", "peer": 0, "tag": 0, "communicator": 1, "bytes": 8, "request": 4}',
     "no call has started"),
    ('{"rank": 0, "seq": 0, "call": "isend", "peer": 3, "tag": 0, "communicator": 1, "bytes": 8, "request": 0}',
     "rank 3 is none"),
])  # fmt: skip
def test_a_record_that_is_none_is_one_line(lines: str, said: str, tmp_path: Path,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text(lines)
    assert main(["messages", str(CORPUS / "mpi_pipeline.f90"), "--head", "model(x)>(y)", "--messages", str(path)]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.count("\n") == 1
    assert said in found.err


def test_a_record_of_parts_alone_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a wrapper leaves it that sees MPI_PCONTROL, and no message."""
    path = tmp_path / "trace.jsonl"
    parts = [{"rank": 0, "seq": k, "call": call, "peer": 23, "tag": 0, "communicator": 1, "bytes": 0, "request": k}
             for k, call in enumerate(("begin", "end"))]
    path.write_text("\n".join(map(json.dumps, parts)))
    assert main(["messages", str(CORPUS / "mpi_pipeline.f90"), "--head", "model(x)>(y)", "--messages", str(path)]) == 2
    assert "only parts are recorded there, no message" in capsys.readouterr().err


def test_no_record_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["messages", str(CORPUS / "mpi_pipeline.f90"), "--head", "model(x)>(y)", "--messages", "nowhere"]) == 2
    assert "no nowhere.0 beside it" in capsys.readouterr().err


def test_the_wrapper_is_short_and_compiles(tmp_path: Path) -> None:
    source = ROOT / "docs" / "pmpi_trace.c"
    assert len(source.read_text().splitlines()) < 200
    compiler = shutil.which("mpicc")
    if compiler is None:
        pytest.skip("no mpicc here")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(tmp_path / "libtrace.so"), str(source)], check=True,
                   timeout=120)


PROGRAM = """#include <mpi.h>
int main(int argc, char **argv) {
    int me, size, far, near = 1, kept[1] = {1}, dims[1], around[1] = {1};
    MPI_Comm own, all, half, ring, line;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (me == 0) MPI_Comm_dup(MPI_COMM_SELF, &own); /* from here on rank 0 numbers its handles otherwise */
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Comm_split(all, me % 2, -me, &half);
    dims[0] = size;
    MPI_Cart_create(all, 1, dims, around, 0, &ring), MPI_Cart_sub(ring, kept, &line);
    for (int k = 0; k < 2; k++) {
        MPI_Comm c = k ? line : all;
        MPI_Irecv(&far, 1, MPI_INT, (me + size - 1) % size, 7, c, &r[0]);
        MPI_Isend(&near, 1, MPI_INT, (me + 1) % size, 7, c, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Allreduce(&near, &far, 1, MPI_INT, MPI_SUM, half);
    return MPI_Finalize();
}
"""


@pytest.mark.skipif(not shutil.which("mpicc") or not shutil.which("mpiexec"), reason="no MPI here")
def test_communicators_have_one_number_on_all_ranks(tmp_path: Path) -> None:
    """Handles differ from rank to rank. By hand: each message has an end on two ranks, the sum is of 0 2 and of 1 3."""
    (tmp_path / "run.c").write_text(PROGRAM)
    library, run = tmp_path / "libtrace.so", tmp_path / "run"
    subprocess.run(["mpicc", "-shared", "-fPIC", "-o", library, ROOT / "docs" / "pmpi_trace.c"], check=True)
    subprocess.run(["mpicc", "-o", run, tmp_path / "run.c"], check=True)
    subprocess.run(["mpiexec", "-n", "4", "env", f"LD_PRELOAD={library}", f"SNAPSET_TRACE={tmp_path / 'trace'}", run],
                   check=True, timeout=120)
    who: dict[str, list[int]] = {}
    for rank, trace in enumerate(read_recorded_run(str(tmp_path / "trace"))):
        for one in events_of(trace):
            if one.kind in ("isend", "wait-recv") or (one.kind == "collective" and one.bytes):
                who.setdefault(one.message, []).append(rank)
    pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert sorted(who.values()) == sorted([pairs[0], pairs[3], pairs[5], pairs[2]]*2 + [pairs[1], pairs[4]])


SHIFT = """
program shift
  use {module}
  implicit none
  {handles}
  integer :: me, n, ierr
  real(8) :: x, got, total
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, n, ierr)
  x = me
  call mpi_pcontrol(23)
  call mpi_irecv(got, 1, mpi_double_precision, mod(me+n-1, n), 3, mpi_comm_world, r(1), ierr)
  call mpi_isend(x, 1, mpi_double_precision, mod(me+1, n), 3, mpi_comm_world, r(2), ierr)
  call mpi_waitall(2, r, mpi_statuses_ignore, ierr)
  call mpi_pcontrol(-23)
  call mpi_send_init(x, 1, mpi_double_precision, mod(me+1, n), 4, mpi_comm_world, r(1), ierr)
  call mpi_recv_init(got, 1, mpi_double_precision, mod(me+n-1, n), 4, mpi_comm_world, r(2), ierr)
  call mpi_startall(2, r, ierr)
  call mpi_wait(r(1), mpi_status_ignore, ierr)
  call mpi_wait(r(2), mpi_status_ignore, ierr)
  call mpi_comm_dup(mpi_comm_world, own, ierr)
  call mpi_allreduce(got, total, 1, mpi_double_precision, mpi_sum, own, ierr)
  call mpi_finalize(ierr)
end program shift
"""
HANDLES = {"mpi": "integer :: r(2), own", "mpi_f08": "type(mpi_request) :: r(2)\n  type(mpi_comm) :: own"}


@pytest.mark.skipif(not shutil.which("mpif90") or not shutil.which("mpiexec"), reason="no MPI here")
@pytest.mark.parametrize("module", HANDLES)
def test_both_modules_of_mpi_are_recorded(module: str, tmp_path: Path) -> None:
    """By hand: each message is started and completed on two ranks, twice; comm_dup and the sum are collectives of
    all."""
    (tmp_path / "run.f90").write_text(SHIFT.format(module=module, handles=HANDLES[module]))
    library, run = tmp_path / "libtrace.so", tmp_path / "run"
    subprocess.run(["mpicc", "-shared", "-fPIC", "-o", library, ROOT / "docs" / "pmpi_trace.c"], check=True)
    subprocess.run(["mpif90", "-o", run, tmp_path / "run.f90"], check=True, cwd=tmp_path)
    subprocess.run(["mpiexec", "-n", "3", "env", f"LD_PRELOAD={library}", f"SNAPSET_TRACE={tmp_path / 'trace'}", run],
                   check=True, timeout=120)
    found = read_recorded_run(str(tmp_path / "trace"))
    pair = ["isend", "irecv", "wait-send", "wait-recv"]
    for trace in found:
        assert sorted(one.kind for one in events_of(trace)) == sorted([*pair, *pair, "collective", "collective"])
        assert type(trace[0]).__name__ == "TracePart"
    who: dict[str, set[int]] = {}
    for rank, trace in enumerate(found):
        for one in events_of(trace):
            who.setdefault(one.message, set()).add(rank)
    assert sorted(map(len, who.values())) == [2]*6 + [3]*2
