"""What is found when results differ from the lock: one line a change, with the statement it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from snapset.analysis.results import HeadResult, Part, TapeEntry
from snapset.check.lock_comparison import compare, places_in, step
from snapset.check.lock_file import Figure, load, lock_of, save
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.ir import DOUBLE, Assign, Binary, Procedure, Program, Ref, Stmt
from snapset.frontend.ir import PartRef as Link
from snapset.render.layout.byte_figures import Figures

from tests.support.interface.results import EAGER, FILE, LAZY, PART, RESULT, plus, size


def ref(name: str) -> Ref:
    return Ref((Link(name),), DOUBLE)


def assign(line: int, target: str, *reads: str) -> Stmt:
    value = ref(reads[0])
    for name in reads[1:]:
        value = Binary("*", value, ref(name), DOUBLE)  # type: ignore[assignment]
    return Assign(span=Span(FILE, line, line), target=ref(target), value=value)


BODY = (assign(11, "s", "mu"), assign(15, "flux", "u", "mu"), assign(16, "u", "flux"), assign(21, "mu", "mu"))
BURGERS = Procedure(
    key="burgers",
    name="burgers",
    kind="subroutine",
    formals=("u", "cost"),
    result=None,
    variables={},
    body=BODY,
    span=Span(FILE, 2, 30),
)
PROGRAM = Program({"burgers": BURGERS}, {}, {}, {}, (FILE,))


@pytest.fixture
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Compares results with the lock of RESULT."""
    monkeypatch.chdir(tmp_path)
    path = Path("snapset.lock")
    save(path, lock_of([RESULT], Figures(), path.parent))

    def compared(*results: HeadResult, whole: bool = True) -> list[str]:
        return [str(one) for one in compare(load(path), results, lock_of(results, Figures(), path.parent), PROGRAM,
                                                  places_in(path), whole)]

    return compared


def with_part(**changes: object) -> HeadResult:
    return replace(RESULT, parts=(replace(PART, **changes),))  # type: ignore[arg-type]


def with_lazy(part: Part = PART, **changes: object) -> HeadResult:
    solutions = {"lazy": replace(LAZY, **changes), "eager": EAGER}  # type: ignore[arg-type]
    return replace(RESULT, parts=(replace(part, solutions=solutions),))


def test_nothing_changed(findings: Callable[..., list[str]]) -> None:
    assert findings(RESULT) == []


def test_lines_that_move_are_no_change(findings: Callable[..., list[str]]) -> None:
    tape = tuple(replace(entry, line=entry.line + 5) for entry in LAZY.tape)
    moved = with_lazy(replace(PART, id="burgers@19", first_line=19, last_line=24), tape=tape)
    assert findings(moved) == []


MU = {"snp": ("mu", "u"), "sizes": {"mu": size(8), "u": size(8, "n")}, "snapshot_bytes": plus(size(8, "n"), size(8))}


@pytest.mark.parametrize(
    ("field", "line", "why"),
    [
        ("use_cbar", 15, "C's adjoint reads it now"),
        ("out_dbar", 21, "what follows overwrites it now"),
        ("req", 11, "earlier code's adjoint needs it now"),
    ],
)
def test_a_larger_snapshot(findings: Callable[..., list[str]], field: str, line: int, why: str) -> None:
    before = getattr(PART.sets, field)
    sets = replace(PART.sets, **{field: (*before, "mu")})
    message = f"burgers, part 1: lazy: Snp gains mu, 8 bytes, snapshot 8*n -> 8*n + 8 bytes: {why}"
    assert findings(with_lazy(replace(PART, sets=sets), **MU)) == [f"{FILE}:{line}: {message}"]


def test_a_smaller_snapshot_of_what_is_still_overwritten(findings: Callable[..., list[str]]) -> None:
    """out(adj D) is what the adjoint of D leaves changed: D may overwrite nu as before, and give it back now."""
    sets = replace(PART.sets, out_dbar=tuple(name for name in PART.sets.out_dbar if name != "nu"))
    eager = replace(EAGER, snp=("u",), sizes={"u": size(8, "n")}, snapshot_bytes=size(8, "n"))
    changed = with_part(sets=sets, solutions={"lazy": LAZY, "eager": eager})
    assert findings(changed) == [
        f"{FILE}:14: burgers, part 1: eager: Snp loses nu, 8 bytes (smaller), snapshot 8*n + 8 -> 8*n bytes: what "
        "follows no longer leaves it changed"]


def test_a_larger_snapshot_without_a_reason_in_the_sets(findings: Callable[..., list[str]]) -> None:
    message = "burgers, part 1: lazy: Snp gains mu, 8 bytes, snapshot 8*n -> 8*n + 8 bytes"
    assert findings(with_lazy(**MU)) == [f"{FILE}:14: {message}"]


def test_a_smaller_snapshot_is_a_change_too(findings: Callable[..., list[str]]) -> None:
    (line,) = findings(with_lazy(snp=(), sizes={}, snapshot_bytes=size(0)))
    assert line == (
        f"{FILE}:14: burgers, part 1: lazy: Snp loses u, 8*n bytes (smaller), "
        "snapshot 8*n -> 0 bytes"
    )


