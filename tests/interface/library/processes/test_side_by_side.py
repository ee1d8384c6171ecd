"""One head in several processes: the answer of one process, byte for byte, whatever becomes of the others."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from snapset.analysis.pipeline import HeadAnalysis
from snapset.frontend.load import load_program
from snapset.frontend.persistence.disk_cache import open_cache
from snapset.library.analysis import Choices, head_run, parse_heads
from snapset.library.head_runs import NewEntries
from snapset.library.processes import side_by_side
from snapset.library.processes.head_tasks import HeadTasks, Task
from snapset.library.processes.seats import Seat
from snapset.render.pages.head_report import OutputForm, Writing, head_written, page

from benchmarks.synthetic import HEAD, program
from tests.support.corpus import CORPUS, parse_expected

TEXT = OutputForm(False, (100, False, False), {})
LINES = 500
PROGRAMS = sorted(CORPUS.glob("*.f90"))


@pytest.fixture(scope="module")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("synthetic")
    for name, text in program(LINES).items():
        (folder / name).write_text(text)
    return sorted(map(str, folder.iterdir()))


@pytest.fixture
def seats(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Seat]]:
    """The processes that were started; all of them are gone in the end."""
    started: list[Seat] = []

    class Watched(Seat):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            started.append(self)

    monkeypatch.setattr(side_by_side, "Seat", Watched)
    yield started
    for seat in started:
        with pytest.raises(ChildProcessError):
            os.waitpid(seat.process, os.WNOHANG)


def written(files: list[str], head: str, processes: int, choices: Choices | None = None,
            form: OutputForm = TEXT, entries: NewEntries | None = None) -> tuple[str, HeadAnalysis]:
    """The report, and what it was asked of here."""
    asked: list[HeadAnalysis] = []

    class Kept(Writing):
        def __call__(self, found: HeadAnalysis) -> Any:
            asked.append(found)
            return super().__call__(found)

    heads = parse_heads([head])
    run = head_run(choices or Choices(), "tests")
    (plain,) = run.each(load_program(files), heads, Kept(form), entries, processes=processes)
    return page([head_written(form, plain)], form.json, form.look), asked[0]


@pytest.fixture(scope="module")
def by_one(synthetic: list[str]) -> str:
    """The report of one process."""
    return written(synthetic, HEAD, 1)[0]


@pytest.mark.parametrize(("form", "processes"), [
    (TEXT, 2), (replace(TEXT, json=True), 2), (replace(TEXT, assume={"n": 100}), 3)], ids=["text", "json", "assume"])
def test_the_report_is_that_of_one_process(synthetic: list[str], form: OutputForm, processes: int,
                                           seats: list[Seat]) -> None:
    alone, one = written(synthetic, HEAD, 1, form=form)
    together, here = written(synthetic, HEAD, processes, form=form)
    assert together == alone
    assert len(seats) == processes - 1

    def made(found: HeadAnalysis, name: str) -> int:
        return sum(node[0] == name for node in found.engine.computed)

    for name in ("Models.together", "Activity.inside", "Adjoints.together", "HeadRecords.together",
                 "HeadCosts.together", "HeadReport.code", "HeadAnalysis.refused"):
        assert 0 < made(here, name) < 0.65*made(one, name), name


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.sample(20)
def test_the_corpus(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "GAIN", 0.0)
    expected = source.with_suffix(".expected")
    if not expected.exists():
        pytest.skip("no head")
    head = parse_expected(expected.read_text()).head
    choices = Choices(strategies="lazy,eager")
    assert written([str(source)], head, 2, choices)[0] == written([str(source)], head, 1, choices)[0]


@pytest.mark.sample(2)
@pytest.mark.parametrize("options", [{"recompute": True}, {"recompute": True, "dag": True}, {"save_intact": True},
                                     {"call_checkpoints": False}, {"context": True}], ids=lambda one: "-".join(one))
def test_options(options: dict[str, bool], synthetic: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "GAIN", 0.0)
    choices = replace(Choices(), **options)  # type: ignore[arg-type]
    assert written(synthetic, HEAD, 2, choices)[0] == written(synthetic, HEAD, 1, choices)[0]


@pytest.mark.parametrize("when", ["models", "active", "adjoints", "costs", "written"])
@pytest.mark.parametrize("processes", [2, 3])
def test_a_process_that_is_killed_costs_time(when: str, processes: int, synthetic: list[str], by_one: str,
                                             seats: list[Seat], monkeypatch: pytest.MonkeyPatch) -> None:
    """When the first task of a step is done here."""
    killed, plain = list[int](), HeadTasks.ask

    def killing(self: HeadTasks, task: Task) -> None:
        if task.step == when and not killed and len(seats) == processes - 1 and os.getpid() == here:
            killed.append(seats[0].process)
            os.kill(seats[0].process, signal.SIGKILL)
        plain(self, task)

    here = os.getpid()
    monkeypatch.setattr(HeadTasks, "ask", killing)
    assert written(synthetic, HEAD, processes)[0] == by_one
    assert killed == [seats[0].process]
    assert len(seats) == processes - 1


def test_a_process_that_is_killed_when_it_is_asked(synthetic: list[str], by_one: str, seats: list[Seat],
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for its answer finds that by itself."""
    asked, plain = list[Any](), Seat.send

    def killing(self: Seat, kind: Any, what: Any) -> None:
        plain(self, kind, what)
        if kind == "ask":
            asked.append(what)
            os.kill(self.process, signal.SIGKILL)

    monkeypatch.setattr(Seat, "send", killing)
    assert written(synthetic, HEAD, 3)[0] == by_one
    assert asked


