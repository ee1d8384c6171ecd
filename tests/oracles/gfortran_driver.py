"""A third opinion: the original program, compiled by gfortran, run from exactly the replay machine's start values.

:func:`drive` writes a main program around a head's procedure. It reads the bytes of every argument, module
variable and COMMON block, calls the procedure, and writes them all back. One process a run, so that SAVEd
variables are fresh; nothing of the analysis is used.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.replay.experiment.gradient import IMAGINARY, names_of, weights
from snapset.analysis.replay.experiment.inputs import Inputs, start
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.dynamic_types import kind_of
from snapset.analysis.replay.memory.frames import Frame, stepping
from snapset.analysis.replay.memory.variable_slots import SlotPlace
from snapset.analysis.replay.statements.external_stubs import is_outside
from snapset.analysis.replay.statements.procedure_entry import overlaid_place
from snapset.frontend import ir

from tests.oracles.gfortran_programs import commands, compile_program

FLAGS = ("-O0", "-ffp-contract=off", "-fno-align-commons", "-ffree-line-length-none", "-w", "-fopenmp",
         "-fdec-math")
# What the driver needs to see of a module is public here.
_PRIVATE = re.compile(r"^[ \t]*private\b.*$|,[ \t]*private\b(?=[^!'\"\n]*::)", re.I | re.M)
Array = np.ndarray[Any, Any]
Key = tuple[str, ...]
Values = Mapping[Key, Array]


class CannotDriveError(Exception):
    """Why a head cannot be called from a main program of ours."""


@dataclass(frozen=True)
class Piece:
    """Memory that the driver passes and gives back, ``key`` in the values.

    ``targets`` are Fortran designators, one for each index in ``outer``: the components of an array of
    derived type are passed element by element.
    """

    key: Key
    targets: tuple[str, ...]
    outer: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class View:
    """A typed variable as part of a piece: ``name`` and components, and its place in a COMMON block's bytes."""

    name: Key
    key: Key
    dtype: str
    shape: tuple[int, ...]
    offset: int | None = None
    steps: tuple[int, ...] | None = None

    def within(self, block: Array) -> Array:
        """Of a COMMON block's bytes, those of the variable."""
        found: Array = np.ndarray(self.shape, self.dtype, block.data, self.offset or 0, self.steps)
        return found


@dataclass(frozen=True)
class Driver:
    """``text``: the main program's source. ``before``, ``after``: the machine's memory around its own run."""

    text: str
    pieces: tuple[Piece, ...]
    views: tuple[View, ...]
    before: Values
    after: Values


def drive(head: Head, machine: Machine, inputs: Inputs) -> Driver:
    """Run the machine's primal and write the main program that does the same.

    Raises:
        CannotDriveError: what a main program cannot set or call.
    """
    writer = _Writer(machine)
    with np.errstate(all="ignore"):
        frame = start(machine, inputs)
        writer.look(frame)
        before = writer.snapshot(frame)
        machine.run(frame)
        after = writer.snapshot(frame)
    return Driver(writer.text(), tuple(writer.pieces), tuple(writer.views), before, after)


