"""What is said of calls: procedures whose effects are not known (SN301), memory passed under two names (SN304).

``call scale(t, t)``, where ``scale(a, b)`` has ``b = 2*a``: both arguments are ``t``, and Fortran forbids to write one.
Every set of scale's parts takes a and b for different memory, as compilers do: a snapshot before ``b = 2*a`` does not
hold a. No adjoint of scale is right for such a call, for it adds to the derivative of a and clears that of b.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from snapset.analysis.dataflow.bitsets import Exact, members, set_of
from snapset.analysis.memory.named_globals import GLOBAL
from snapset.analysis.procedures.call_binding import CallSite, Target
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.ir.argument_binding import bind
from snapset.frontend.ir.pretty_print import expr
from snapset.frontend.rules import diagnostic


def call_remarks(models: Models) -> Iterator[Diagnostic]:
    """All that is said of the calls of a program: of every procedure without source at its first call."""
    known = set[str]()
    for model in models.by_key.values():
        yield from one_memory_in(model, models)
        for name, said in unknown_in(model):
            if name not in known:
                known.add(name)
                yield said


def unknown_in(model: ProcedureModel) -> Iterator[tuple[str, Diagnostic]]:
    """The calls of one procedure whose effects are not known, by name."""
    for site in model.calls.values():
        if site.targets or site.declared or site.stmt.intrinsic:
            continue
        why = site.problem or "there is no source for it"
        reach = "all that its caller can reach" if site.everything else "its arguments and everything global"
        yield site.stmt.name, diagnostic(
            "SN301", f"call of {site.stmt.name}: {why}; taken to read and write {reach}", site.stmt.span)


def called_in(model: ProcedureModel) -> tuple[str, ...]:
    """The procedures that a procedure's calls may run."""
    return tuple(sorted({target.key for site in model.calls.values() for target in site.targets}))


def one_memory_in(model: ProcedureModel, models: Models) -> Iterator[Diagnostic]:
    """The calls of one procedure that certainly give memory two names, one of which is written; once each."""
    for site in model.calls.values():
        passed = (_Passed(model, site, target, models) for target in site.targets)
        said = (meeting for one in passed for meeting in one.meetings())
        if (first := next(said, None)) is not None:
            yield diagnostic("SN304", f"call of {site.stmt.name}: {first}", site.stmt.span)


class _Passed:
    """What one call passes to one procedure that it may run."""

    def __init__(self, model: ProcedureModel, site: CallSite, target: Target, models: Models) -> None:
        self.model, self.target, self.models = model, target, models
        self.callee = callee = models.interface(target.key)
        self.variables, self.inside = model.procedure.variables, callee.procedure.variables
        values = zip(callee.procedure.formals, bind(site.stmt, callee.procedure), strict=True)
        self.refs = {name: value for name, value in values
                     if isinstance(value, ir.Ref) and name in self.inside and value.name in self.variables}

    def meetings(self) -> Iterator[str]:
        """What is passed twice, or is passed and a global that the procedure names; one of the two written."""
        for a, b in self.pairs():
            one, other = self.refs[a], self.refs[b]
            if not (_linked(self.inside[a]) and _linked(self.inside[b])) and self.same(one, other):
                at_a, at_b = self.memory(a, _rest(one, other)), self.memory(b, _rest(other, one))
                if written := self.conflict(at_a, at_b, a, b):
                    yield f"`{expr(one)}` is passed as `{a}`, and `{expr(other)}` as `{b}`; {self.told(written)}"
        for name, one in self.refs.items():
            variable = self.variables[one.name]
            if variable.area.kind in GLOBAL and not variable.pointer and all(p.subscripts is None for p in one.parts):
                also = self.known(one)
                if written := self.conflict(self.memory(name, ()), also, name, expr(one)):
                    yield f"`{expr(one)}` is passed as `{name}`, and used by its own name; {self.told(written)}"

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The pairs of arguments that may be one memory, of which the callee may write one: of a hundred arguments
        that one variable is passed as it writes few, and only with these is each of the others compared."""
        places: dict[ir.Area, list[str]] = {}
        for name, one in self.refs.items():
            places.setdefault(self.variables[one.name].area, []).append(name)
        together = {area: names for area, names in places.items() if len(names) > 1}
        written = {name for names in together.values() for name in names
                   if self.memory(name, ()) & self.callee.summary.out}
        rank = {name: place for place, name in enumerate(self.refs)}
        found = {(a, b) for names in together.values() for one in written.intersection(names) for other in names
                 if one != other for a, b in (sorted((one, other), key=rank.__getitem__),)}
        yield from sorted(found, key=lambda pair: (rank[pair[0]], rank[pair[1]]))

    def told(self, written: str) -> str:
        return f"{self.callee.procedure.name} writes `{written}`, but takes the two for different memory"

    def conflict(self, at_a: Exact, at_b: Exact, a: str, b: str) -> str | None:
        """Which of two names is written, where the other is read or written too."""
        out, touched = self.callee.summary.out, self.callee.summary.use | self.callee.summary.out
        if at_a & touched and at_b & touched:
            return b if at_b & out else a if at_a & out else None
        return None

    def memory(self, formal: str, path: tuple[str, ...]) -> Exact:
        """The callee's locations of a dummy argument, below and above one of its components."""
        return set_of(i for i, inside in self.places.get(self.inside[formal].area, ())
                      if all(x == y for x, y in zip(inside, path, strict=False)))

    @cached_property
    def places(self) -> dict[ir.Area, list[tuple[int, tuple[str, ...]]]]:
        """The callee's locations by area, with their components; of the dummy arguments that are looked for."""
        found: dict[ir.Area, list[tuple[int, tuple[str, ...]]]] = {self.inside[name].area: [] for name in self.refs}
        for i, one in enumerate(self.callee.space.locations):
            if one.area in found and not one.is_descriptor:
                found[one.area].append((i, one.path))
        return found

    def known(self, ref: ir.Ref) -> Exact:
        """The callee's locations, of globals that its statements name, that are memory of the caller's ``ref``."""
        named, bits = self.models.named_areas(self.target.key), self.model.refs.touch(ref).bits
        locations = self.callee.space.locations
        return set_of(i for i in members(self.target.holding(bits))
                      if locations[i].area in named and not locations[i].is_descriptor)

    def same(self, a: ir.Ref, b: ir.Ref) -> bool:
        """Is one certainly the other's memory, or a piece of it?"""
        one, other = self.variables[a.name], self.variables[b.name]
        if a.name != b.name and (one.area != other.area or one.offset != other.offset or one.pointer or other.pointer):
            return False
        return a.substring == b.substring and all(
            (at == 0 or p.name == q.name) and (p.subscripts == q.subscripts or None in (p.subscripts, q.subscripts))
            for at, (p, q) in enumerate(zip(a.parts, b.parts, strict=False)))


def _rest(one: ir.Ref, other: ir.Ref) -> tuple[str, ...]:
    """The components by which the other goes on."""
    return tuple(part.name for part in other.parts[len(one.parts):])


def _linked(variable: ir.Variable) -> bool:
    """May it share memory with others, as Fortran says?"""
    return variable.pointer or variable.target
