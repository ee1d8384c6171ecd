"""The peer's adjoint compiled and run from the replay machine's own start values: what it really pushes, and whether
its gradient is right."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.replay.experiment.gradient import names_of, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine

from benchmarks.peer.sets import is_fixed
from benchmarks.peer.texts.fortran_text import Unit, arguments, statements, units
from benchmarks.peer.texts.pairing import words
from tests.oracles.gfortran_driver import FLAGS, CannotDriveError, Driver, drive

HERE = Path(__file__).resolve().parent

CLOSE = 1e-9  # relative; two adjoints add in different orders


@dataclass(frozen=True)
class Execution:
    """``pushed``: bytes of values by where they are pushed; ``peak``: the highest they stood. ``right``: the gradient
    is the replay machine's. ``sites``: bytes by the number of the PUSH. ``actions``: of a loop under BINOMIAL-CKP, how
    often each was done. ``gradient``: its bits."""

    pushed: Mapping[str, int]
    peak: int
    right: bool
    sites: Mapping[int, int] = field(default_factory=dict)
    actions: Mapping[int, int] = field(default_factory=dict)
    gradient: bytes = b""

    @property
    def total(self) -> int:
        return sum(self.pushed.values())


@dataclass(frozen=True)
class Counted:
    """A generated adjoint in which every PUSH says its site first. ``sites``: by number, where and what."""

    text: str
    sites: Mapping[int, str]


def counted(generated: str, fixed: bool, known: frozenset[str]) -> Counted:
    """Put a call of ``adsite`` before every PUSH.

    ``known``: the words of the source; an integer that is none of its variables is control.
    """
    lines: list[str] = []
    sites: dict[int, str] = {}
    unit = ""
    for raw in generated.splitlines():
        found = statements(raw, fixed)
        begun = units(found)
        unit = begun[0].name if begun else unit
        match = re.match(r"(\s*)call\s+push(\w+?)\s*\((.*)", raw, re.IGNORECASE)
        if match is not None:
            number = len(sites) + 1
            name = arguments(match[3].rstrip("& "))[0].lower()
            kind = match[2].lower()
            control = kind.startswith("control") or (kind.startswith("integer") and not words(name) & known)
            sites[number] = f"{unit}: {name}"
            indent = "      " if fixed else match[1]
            lines.append(f"{indent}call adsite({number}, {int(control)})")
        lines.append(raw)
    return Counted("\n".join(lines) + "\n", sites)


def adjoint_driver(driver: str, head: Unit, generated: str, primal: frozenset[str], seeds: Mapping[str, str]) -> str:
    """The main program around the original made one around its adjoint.

    Args:
        head: the adjoint's unit, whose first statement lists its arguments.
        primal: the original's formals.
        seeds: by dependent, what its adjoint starts from, in Fortran (of the driver's variable).

    Raises:
        CannotDriveError: an argument of derived type, a call the driver does not make plainly.
    """
    formals = arguments(re.split(r"\(", head.statements[0].text, maxsplit=1)[1])
    extra: dict[str, str] = {}
    for at, name in enumerate(formals):
        if name not in primal:
            extra[name] = formals[at - 1]
    declared = []
    for name, base in extra.items():
        match = re.search(rf"^((?:real|integer|complex)\(\d+\))(, allocatable)? :: d_{base}(\(.*\))?$", driver, re.M)
        if match is None or match[2]:
            raise CannotDriveError(f"`{base}` has no plain declaration")
        declared.append(f"{match[1]} :: d_{name}{match[3] or ''}")
    text = driver.replace("implicit none\n", "implicit none\n" + "\n".join((*declared, "integer :: q_")) + "\n", 1)
    call = re.search(r"^call (\w+)\((.*)\)$", re.sub(r"^call get_command.*$", "", text, flags=re.M), re.M)
    if call is None:
        raise CannotDriveError("the head is a function")
    begin = [f"d_{name} = {seeds.get(base, '0')}" for name, base in extra.items()]
    ways = "\n".join((*begin, f"call {call[1] if call[1] == 'driven_' else head.name}"
                      f"({', '.join(f'd_{name}' for name in formals)})", "call adreport()"))
    text = text.replace(call[0], ways)
    gradient = "".join(f"write (98) d_{name}\n" for name in extra)
    text = text.replace("close (98)", gradient + "close (98)")
    for module in re.findall(r"^\s*module (\w+)_diff\b", generated, re.M | re.I):
        text = re.sub(rf"^use {module}\b", f"use {module}_diff", text, flags=re.M | re.I)
    return text.replace(f"driven_ => {head.name.removesuffix('_b')}", f"driven_ => {head.name}")


def execute(path: Path, head: Head, machine: Machine, inputs: Inputs, generated: str, folder: Path) -> Execution:
    """Compile and run.

    Raises:
        CannotDriveError: what a main program cannot set or call, or gfortran refuses.
    """
    made = counted(generated, is_fixed(str(path)), words(path.read_text().lower()))
    driver, unit = compiled(path, head, machine, inputs, made, generated, folder)
    return _run(head, machine, inputs, driver, made, unit, folder)


@dataclass(frozen=True)
class Actions:
    """A loop under BINOMIAL-CKP: how often each of adBinomial.h's actions was done; bytes of all its snapshots."""

    actions: Mapping[int, int]
    snapshots: int
    right: bool


def executed_actions(path: Path, head: Head, machine: Machine, inputs: Inputs, generated: str, folder: Path,
                     kit: Path) -> Actions:
    """The same for an adjoint with a time loop under BINOMIAL-CKP; ``kit``: the folder of the peer's adBinomial.c.

    Raises:
        CannotDriveError: as :func:`execute`; or the adjoint has no such loop.
    """
    fixed = is_fixed(str(path))
    text, snapshots = with_actions(generated)
    if not snapshots:
        raise CannotDriveError("Tapenade makes no binomial schedule of the loop")
    made = counted(text, fixed, words(path.read_text().lower()))
    for name in ("adBinomial.c", "adBinomial.h"):
        shutil.copy(kit / name, folder)
    driver, unit = compiled(path, head, machine, inputs, made, text, folder, ("adBinomial.c",))
    done = _run(head, machine, inputs, driver, made, unit, folder)
    pushed = sum(done.sites.get(site, 0) for site in snapshots)
    return Actions(done.actions, pushed, done.right)


def with_actions(generated: str) -> tuple[str, tuple[int, ...]]:
    """The adjoint with a call of ``adaction`` before each SELECT of an action; the numbers of the PUSHes, in the order
    of the text, that make a snapshot (CASE (1))."""
    lines: list[str] = []
    found: list[int] = []
    pushes, within = 0, False
    for raw in generated.splitlines():
        if re.match(r"\s*select case\s*\(action\)", raw, re.IGNORECASE):
            lines.append("call adaction(action)")
        if case := re.match(r"\s*case \((\d)\)", raw, re.IGNORECASE):
            within = case[1] == "1"
        if re.match(r"\s*call\s+push\w+?\s*\(", raw, re.IGNORECASE):
            pushes += 1
            if within:
                found.append(pushes)
        lines.append(raw)
    return "\n".join(lines) + "\n", tuple(found)


def compiled(path: Path, head: Head, machine: Machine, inputs: Inputs, made: Counted, generated: str, folder: Path,
             also: tuple[str, ...] = ()) -> tuple[Driver, Unit]:
    """The program ``driver_`` in the folder, its text and the adjoint's unit. Raises CannotDriveError."""
    driver = drive(head, machine, inputs)
    fixed = is_fixed(str(path))
    procedure = machine.program.procedures[machine.root]
    unit = next((u for u in units(statements(generated, fixed)) if u.name == f"{procedure.name}_b"), None)
    if unit is None:
        raise CannotDriveError("no adjoint of the head")
    seeds = {name: _seed(f"d_{name}", driver.text) for name in names_of(head, machine, "dependents")}
    text = adjoint_driver(driver.text, unit, generated, frozenset(procedure.formals), seeds)
    shutil.copy(HERE / "adstack.c", folder)
    suffix = ".f" if fixed else ".f90"
    (folder / f"a_{suffix}").write_text(made.text)
    (folder / f"o_{suffix}").write_text(path.read_text())
    (folder / "d_.f90").write_text(text)
    done = subprocess.run(["gfortran", *FLAGS, "-Wl,--allow-multiple-definition", "adstack.c", *also, f"o_{suffix}",
                           f"a_{suffix}", "d_.f90", "-o", "driver_"], cwd=folder, check=False, capture_output=True,
                          text=True)
    if done.returncode:
        raise CannotDriveError(f"gfortran: {done.stderr}")
    return driver, unit


def _seed(name: str, driver: str) -> str:
    """The replay machine's: 1, and 1 to 2 for the elements of arrays."""
    match = re.search(rf":: {name}\((.*)\)$", driver, re.M)
    if match is None:
        return "1"
    if "," in match[1]:
        raise CannotDriveError("a dependent with several dimensions")
    low, high = match[1].split(":")
    return f"[(1.0d0 + (q_ - ({low}))/(1.0d0*size({name})), q_ = {low}, {high})]"


def gradient_bytes(driver: Driver, folder: Path) -> tuple[bytes, str]:
    """Run what was compiled: what it leaves in the gradient's variables, and what it says. Raises CannotDriveError."""
    source = b"".join(driver.before[p.key][i].tobytes(order="F") for p in driver.pieces for i in p.outer)
    (folder / "in.bin").write_bytes(source)
    done = subprocess.run([str(folder / "driver_"), "in.bin", "out.bin"], cwd=folder, check=False,
                          capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise CannotDriveError(f"its adjoint stops: {done.stderr.strip()[-200:]}")
    return (folder / "out.bin").read_bytes()[len(source):], done.stdout


def _run(head: Head, machine: Machine, inputs: Inputs, driver: Driver, made: Counted, unit: Unit,
         folder: Path) -> Execution:
    data, said = gradient_bytes(driver, folder)
    expected = store_all(head, machine, inputs)[0].values
    right, at = True, 0
    formals = arguments(unit.statements[0].text.partition("(")[2])
    primal = frozenset(machine.program.procedures[machine.root].formals)
    for place, name in enumerate(formals):
        if name in primal:
            continue
        base = formals[place - 1]
        view = next(v for v in driver.views if v.name == (base,))
        values = np.frombuffer(data, view.dtype, int(np.prod(view.shape)), at).reshape(view.shape, order="F")
        at += values.nbytes
        if base in expected:
            right = right and np.allclose(values, expected[base], rtol=CLOSE, atol=1e-12)
    pushed: dict[str, int] = {}
    sites: dict[int, int] = {}
    actions: dict[int, int] = {}
    peak = 0
    for line in said.splitlines():
        match line.split():
            case ["peak", bytes_]:
                peak = int(bytes_)
            case ["action", kind, times]:
                actions[int(kind)] = int(times)
            case ["site", site, bytes_]:
                sites[int(site)] = int(bytes_)
                where = made.sites.get(int(site), "elsewhere")
                pushed[where] = pushed.get(where, 0) + int(bytes_)
    return Execution(pushed, peak, right, sites, actions, data[:at])