class _Writer:
    """Names and declarations of one main program."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.procedure = machine.program.procedures[machine.root]
        if self.procedure.host is not None or self.procedure.kind == "program":
            raise CannotDriveError("the head is no procedure that a main program can call")
        for code in machine.codes.values():
            for node in code.flow.nodes:
                if is_outside(node.stmt):
                    assert isinstance(node.stmt, ir.Call)
                    raise CannotDriveError(f"{node.stmt.name} gives gfortran other values than the machine")
        self.uses: list[str] = []
        self.declarations: list[str] = []
        self.allocations: list[str] = []
        self.pieces: list[Piece] = []
        self.views: list[View] = []
        self.blocks: dict[str, int] = {}

    # ------------------------------------------------------------ the machine's memory

    def formals(self) -> list[SlotPlace]:
        code = self.machine.codes[self.machine.root]
        names = (*self.procedure.formals, *((self.procedure.result,) if self.procedure.result else ()))
        return [place for name in names for place in code.layout.places(name, self.procedure.span)
                if place.leaf.has_values]

    def globals(self, frame: Frame) -> Iterator[tuple[Key, SlotPlace, Array, tuple[int, ...]]]:
        """Every module and COMMON variable below the root that has memory, as every procedure sees it."""
        empty, seen = Frame(None, frame.memory, None), set()
        for key, code in sorted(self.machine.codes.items()):
            for place in code.layout.slots:
                variable, area = place.variable, place.variable.area
                if area.kind not in ("module", "common") or variable.value is not None or not place.leaf.has_values:
                    continue
                seen_by = key if area.kind == "common" else ""
                name = (area.kind, area.owner, seen_by, variable.name, *place.leaf.path)
                slot = self.machine.slot(place, code, empty)
                if name not in seen and slot.a is not None:
                    yield name, place, slot.a, slot.lo
                seen.add(name)

    def look(self, frame: Frame) -> None:
        """Find all pieces and write their declarations."""
        declared: set[str] = set()
        for place in self.formals():
            slot, name = frame.s[place.number], f"d_{place.variable.name}"
            if slot.a is None and place.leaf.having:
                continue  # of another type than the object is of
            if slot.a is None:
                raise CannotDriveError(f"`{place.variable.name}` has no memory at the start")
            if name not in declared:
                declared.add(name)
                self.declare(name, place, slot.lo, slot.a.shape, self.type_of(frame, place.variable))
            self.add(("", place.variable.name, *place.leaf.path), name, place, slot.lo, slot.a)
        for key, place, values, lo in self.globals(frame):
            if key[0] == "common":
                view = self.view(key, place, values)
                last = sum((n - 1)*step for n, step in zip(view.shape, view.steps or (), strict=True))
                end = (view.offset or 0) + last + values.itemsize
                self.blocks[key[1]] = max(self.blocks.get(key[1], 0), end if values.size else 0)
                self.views.append(view)
            elif "@" in place.variable.name:
                raise CannotDriveError(f"`{place.variable.name}`: names hidden in a BLOCK are in no USE statement")
            else:
                name = f"m_{key[1]}_{place.variable.name}"
                self.uses.append(f"use {key[1]}, only: {name} => {place.variable.name}")
                self.add(key, name, place, lo, values)
        for number, (block, size) in enumerate(sorted(self.blocks.items())):
            self.declarations += [f"integer(1) :: c{number}({size})", f"common /{block}/ c{number}"]
            self.pieces.append(Piece(("block", block), (f"c{number}",), ((),)))

    def view(self, key: Key, place: SlotPlace, values: Array) -> View:
        """A variable in COMMON, or a component of one."""
        offset, sizes = overlaid_place(place, self.machine.program.types)
        return View(key[3:], ("block", key[1]), values.dtype.str, values.shape, offset, stepping(values.shape, sizes))

    def add(self, key: Key, name: str, place: SlotPlace, lo: tuple[int, ...], values: Array) -> None:
        """One leaf: the dimensions of all its parts but the last are written out."""
        path = key[1:] if key[0] == "" else key[3:]
        self.views.append(View(path, key, values.dtype.str, values.shape))
        own = sum(place.leaf.ranks[:-1])
        indices = [tuple(reversed(index)) for index in product(*(range(n) for n in reversed(values.shape[:own])))]
        targets = []
        for index in indices:
            text, at = "", 0
            for part, rank in zip((name, *place.leaf.path), place.leaf.ranks, strict=True):
                subs = ", ".join(str(i + low) for i, low in zip(index[at:at + rank], lo[at:at + rank], strict=False))
                text += ("%" if text else "") + part + (f"({subs})" if subs else "")
                at += rank
            targets.append(text)
        self.pieces.append(Piece(key, tuple(targets), tuple(indices)))

    def snapshot(self, frame: Frame) -> dict[Key, Array]:
        """Copies of all memory that the driver passes, COMMON blocks as bytes."""
        found: dict[Key, Array] = {("block", name): np.full(size, 0xFF, np.uint8)
                                   for name, size in self.blocks.items()}
        for place in self.formals():
            if frame.s[place.number].a is None:
                continue
            found["", place.variable.name, *place.leaf.path] = frame.s[place.number].values.copy()
        for key, place, values, _ in self.globals(frame):
            if key[0] == "common":
                self.view(key, place, values).within(found["block", key[1]])[...] = values
            else:
                found[key] = values.copy()
        return found

    # ------------------------------------------------------------ text

    def type_of(self, frame: Frame, variable: ir.Variable) -> ir.Type:
        """Of a CLASS object, the type that it is of."""
        if not variable.polymorphic:
            return variable.type
        places = self.machine.codes[self.machine.root].layout.places(variable.name, variable.span)
        tag = next(frame.s[place.number] for place in places if place.leaf.is_tag)
        return ir.Type("derived", derived=sorted(self.machine.program.types)[kind_of(tag)])

    def declare(self, name: str, place: SlotPlace, lo: tuple[int, ...], shape: tuple[int, ...],
                kind: ir.Type) -> None:
        variable = place.variable
        rank = variable.shape.rank
        bounds = ", ".join(f"{low}:{low + n - 1}" for low, n in zip(lo[:rank], shape[:rank], strict=True))
        dims = f"({bounds})" if bounds else ""
        if kind.derived is not None:
            scope, _, type_name = kind.derived.rpartition("::")
            if scope in self.machine.program.procedures:
                raise CannotDriveError(f"`{variable.name}` has a type of a procedure's own")
            self.uses.append(f"use {scope}, only: {type_name}")
            self.declarations.append(f"type({type_name}) :: {name}{dims}")
        elif variable.allocatable:
            self.allocations.append(f"allocate ({name}{dims})")
            self.declarations.append(f"{declared(kind)}, allocatable :: {name}({','.join(':' * rank)})")
        else:
            self.declarations.append(f"{declared(kind)} :: {name}{dims}")

    def text(self) -> str:
        procedure, external = self.procedure, ""
        arguments = [f"d_{name}" for name in procedure.formals] + ["*9"] * procedure.alternates
        called = procedure.name
        if procedure.module is not None:
            called = "driven_"
            self.uses.append(f"use {procedure.module}, only: driven_ => {procedure.name}")
        elif procedure.result is not None:
            kind = procedure.variables[procedure.result].type
            external = f"{declared(kind)}, external :: {called}"
        elif any(procedure.variables[name].shape.kind in ("assumed-shape", "deferred") for name in procedure.formals):
            raise CannotDriveError("the head needs an explicit interface and is in no module")
        reference = f"{called}({', '.join(arguments)})"
        names = [target for piece in self.pieces for target in piece.targets]
        lines = ["program third_opinion_", *dict.fromkeys(self.uses), "implicit none", *self.declarations, external,
                 "character(999) :: source, sink",
                 "call get_command_argument(1, source)", "call get_command_argument(2, sink)", *self.allocations,
                 "open (97, file=source, access='stream', form='unformatted', status='old')",
                 *(f"read (97) {name}" for name in names), "close (97)",
                 f"call {reference}" if procedure.result is None else f"d_{procedure.result} = {reference}",
                 "9 continue", "open (98, file=sink, access='stream', form='unformatted', status='replace')",
                 *(f"write (98) {name}" for name in names), "close (98)", "end program third_opinion_"]
        return "\n".join(filter(None, lines)) + "\n"


def declared(kind: ir.Type) -> str:
    """A type as in a declaration."""
    return f"{kind.kind}({(kind.bytes or 0) // (2 if kind.kind == 'complex' else 1)})"


# ---------------------------------------------------------------- compiling and running


def compile_driver(driver: Driver, files: tuple[str, ...], folder: Path) -> Path:
    """The compiled main program with the original sources, for :func:`run_driver`.

    Raises:
        LookupError: no gfortran.
        CannotDriveError: gfortran refuses the text.
    """
    texts = {Path(file).name: _PRIVATE.sub("", Path(file).read_text()) for file in files} | {"driver_.f90": driver.text}
    ways = [texts]
    if all(name.endswith(".f90") for name in texts) and "--coverage" not in FLAGS:  # which counts lines of files
        # The compiler is started once; it may refuse what it sees at once.
        ways.insert(0, {"whole_.f90": "\n".join(texts.values())})
    for sources in ways:
        for name, text in sources.items():
            (folder / name).write_text(text)
        refused = compile_program(folder, "driver_", tuple(sources), FLAGS)
        if not refused:
            return folder / "driver_"
    raise CannotDriveError(f"gfortran: {refused}")


def run_driver(program: Path, driver: Driver, values: Values) -> dict[Key, Array]:
    """One run from ``values``; the same memory afterwards. Raises subprocess.CalledProcessError."""
    return run_from_each(program, driver, [values])[0]


def run_from_each(program: Path, driver: Driver, starts: Sequence[Values]) -> list[dict[Key, Array]]:
    """As many runs."""
    names = [(f"in{number}.bin", f"out{number}.bin") for number in range(len(starts))]
    for values, (source, _) in zip(starts, names, strict=True):
        (program.parent / source).write_bytes(b"".join(values[piece.key][index].tobytes(order="F")
                                                       for piece in driver.pieces for index in piece.outer))
    for command in commands(program, names):
        subprocess.run(command, cwd=program.parent, check=True, capture_output=True)
    return [_given_back(driver, values, (program.parent / sink).read_bytes())
            for values, (_, sink) in zip(starts, names, strict=True)]


def _given_back(driver: Driver, values: Values, data: bytes) -> dict[Key, Array]:
    found: dict[Key, Array] = {}
    at = 0
    for piece in driver.pieces:
        old = values[piece.key]
        new = np.empty(old.shape, old.dtype)
        for index in piece.outer:
            part = new[index]
            new[index] = np.frombuffer(data, old.dtype, part.size, at).reshape(part.shape, order="F")
            at += part.nbytes
        found[piece.key] = new
    return found


# ---------------------------------------------------------------- what the values mean


def typed(driver: Driver, values: Values) -> list[tuple[View, Array]]:
    """Every variable's values, as views of ``values``."""
    found = []
    for view in driver.views:
        whole = values[view.key]
        found.append((view, whole if view.offset is None else view.within(whole)))
    return found


