"""``snapset messages`` and ``snapset replay --ranks``: what is printed, exit codes, and the same under real MPI."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from snapset.cli.main import main
from snapset.documents.json_schema import json_schema
from snapset.frontend.rules.message_rules import RULES

from tests.support.corpus import CORPUS, parse_expected

MPIEXEC = Path(sys.executable).parent / "mpiexec"


def arguments(name: str, *more: str) -> list[str]:
    head = parse_expected((CORPUS / f"{name}.expected").read_text()).head
    return [str(CORPUS / f"{name}.f90"), "--head", head, "--quiet", *more]


def test_a_part_is_judged_and_the_deadlock_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["messages", *arguments("mpi_pipeline", "--ranks", "2")]) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert "model@15: not right-tight" in text
    assert "model@23: right-tight" in text
    assert "popular: a deadlock" in text
    assert "adjoint: receives ~x from 1, who is at" in text
    assert "again: receives w from 0, waits; waits for 0" in text


def test_a_wait_without_a_request_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The example of SN601: the second run waits for what the first has completed."""
    path = tmp_path / "example.f90"
    path.write_text(RULES[0].example.files["example.f90"])
    assert main(["messages", str(path), "--head", "p(x)>(y)", "--ranks", "2", "--quiet"]) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert "popular: an error" in text
    assert "wait without a request" in text


def test_right_plans_alone_are_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", *arguments("mpi_pipeline", "--ranks", "2", "--messages-plan", "log,resend")]) == 0
    assert "model@15" not in capsys.readouterr().out


def test_the_document_is_as_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    main(["messages", *arguments("mpi_reduce_branch", "--ranks", "3", "--format", "json")])
    found = json.loads(capsys.readouterr().out)
    Draft202012Validator(json_schema("messages")).validate(found)
    assert [one["verdict"] for one in found["parts"]] == ["right-tight"]
    assert found["runs"][3]["stuck"][0]["sweep"] == "again"


def test_the_graph_is_drawn_with_its_arrows_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "graph.svg"
    main(["messages", *arguments("mpi_pipeline", "--ranks", "2", "--picture", str(path))])
    capsys.readouterr()
    text = path.read_text()
    assert text.count('stroke="#cc0000"') == 1
    assert text.count("fill-opacity") == 4


@pytest.mark.parametrize(("words", "said"), [
    (["messages", *arguments("mpi_ring", "--ranks", "0")], "not a number of ranks"),
    (["messages", *arguments("mpi_ring", "--ranks", "2", "--messages-plan", "none")], "no plan"),
    (["messages", *arguments("mpi_ring", "--ranks", "2", "--sends", "slowly")], "not synchronous"),
    (["messages", *arguments("mpi_ring", "--ranks", "2", "--picture", "graph.png")], "ends in .svg"),
    (["replay", *arguments("mpi_ring", "--sends", "buffered")], "give --ranks N too"),
    (["replay", *arguments("mpi_ring", "--ranks", "2", "--necessity")], "leave them out"),
    (["replay", *arguments("mpi_ring")], "--ranks N"),
])  # fmt: skip
def test_what_is_unusable_is_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.count("\n") == 1
    assert said in found.err


def test_the_program_itself_is_at_fault(capsys: pytest.CaptureFixture[str]) -> None:
    """On three ranks the pipeline's third waits for what nobody sends: no second run is blamed."""
    assert main(["messages", *arguments("mpi_pipeline", "--ranks", "3")]) == 1
    text = capsys.readouterr().out
    assert "the program itself: a deadlock" in text
    assert "popular" not in text


def runs(name: str, ranks: int, capsys: pytest.CaptureFixture[str], path: Path) -> tuple[list[Any], list[Any]]:
    """As simulated, and under real MPI."""
    main(["messages", *arguments(name, "--ranks", str(ranks), "--format", "json")])
    simulated = json.loads(capsys.readouterr().out)["runs"]
    words = [str(MPIEXEC), "-n", str(ranks), sys.executable, "-m", "snapset", "messages",
             *arguments(name, "--ranks", "mpi", "--format", "json")]
    with path.open("w") as out:
        subprocess.run(words, stdout=out, timeout=120, check=False)
    return simulated, json.loads(path.read_text())["runs"]