def test_what_one_process_must_know_of_anothers_procedures_is_asked_there(
        synthetic: list[str], by_one: str, seats: list[Seat], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is told beforehand: then all of it is asked for, and still no procedure is modelled twice."""
    monkeypatch.setattr(HeadTasks, "ask", lambda self, task: None)
    together, here = written(synthetic, HEAD, 2)
    assert together == by_one
    made = [node for node in here.engine.computed if node[0] == "Models.together"]
    assert 0 < len(made) < 0.65*len(here.models.components)


def test_no_question_that_is_asked_ahead_fails(synthetic: list[str]) -> None:
    """One that is not asked as it is defined would be swallowed, and its answer be made late, by whoever needs it."""
    found = HeadAnalysis(load_program(synthetic), parse_heads([HEAD])[0], head_run(Choices()).strategies)
    tasks = HeadTasks(found, Writing(TEXT).of_code(found))
    steps = set()
    for task, _ in (*tasks.models(), *tasks.codes()):
        steps.add(task.step)
        for question, *arguments in tasks._questions(task):
            question(*arguments)
    assert len(steps) == 6


def test_what_is_remembered_serves_the_next_run(synthetic: list[str], by_one: str, tmp_path: Path) -> None:
    """The same traces: with a cache, by which statements have hashes that are the same in every run."""
    head, run, stores = parse_heads([HEAD]), head_run(Choices(), "tests"), []
    for processes in (1, 2):
        cache, entries = open_cache(tmp_path / f"cache{processes}"), NewEntries()
        loaded = load_program(synthetic, cache=cache)
        tuple(run.each(loaded, head, Writing(TEXT), entries, processes=processes))
        stores.append(entries)
    alone, together = (store.values[run.trace_key(head[0], 0)] for store in stores)
    assert {node: together.get(node) for node in alone} == alone
    assert stores[0].values.keys() <= stores[1].values.keys()
    again: list[HeadAnalysis] = []

    class Kept(Writing):
        def __call__(self, found: HeadAnalysis) -> Any:
            again.append(found)
            return super().__call__(found)

    (plain,) = run.each(loaded, head, Kept(TEXT), stores[1], processes=2)
    assert page([head_written(TEXT, plain)], False, TEXT.look) == by_one
    assert not [node for node in again[0].engine.computed if node[0] in ("Models.together", "Adjoints.together")]


def test_statements_may_come_from_the_cache(synthetic: list[str], by_one: str, tmp_path: Path) -> None:
    """Two processes never read one SQLite file through one connection."""
    for _ in range(2):
        cache = open_cache(tmp_path / "cache")
        loaded = load_program(synthetic, cache=cache)
        (plain,) = head_run(Choices()).each(loaded, parse_heads([HEAD]), Writing(TEXT), None, processes=2)
        cache.close()
    assert page([head_written(TEXT, plain)], False, TEXT.look) == by_one


def test_a_chain_and_few_procedures_stay_in_one_process(seats: list[Seat], tmp_path: Path) -> None:
    chain = tmp_path / "chain.f90"
    lines = [f"subroutine s{i}(x)\n real :: x(9)\n x = x*x\n{f' call s{i + 1}(x)' if i < 9 else ''}\n x = sin(x)\n"
             f"end subroutine\n" for i in range(10)]
    chain.write_text("".join(lines))
    tasks = HeadTasks(HeadAnalysis(load_program([str(chain)]), parse_heads(["s0(x)>(x)"])[0]), None)
    assert len(tasks.depths) == 10
    assert tasks.gain(2) == 1
    assert written([str(chain)], "s0(x)>(x)", 2)[0] == written([str(chain)], "s0(x)>(x)", 1)[0]
    assert not seats


def test_what_needs_all_codes_at_once_stays_in_one_process(synthetic: list[str], seats: list[Seat]) -> None:
    for choices in (Choices(strategies="optimal"), Choices(call_checkpoints=False),
                    Choices(context=True)):
        written(synthetic, HEAD, 2, choices)
    assert not seats


def test_no_process_to_be_had(synthetic: list[str], by_one: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise OSError("no more processes")

    monkeypatch.setattr(os, "fork", refused)
    assert written(synthetic, HEAD, 2)[0] == by_one


def test_what_fails_fails_as_in_one_process(synthetic: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: object, key: str) -> None:
        raise ValueError(f"unforeseen in {key}")

    monkeypatch.setattr(HeadAnalysis, "refused", failing)
    said = []
    for processes in (1, 2):
        with pytest.raises(ValueError, match="unforeseen") as error:
            written(synthetic, HEAD, processes)
        said.append(str(error.value))
    assert said[0] == said[1]
