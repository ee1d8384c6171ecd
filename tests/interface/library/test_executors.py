"""Where heads are analysed: the answer is the same everywhere."""

from __future__ import annotations

import sys
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from types import ModuleType

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.library import analysis, executors
from snapset.library.executors import executor_for

from tests.support.corpus import CORPUS

FILES = [str(CORPUS / "calls.f90")]
HEADS = ["shallow(h0)>(cost)", "advance(h,v)>(h)"]


class Client:
    """As much of Dask's as is used; ``made`` are the addresses asked for."""

    made: list[str] = []  # noqa: RUF012 (a double for one test)

    def __init__(self, address: str, timeout: int, set_as_default: bool) -> None:
        if "nowhere" in address:
            raise OSError(f"Timed out trying to connect\n to {address}")
        self.made.append(address)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *why: object) -> None:
        pass

    def get_executor(self) -> Executor:
        return ThreadPoolExecutor(2)


@pytest.fixture
def distributed(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("distributed")
    module.Client = Client  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "distributed", module)


def test_the_answer_is_the_same_on_any_executor() -> None:
    alone = analysis.reports(FILES, HEADS)
    assert [result.head for result in alone] == HEADS
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert analysis.reports(FILES, HEADS, executor=pool) == alone


@pytest.mark.usefixtures("distributed")
def test_dask() -> None:
    with executor_for("dask:tcp://somewhere:8786", 1, 2) as executor:
        assert analysis.reports(FILES, HEADS, executor=executor) == analysis.reports(FILES, HEADS)
    assert Client.made == ["tcp://somewhere:8786"]


@pytest.mark.usefixtures("distributed")
def test_no_scheduler() -> None:
    with (pytest.raises(InputError, match=r"no scheduler answers there .Timed out trying to connect to nowhere.$"),
          executor_for("dask:nowhere", 1, 1)):  # fmt: skip
        pass


@pytest.mark.parametrize(("asked", "said"), [("dask", "write dask:ADDRESS"), ("ray:x", "write dask:ADDRESS"),
                                              ("dask:x", "pip install 'snapset.dask.'")])  # fmt: skip
def test_what_there_is_not(asked: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=said), executor_for(asked, 1, 1):
        pass


@pytest.mark.parametrize(("jobs", "tasks"), [(1, 5), (4, 1), (4, 0)])
def test_nothing_to_run_side_by_side(jobs: int, tasks: int) -> None:
    with executor_for(None, jobs, tasks) as executor:
        assert executor is None


def test_a_process_for_each_task_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, size: int, mp_context: object, initializer: object) -> None:
            sizes.append(size)
            super().__init__(size)

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", Pool)
    with executor_for(None, 8, 3) as executor:
        assert executor is not None
    assert sizes == [3]
    assert executors.SECONDS > 0