APART = """
subroutine model(x, y)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: me, np, ierr, own, half, extra
  real(8) :: s
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  if (me == 0) call mpi_comm_dup(mpi_comm_self, extra, ierr)
  !$AD CHECKPOINT-START
  call mpi_comm_split(mpi_comm_world, min(me, 1), -me, own, ierr)
  call mpi_allreduce(x, s, 1, mpi_double_precision, mpi_sum, own, ierr)
  x = x*s
  if (me > 0) then
    call mpi_comm_dup(own, half, ierr)
    call mpi_bcast(x, 1, mpi_double_precision, 0, half, ierr)
  end if
  !$AD CHECKPOINT-END
  y = x*x
end subroutine
"""


@pytest.mark.skipif(find_spec("mpi4py") is None or not MPIEXEC.exists(), reason="no MPI: pip install 'snapset[mpi]'")
def test_groups_apart_are_told_apart_on_real_ranks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rank 0 is alone, and has a communicator more than the others: theirs had its number, and their collectives the
    same names. What is sent again showed it."""
    (tmp_path / "apart.f90").write_text(APART)
    words = [str(tmp_path / "apart.f90"), "--head", "model(x)>(y)", "--quiet", "--format", "json", "--ranks"]
    assert main(["messages", *words, "3"]) == 0
    simulated = json.loads(capsys.readouterr().out)
    with (tmp_path / "found.json").open("w") as out:
        command = [str(MPIEXEC), "-n", "3", sys.executable, "-m", "snapset", "messages", *words, "mpi"]
        subprocess.run(command, stdout=out, timeout=120, check=True)
    real = json.loads((tmp_path / "found.json").read_text())
    assert simulated["parts"] == real["parts"]
    for key in ("plan", "ends", "equal", "log_bytes", "sent_again_bytes", "gradient_digest"):
        assert [one[key] for one in simulated["runs"]] == [one[key] for one in real["runs"]]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mpi4py") is None or not MPIEXEC.exists(), reason="no MPI: pip install 'snapset[mpi]'")
@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("name", ["mpi_heat2d", "mpi_sweep", "mpi_workers", "mpi_halo_overlap", "mpi_master"])
def test_real_ranks_do_what_the_simulated_ones_do(name: str, ranks: int, tmp_path: Path,
                                                  capsys: pytest.CaptureFixture[str]) -> None:
    simulated, real = runs(name, ranks, capsys, tmp_path / "found.json")
    order_counts = name in ("mpi_workers", "mpi_master") and ranks > 2  # who is first differs from run to run
    for one, other in zip(simulated, real, strict=True):
        if one["plan"] == "popular" and order_counts:
            continue
        figures = ("log_bytes", "sent_again_bytes", "never_received") if one["ends"] else ()  # else: when it was stuck
        for key in ("plan", "ends", "equal", *figures):
            assert one[key] == other[key], (key, one, other)
        assert order_counts or one["gradient_digest"] == other["gradient_digest"]


def test_a_program_without_messages_takes_one_line(capsys: pytest.CaptureFixture[str],
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """It took 48. With collectives outside of its parts alone a program has messages."""
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["messages", *arguments("burgers_region")]) == 0
    assert capsys.readouterr().out == (
        "burgers(u)>(cost) on 4 ranks: no message, so nothing to send again and nothing to log; 3 plans run, each with "
        "the gradient of store-all\n")
    assert main(["messages", *arguments("mpi_reduce")]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 8


@pytest.mark.parametrize(("name", "code"), [("mpi_pipeline", 1), ("mpi_reduce_branch", 1), ("mpi_halo", 0),
                                            ("mpi_master", 0)])
def test_a_report_on_a_part_whose_second_run_is_wrong_ends_with_1(
        name: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str]) -> None:
    """SN601; nothing is proved of the master. Who logs what is received ignores it."""
    text = (CORPUS / f"{name}.f90").read_text()
    head = parse_expected((CORPUS / f"{name}.expected").read_text()).head
    monkeypatch.chdir(tmp_path)
    file = Path("m.f90")
    file.write_text(text)
    assert main(["report", "m.f90", "--head", head]) == code
    shown = capsys.readouterr().out.splitlines()
    found = {line.strip() for line in shown if line.strip().startswith("m.f90:") and " error SN601" in line}
    assert bool(found) == bool(code)
    lines = text.splitlines()
    for at in {int(line.split(":")[1]) for line in found}:
        lines[at - 1] += "  ! snapset: ignore[SN601]"
    file.write_text("\n".join(lines) + "\n")
    assert main(["report", "m.f90", "--head", head]) == 0


TABLED = """
subroutine exchange(u, n, to, from, count)
  use mpi
  implicit none
  integer, intent(in) :: n, count, to(count), from(count)
  real(8), intent(inout) :: u(n)
  integer :: k, req(2*count), ierr
  do k = 1, count
    call mpi_irecv(u(k), 1, mpi_double_precision, from(k), 1, mpi_comm_world, req(k), ierr)
  end do
  do k = 1, count
    call mpi_isend(u(n-k), 1, mpi_double_precision, to(k), 1, mpi_comm_world, req(count + k), ierr)
  end do
  call mpi_waitall(2*count, req, mpi_statuses_ignore, ierr)
