"""The query engine alone: what is read is noticed, and only what read something that changed is made again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from snapset.analysis.incremental.query_engine import Engine, LazyTable, Node, QueryOwner, StaleError, derived, query
from snapset.analysis.incremental.result_store import ANSWERS, RUNS, TraceStore


class Cells(QueryOwner):
    """A sheet of numbers and sums: ``texts`` by cell ``"3"``, or ``"a b"``, the sum of two cells."""

    def __init__(self, texts: dict[str, str], engine: Engine) -> None:
        super().__init__(engine)
        self.texts = texts

    @query("live")
    def text(self, cell: str) -> str | None:
        return self.texts.get(cell)

    @query("value")
    def value(self, cell: str) -> int:
        text = self.text(cell) or "0"
        return int(text) if text.isdigit() else sum(self.value(one) for one in text.split())

    @query("value")
    def sign(self, cell: str) -> tuple[str, ...]:
        return ("even",) if self.value(cell) % 2 == 0 else ("odd",)

    @query("file")
    def said(self, cell: str) -> list[str]:
        return [cell, *self.sign(cell)]

    @query()
    def made(self, cell: str) -> object:
        return {cell: self.sign(cell)}

    @query("value")
    def above(self, cell: str) -> int:
        return len(str(self.made(cell)))

    @query("value")
    def known(self, cell: str) -> int:
        if self.text(cell) is None:
            raise KeyError(cell)
        return self.value(cell)

    @query("value")
    def total(self) -> int:
        return sum(self.known(cell) for cell in sorted(self.texts))

    @derived
    def twice(self, cell: str) -> int:
        return 2 * self.value(cell)

    @query("value")
    def fourfold(self, cell: str) -> int:
        return 2 * self.twice(cell)

    @query("value")
    def eightfold(self, cell: str) -> int:
        return 4 * self.twice(cell)


class WideSets(QueryOwner):
    """Sets of as many locations as a procedure may have: numbers that Python does not write."""

    @query("live")
    def wide(self, bits: int) -> int:
        return 1 << bits

    @query()
    def grown(self, given: int) -> object:
        return [given << 1, self.wide(20_001)]

    @query("file")
    def told(self, given: int) -> list[int]:
        return [given, self.grown(given)[0]]  # type: ignore[index]


@dataclass
class Disk:
    values: dict[bytes, Any] = field(default_factory=dict)

    def get(self, key: bytes) -> Any | None:
        return self.values.get(key)

    def put(self, key: bytes, value: Any) -> None:
        self.values[key] = value


def run(disk: Disk, texts: dict[str, str], *asked: Node) -> tuple[list[Any], list[Node]]:
    """The answers, and what was computed for them but for the texts."""
    traces = TraceStore(disk, b"cells")
    cells = Cells(texts, Engine(traces))
    found = [getattr(cells, name)(*args) for name, *args in asked]
    traces.save()
    return found, [(node[0].partition(".")[2], *node[1:]) for node in cells.engine.computed if node[0] != "Cells.text"]


def test_sets_of_20000_locations() -> None:
    """A question that holds one, an answer that is one, what reads one: in this run and in a later one."""
    disk, given = Disk(), 1 << 20_000
    for computed in (3, 0):
        traces = TraceStore(disk, b"sets")
        sets = WideSets(Engine(traces))
        assert sets.told(given) == [given, given << 1]
        traces.save()
        assert len([one for one in sets.engine.computed if one[0] != "WideSets.wide"]) == min(computed, 2)


SHEET = {"a": "1", "b": "2", "c": "a b", "d": "c b", "e": "7"}


def test_nothing_is_computed_twice() -> None:
    found, computed = run(Disk(), SHEET, ("value", "d"), ("value", "d"), ("value", "c"))
    assert found == [5, 5, 3]
    assert sorted(computed) == [("value", one) for one in "abcd"]


def test_what_reads_nothing_new_is_not_computed() -> None:
    disk = Disk()
    run(disk, SHEET, ("value", "d"), ("value", "e"))
    assert run(disk, SHEET, ("value", "d"), ("value", "e")) == ([5, 7], [])
    found, computed = run(disk, {**SHEET, "e": "8"}, ("value", "d"), ("value", "e"))
    assert (found, computed) == ([5, 8], [("value", "e")])


@pytest.mark.parametrize(("kind", "result"), [("said", ["c", "odd"]), ("above", 15)])
def test_an_answer_that_comes_out_as_before_ends_it(kind: str, result: object) -> None:
    """1 + 2 and 2 + 1 have the same value; 2 + 3 has the same sign."""
    disk = Disk()
    assert run(disk, SHEET, (kind, "c"))[0] == [result]
    found, computed = run(disk, {**SHEET, "a": "2", "b": "1"}, (kind, "c"))
    assert (found, sorted(computed)) == ([result], [("value", "a"), ("value", "b"), ("value", "c")])
    assert run(disk, {**SHEET, "a": "2", "b": "3"}, (kind, "c"))[1][-1] == ("sign", "c")
    assert run(disk, {**SHEET, "a": "2"}, (kind, "c"))[1][-1] == (kind, "c")


def test_other_reads_are_found_where_the_first_changed() -> None:
    """What was read behind what changed is not even asked for: it need not be there any more."""
    disk = Disk()
    run(disk, {**SHEET, "c": "a e"}, ("value", "c"))
    found, computed = run(disk, {"a": "1", "b": "2", "c": "a b"}, ("value", "c"))
    assert found == [3]
    assert ("value", "e") not in computed


def test_an_edit_that_is_taken_back() -> None:
    disk = Disk()
    run(disk, SHEET, ("said", "d"))
    for number in range(ANSWERS - 1):
        run(disk, {**SHEET, "a": f"{10 + number}"}, ("said", "d"))
    assert run(disk, SHEET, ("said", "d")) == ([["d", "odd"]], [])


def test_a_large_value_that_is_gone_is_made_again() -> None:
    disk = Disk()
    run(disk, SHEET, ("said", "c"))
    for key in [key for key in disk.values if key != b"cells"]:
        del disk.values[key]
    assert run(disk, SHEET, ("said", "c")) == ([["c", "odd"]], [("said", "c")])
    assert run(disk, SHEET, ("said", "c")) == ([["c", "odd"]], [])


def test_who_asks_for_what_is_derived_has_read_what_it_is_made_from() -> None:
    """Also the second, for whom it is there already."""
    disk = Disk()
    assert run(disk, SHEET, ("fourfold", "c"), ("eightfold", "c"))[0] == [12, 24]
    found, computed = run(disk, {**SHEET, "a": "5"}, ("eightfold", "c"), ("fourfold", "c"))
    assert found == [56, 28]
    assert {("fourfold", "c"), ("eightfold", "c")} <= set(computed)


def test_what_is_not_asked_for_is_forgotten() -> None:
    disk = Disk()
    run(disk, SHEET, ("value", "e"))
    for number in range(RUNS):
        run(disk, {**SHEET, "a": f"{number}"}, ("value", "a"))
    assert run(disk, SHEET, ("value", "e"))[1] == [("value", "e")]


def test_reading_otherwise_than_before_is_noticed() -> None:
    """A value that is made again of the same must read the same; else nothing that is remembered can be trusted."""
    disk = Disk()
    run(disk, SHEET, ("made", "c"))

    class Other(Cells):
        pass

    traces = TraceStore(disk, b"cells")
    cells = Other(SHEET, Engine(traces))
    rule = cells.engine._rules["Cells.made"]
    cells.engine._rules["Cells.made"] = type(rule)(lambda cell: cells.value("e"), rule.keep, rule.content)
    with pytest.raises(StaleError):
        cells.made("c")


def test_a_chain_of_any_length() -> None:
    """Checked without recursion, computed on stacks of their own."""
    length = 5 * sys.getrecursionlimit()
    texts = {"0": "1"} | {f"x{n}": f"x{n - 1} b" if n else "a" for n in range(length)} | {"a": "1", "b": "2"}
    disk, traces = Disk(), None
    traces = TraceStore(disk, b"cells")
    cells = Cells(texts, Engine(traces))
    for n in range(length):
        cells.value(f"x{n}")
    traces.save()
    assert run(disk, texts, ("value", f"x{length - 1}")) == ([2 * length - 1], [])


def test_without_a_memory_nothing_is_written_down() -> None:
    cells = Cells(SHEET, Engine())
    assert cells.said("c") == ["c", "odd"]
    assert cells.fourfold("c") == 12
    assert cells.engine.memory is None


def test_a_table_finds_what_is_asked_for() -> None:
    asked: list[str] = []

    def find(key: str) -> str:
        asked.append(key)
        return key.upper()

    table = LazyTable(lambda: ("a", "b"), find)
    assert table["a"] == "A"
    assert asked == ["a"]
    assert ("b" in table, "c" in table, len(table), dict(table)) == (True, False, 2, {"a": "A", "b": "B"})


def test_an_error_is_no_answer() -> None:
    disk = Disk()
    with pytest.raises(ValueError, match="invalid"):
        run(disk, {"a": "b", "b": "²"}, ("value", "a"))
    assert run(disk, {"a": "b", "b": "4"}, ("value", "a"))[0] == [4]


def naive(texts: dict[str, str], cell: str) -> int:
    text = texts.get(cell) or "0"
    return int(text) if text.isdigit() else sum(naive(texts, one) for one in text.split())


def edits(seed: int) -> Iterator[dict[str, str]]:
    import random

    draw = random.Random(seed)
    names = [f"c{n}" for n in range(12)]
    texts = dict.fromkeys(names, "1")
    for _ in range(60):
        n = draw.randrange(12)
        below = names[:n]
        number = not below or draw.random() < 0.4
        texts[names[n]] = f"{draw.randrange(4)}" if number else " ".join(draw.choices(below, k=draw.randrange(1, 4)))
        yield dict(texts)


@pytest.mark.parametrize("seed", range(6))
def test_any_edits(seed: int) -> None:
    disk = Disk()
    for texts in edits(seed):
        found, _ = run(disk, texts, *(("value", f"c{n}") for n in range(11, -1, -1)), ("said", "c11"))
        assert found[:-1] == [naive(texts, f"c{n}") for n in range(11, -1, -1)]
        assert found[-1] == ["c11", "odd" if naive(texts, "c11") % 2 else "even"]


def test_what_was_asked_of_a_cell_that_is_no_more_has_changed() -> None:
    disk = Disk()
    assert run(disk, {"a": "1", "b": "2"}, ("total",))[0] == [3]
    assert run(disk, {"b": "2"}, ("total",)) == ([2], [("known", "a"), ("total",)])
    with pytest.raises(KeyError):
        run(disk, {"b": "2"}, ("total",), ("known", "a"))