def test_a_set_without_bytes(findings: Callable[..., list[str]]) -> None:
    assert findings(with_lazy(req_d=(), req_c=("flux",))) == [
        f"{FILE}:14: burgers, part 1: lazy: Req_C gains flux",
        f"{FILE}:14: burgers, part 1: lazy: Req_D loses nu",
    ]


def test_a_size(findings: Callable[..., list[str]]) -> None:
    (line,) = findings(with_lazy(sizes={"u": size(16, "n")}, snapshot_bytes=size(16, "n")))
    assert "lazy: Snp: u 8*n -> 16*n bytes, snapshot 8*n -> 16*n bytes" in line


def test_the_tape_names_its_statement(findings: Callable[..., list[str]]) -> None:
    tape = (*LAZY.tape, TapeEntry(FILE, 16, "u", "C", size(8, "n")))
    assert findings(with_lazy(tape=tape)) == [
        f"{FILE}:16: burgers, part 1: lazy: the tape of C gains u, 8*n bytes",
    ]


def test_control(findings: Callable[..., list[str]]) -> None:
    (line,) = findings(with_lazy(control=()))
    assert line.endswith("lazy: control of D 4 -> 0 bytes (smaller)")


def test_a_figure_the_lock_does_not_hold_is_not_compared(findings: Callable[..., list[str]]) -> None:
    assert findings(with_lazy(peak_bytes=size(80))) == []


def test_a_new_part_and_one_that_is_gone(findings: Callable[..., list[str]]) -> None:
    call = replace(PART, id="burgers@25", kind="call", callee="step", first_line=25, last_line=25)
    assert findings(replace(RESULT, parts=(call,))) == [
        f"{FILE}:25: burgers, call of step 1: newly checkpointed, snapshot eager 8*n + 8 bytes, lazy 8*n bytes",
        "snapset.lock:7: burgers, part 1: no longer checkpointed",
    ]


def test_heads_that_come_and_go(findings: Callable[..., list[str]]) -> None:
    other = replace(RESULT, head="f(x)>(y)")
    assert findings(other) == [
        f"{FILE}:14: f(x)>(y): this head is not in the lock",
        "snapset.lock:4: burgers(u)>(cost): this head is no longer analysed",
    ]
    assert len(findings(other, whole=False)) == 1


def test_strategies_that_come_and_go(findings: Callable[..., list[str]]) -> None:
    lines = findings(with_part(solutions={"lazy": LAZY, "optimal": LAZY}))
    assert [line.partition("burgers, part 1: ")[2] for line in lines] == [
        "strategy eager is only in the lock",
        "strategy optimal is not in the lock",
    ]


def test_diagnostics_that_come_and_go(findings: Callable[..., list[str]]) -> None:
    second = Diagnostic("SN102", "warning", "STOP in a part that runs twice", Span(FILE, 17, 17))
    note = Diagnostic("SN103", "note", "a remark", Span(FILE, 18, 18))
    assert findings(with_part(diagnostics=(*PART.diagnostics, second, note))) == [
        f"{FILE}:17: burgers, part 1: new warning SN102: STOP in a part that runs twice",
    ]
    (line,) = findings(with_part(diagnostics=()))
    assert "SN101 no longer said" in line


def test_a_formula_that_is_written_otherwise_is_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("snapset.lock")
    save(path, lock_of([RESULT], Figures(), path.parent))
    text = path.read_text()
    assert '"8*n"' in text
    for same, findings in (("8*(n + 1) - 8", 0), ("max(8*n, 4*n)", 0), ("8*n + 8", 1), ("8*m", 1)):
        path.write_text(text.replace('"8*n"', f'"{same}"'))
        found = [str(one) for one in compare(load(path), [RESULT], lock_of([RESULT], Figures(), path.parent), PROGRAM,
                                              places_in(path), True)]
        assert bool(found) == bool(findings), same
    assert all("smaller" not in one for one in found)  # 8*m against 8*n: who knows


def test_a_formula_that_is_certainly_smaller_is_said_to_be(findings: Callable[..., list[str]], tmp_path: Path) -> None:
    text = Path("snapset.lock").read_text()
    Path("snapset.lock").write_text(text.replace('"8*n"', '"8*n + 8"'))
    assert any("u 8*n + 8 -> 8*n bytes (smaller)" in one for one in findings(RESULT))


LONG = "8*size(temperature)*size(layers) + 8*size(salinity)*size(layers) + 8*size(momentum)*size(layers)"


@pytest.mark.parametrize(("before", "after", "said"), [
    (8000, 16000, "8000 -> 16000 bytes"),
    ("8*n", "16*n", "8*n -> 16*n bytes"),
    (LONG, f"{LONG} + 16*nt", "16*nt bytes more"),
    (f"{LONG} + 16*nt", LONG, "16*nt bytes less"),
    (LONG, "8*size(other)*size(waves)", "~ 240,000 -> ~ 80,000 bytes (100 for each name)"),
    (f"unknown({'x'*80})", "no formula at all, and of more than 120 characters with the other one", None),
])
def test_long_formulas_are_told_by_their_difference(before: Figure, after: Figure, said: str | None) -> None:
    """With 100 for each name: 8*100*100 three times, and once."""
    assert step(before, after) == (f"{before} -> {after} bytes" if said is None else said)