end subroutine

subroutine model(u, n, to, from, count, cost)
  use mpi
  implicit none
  integer, intent(in) :: n, count, to(count), from(count)
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8) :: own
  integer :: ierr
  call exchange(u, n, to, from, count)
  own = sum(u*u)
  call total(own, cost)
contains
  subroutine total(a, b)
    real(8), intent(in) :: a
    real(8), intent(out) :: b
    !$AD CHECKPOINT-START
    call mpi_allreduce(a, b, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    !$AD CHECKPOINT-END
  end subroutine
end subroutine
"""


def test_the_share_of_unknown_is_said_without_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: exchange, total and the part in it communicate, by four calls; tables need an assumption."""
    path = tmp_path / "tabled.f90"
    path.write_text(TABLED)
    words = ["messages", str(path), "--head", "model(u)>(cost)", "--proved", "--quiet"]
    assert main(words) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "4 calls of MPI in 3 checkpointed parts that communicate; 0 of 3 unknown (0 %)" in text
    assert "3 self-contained (3 if something holds that is assumed)" in text
    assert main([*words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    Draft202012Validator(json_schema("messages-proved")).validate(found)
    assert (len(found["calls"]), found["unknown"], found["unknown_share"]) == (4, 0, 0.0)
    path.write_text(TABLED.replace("call mpi_waitall(2*count", "call mpi_waitsome(2*count").replace(
        "req, mpi_statuses_ignore", "req, k, req, mpi_statuses_ignore"))
    main([*words, "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert found["unknown_share"] == sum(one["verdict"] == "unknown" for one in found["parts"]) / len(found["parts"])


def test_what_is_proved_wrong_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["messages", *arguments("mpi_pipeline", "--proved")]) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert "6 calls of MPI in 2 checkpointed parts that communicate; 0 of 2 unknown (0 %)" in text


def test_nothing_is_said_where_nothing_communicates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["messages", *arguments("burgers_region", "--proved")]) == 0
    assert "no call of MPI in a checkpointed part communicates" in " ".join(capsys.readouterr().out.split())


def test_wildcards_take_what_they_took(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sends in another order (by seed 3) let the master hear its workers in another order; with the record it does."""
    words = arguments("mpi_workers", "--ranks", "4", "--set=n=9", "--format=json", "--messages-plan=log")
    found = {}
    for sends in ("3", "4", "5", "synchronous"):
        assert main(["messages", *words, "--sends", sends]) == 0
        found[sends] = capsys.readouterr().out
    first = json.loads(found["synchronous"])
    other = next(text for text in found.values() if json.loads(text)["taken"] != first["taken"])
    path = tmp_path / "earlier.json"
    path.write_text(other)
    assert main(["messages", *words, "--wildcards", str(path)]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["taken"] == json.loads(other)["taken"]
    assert [one["gradient_digest"] for one in again["runs"]] == \
        [one["gradient_digest"] for one in json.loads(other)["runs"]]


@pytest.mark.parametrize(("change", "said"), [
    (lambda text: text.replace('"ranks": 3', '"ranks": 4'), "on 4 ranks; this one is of"),
    (lambda text: text[:-20], "not what snapset messages --format json writes"),
    (lambda text: text.replace("mpi_workers.f90:", "mpi_workers.f90:1"), "of another program, or of other inputs"),
    (lambda text: text.replace('"took": 1', '"took": 7'), "choose others with --set"),
])  # fmt: skip
def test_a_record_of_another_run_is_one_line(change: Callable[[str], str], said: str, tmp_path: Path,
                                             capsys: pytest.CaptureFixture[str]) -> None:
    words = arguments("mpi_workers", "--ranks", "3", "--set=n=5", "--format=json", "--messages-plan=log")
    main(["messages", *words])
    path = tmp_path / "earlier.json"
    path.write_text(change(json.dumps(json.loads(capsys.readouterr().out), indent=1)))
    assert main(["messages", *words, "--wildcards", str(path)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