def reals(name: str, machine: Machine, driver: Driver, values: Values) -> Iterator[tuple[str, Array]]:
    """The real and complex leaves of a head's variable and their names in a gradient, the latter in two parts."""
    procedure = machine.program.procedures[machine.root]
    base, *path = name.split("%")
    if base == procedure.name and procedure.result:
        base = procedure.result
    for view, a in typed(driver, values):
        if a.dtype.kind in "fc" and view.name[:1 + len(path)] == (base, *path):
            name = "%".join(view.name)
            yield from ((name, a),) if a.dtype.kind == "f" else ((f"{name}%re", a.real), (f"{name}%im", a.imag))


def objective(head: Head, machine: Machine, driver: Driver, values: Values) -> float:
    """The weighted sum of the dependents of which the machine computes the gradient."""
    total = 0.0
    for name in names_of(head, machine, "dependents"):
        for part, a in reals(name, machine, driver, values):
            total += float(np.sum(weights(a) * a)) * (IMAGINARY if part.endswith("%im") else 1)
    return total


def moved(head: Head, machine: Machine, driver: Driver, ways: Mapping[str, Array], step: float) -> dict[Key, Array]:
    """The start values with the independents moved by ``step`` along ``ways`` (by the gradient's names)."""
    found = {key: a.copy() for key, a in driver.before.items()}
    for name in names_of(head, machine, "independents"):
        for leaf, a in reals(name, machine, driver, found):
            a[...] += (step * ways[leaf]).astype(a.dtype)
    return found
