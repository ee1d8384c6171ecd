"""Pieces of arrays in snapshots: of an array that a call gets one element or section of, only that is lost.

``call advance(u(:, k))`` overwrites nothing of u but ``u(:, k)``. Where D̄ leaves u alone, or tapes what it overwrites
of it, the elements lost between C's first run and its adjoint are among those C writes: saving and restoring them
restores u whole. Where D̄ loses more of u, C̄ still needs no other elements than it is given, as long as u is not
required before C and counts as overwritten by [C];D anyway (it does when it is in out(C̄)). The subscripts are
evaluated where the snapshot is taken; C's adjoint call evaluates them again.

``call rotate(a(:, p), a(:, q))`` overwrites two columns: a piece is the references that select it together.

Of a marked part the pieces are :mod:`snapset.analysis.sections.written_sections` for the first of these two reasons,
and :mod:`snapset.analysis.sections.touched_sections` for the second.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Literal

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, members, set_of, singleton, union
from snapset.analysis.dataflow.control_dependence import with_deciders
from snapset.analysis.equations import PartSets
from snapset.analysis.memory.argument_extents import Extents
from snapset.analysis.memory.locations import EVERY, Interval, Space
from snapset.analysis.memory.loop_ranges import reached
from snapset.analysis.memory.references import Piece
from snapset.analysis.memory.subscript_intervals import interval
from snapset.analysis.procedures.call_binding import CallSite, Target
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.section_summaries import Stretches
from snapset.analysis.sections.touched_sections import touched_pieces
from snapset.analysis.sections.written_sections import all_of, part_pieces, part_stretches
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.ir.argument_binding import bind
from snapset.frontend.ir.expression_queries import rank_of


class Pieces:
    """The pieces of one procedure's parts. ``deciding``: for each node the tests that decide whether it runs."""

    def __init__(self, stretches: Stretches, model: ProcedureModel, deciding: Mapping[int, frozenset[int]]) -> None:
        self.all = stretches
        self.model = model
        self.deciding = deciding
        self._given: dict[int, Mapping[int, Piece]] = {}
        self._written: dict[int, Mapping[int, Piece]] = {}
        self._touched: dict[int, Mapping[int, Piece]] = {}

    def given(self, node: int) -> Mapping[int, Piece]:
        """By location, the elements that a call is passed: all it touches of it."""
        if node not in self._given:
            self._given[node] = call_pieces(self.all.models, self.model, node)
        return self._given[node]

    def written(self, node: int, level: int | None) -> Mapping[int, Piece]:
        """By location, the elements that the part at a node writes. ``level``: the marked part's, None for a call."""
        if node not in self._written:
            nodes = frozenset((node,)) if level is None else frozenset(self.model.flow.levels[level].nodes)
            found = part_pieces(self.model, nodes, self.deciding, self.all.written)
            self._written[node] = found if level is None else {**self.passed_once(nodes), **found}
        return self._written[node]

    def touched(self, level: int, lost: May) -> Mapping[int, Piece]:
        """By location, the elements that a marked part reads or writes. ``lost``: limits that read this are no use."""
        nodes = frozenset(self.model.flow.levels[level].nodes)
        if level not in self._touched:
            self._touched[level] = touched_pieces(self.model, nodes, self.deciding, self.all.written)
        return restorable(self.model, findable(self.model, self._touched[level], lost))

    def stretches(self, level: int) -> Mapping[int, ir.Ref]:
        """By location, the elements that a marked part writes, where one reference selects them."""
        nodes = frozenset(self.model.flow.levels[level].nodes)
        once = {index: piece[0] for index, piece in self.passed_once(nodes).items() if len(piece) == 1}
        return {**once, **part_stretches(self.model, nodes, self.deciding, self.all.written)}

    def least(self, node: int, level: int | None, given: Mapping[int, Piece], lost: May) -> Mapping[int, Piece]:
        """By location, what is known best of the elements that a part writes. ``given``: what it is passed, if it is a
        call: ``q(2, at(i))``, where what it writes is only known to be in ``q(2, :)``. ``lost``: limits that read this
        are no use."""
        written = findable(self.model, self.written(node, level), lost)
        return restorable(self.model, {**written, **{index: piece for index, piece in given.items() if
                                                     index not in written or scalars(written[index]) < scalars(piece)}})

    def passed_once(self, nodes: frozenset[int]) -> Mapping[int, Piece]:
        """By location, what a marked part passes of it to one call, which certainly runs, and writes nowhere else."""
        effects, refs = self.model.effects, self.model.refs
        changed = union(effects[node].changed for node in nodes)
        found: dict[int, Piece] = {}
        for node in sorted(nodes & self.model.calls.keys()):
            if not with_deciders(frozenset((node,)), self.deciding, {}) & nodes:
                others = union(effects[other].out for other in nodes if other != node)
                found |= {index: piece for index, piece in self.given(node).items() if not others >> index & 1
                          and not self.model.space.with_aliases(refs.all_subscripts(piece)) & changed}
        return found


def scalars(piece: Piece) -> int:
    """How many subscripts of each of a piece's references are no ranges."""
    return min(sum(not isinstance(one, ir.Range) for part in ref.parts for one in part.subscripts or ())
               for ref in piece)


def findable(model: ProcedureModel, pieces: Mapping[int, Piece], lost: int) -> Mapping[int, Piece]:
    """Those whose limits do not read what is ``lost`` when they are restored: the same elements have to be found."""
    return {index: piece for index, piece in pieces.items() if not model.refs.all_subscripts(piece) & lost}


def restorable(model: ProcedureModel, pieces: Mapping[int, Piece]) -> Mapping[int, Piece]:
    """Those that are found where they are restored, what finds them being restored before: not ``at(at(k))``, nor
    elements of two arrays that are found by each other."""
    left, found = dict(pieces), dict[int, Piece]()
    while True:
        waiting = set_of(left)
        ready = {index: piece for index, piece in left.items()
                 if not model.space.with_aliases(model.refs.all_subscripts(piece)) & waiting}
        if not ready:
            return found
        found |= ready
        left = {index: piece for index, piece in left.items() if index not in ready}


def call_pieces(models: Models, model: ProcedureModel, node: int) -> Mapping[int, Piece]:
    """By location, the references through which a call writes it, if they select elements of it."""
    site = model.calls[node]
    if not site.targets or site.stmt.pointer is not None:
        return {}
    passed: dict[int, list[ir.Ref]] = {}
    for ref in _selecting(site):
        for index in members(model.refs.passed(ref).bits & model.effects[node].out):
            passed.setdefault(index, []).append(ref)
    found: dict[int, Piece] = {}
    for index, refs in passed.items():
        writing = _writing(models, model, site, refs, singleton(index))
        if len(writing) > 1 and any(_reached(models, model, site, ref) is None for ref in writing):
            continue  # w(k:) and w(l:) would be more than all of w
        leaves = [_piece(models, model, site, ref, index) for ref in writing]
        if leaves and None not in leaves:
            found[index] = tuple(leaf for leaf in leaves if leaf is not None)
    return restorable(model, found)


def _selecting(site: CallSite) -> list[ir.Ref]:
    """The references that a call is passed, and that select elements."""
    given = dict.fromkeys(one.value for one in site.stmt.args if isinstance(one.value, ir.Ref))
    return [ref for ref in given if _selects(ref)]


def _piece(models: Models, model: ProcedureModel, site: CallSite, ref: ir.Ref, index: int) -> ir.Ref | None:
    """What a call is passed of a location by a reference; None where that may be all of it."""
    leaf = _leaf(model, ref, index)
    if leaf is None:
        return None
    reached = _reached(models, model, site, ref)
    leaf = _from_there_on(leaf) if reached is None else leaf if reached == () else _with(leaf, len(ref.parts), reached)
    return _in_band(model, index, leaf) if _selects(leaf) else None


def _reached(models: Models, model: ProcedureModel, site: CallSite,
             ref: ir.Ref) -> tuple[ir.Subscript, ...] | None:
    """The subscripts of all that a call may reach by an element that it is passed, which stands for what follows it,
    too: ``(:, q)`` by ``x(1, q)``. Empty: what it selects; None: all from there on."""
    if ref.rank:
        return ()
    found: list[tuple[ir.Subscript, ...] | None] = []
    for target in site.targets:
        procedure = models.program.procedures[target.key]
        actuals = dict(zip(procedure.formals, bind(site.stmt, procedure), strict=True))
        extents = Extents(procedure, actuals, model.refs.variables, partial(_steady, model), model.refs.storage.types)
        found += [extents.reached(procedure.variables[name], ref) for name, actual in actuals.items()
                  if actual == ref and name in procedure.variables and procedure.variables[name].shape.rank]
    alike = all(one == found[0] for one in found)
    return () if not found else found[0] if alike else None


def _steady(model: ProcedureModel, ref: ir.Ref) -> bool:
    """Has a name the value all through a procedure that its declarations saw?"""
    variable = model.procedure.variables.get(ref.name)
    own = variable is not None and (variable.area.kind == "module" or variable.area.owner == model.procedure.key)
    return own and not model.space.with_aliases(model.refs.values(ref)) & model.written


def _with(leaf: ir.Ref, parts: int, given: tuple[ir.Subscript, ...]) -> ir.Ref:
    """A reference with other subscripts in its part of that number."""
    part = replace(leaf.parts[parts - 1], subscripts=given)
    rank = leaf.rank + sum(isinstance(one, ir.Range) for one in given)
    return replace(leaf, parts=(*leaf.parts[:parts - 1], part, *leaf.parts[parts:]), rank=rank)


def _in_band(model: ProcedureModel, index: int, leaf: ir.Ref) -> ir.Ref | None:
    """What a reference selects of a band, at most; None where that may be all of it. With a subscript that is no number
    it may be in any band: its elements are no more than those of one."""
    info = model.space.infos[index]
    given = leaf.parts[-1].subscripts
    if info.band is None or given is None:
        return leaf if info.band is None else None
    if len(info.band) == 1:
        return leaf if _inside(model, info.band[0], given[0]) else None
    cut = [(one, ends) for one, ends in zip(given, info.band, strict=True) if ends != EVERY]
    if any(not isinstance(one, ir.Range) and interval(one, model.refs.constant) is None for one, _ in cut):
        return leaf
    if all(one == ir.Range() for one, ends in zip(given, info.band, strict=True) if ends == EVERY):
        return None
    parts = tuple(one if ends == EVERY else all_of(dim) for one, ends, dim in
                  zip(given, info.band, info.dims(), strict=True))
    rank = sum(isinstance(one, ir.Range) for one in parts)
    return replace(leaf, parts=(replace(leaf.parts[-1], subscripts=parts),), rank=rank)


def _inside(model: ProcedureModel, ends: Interval, one: ir.Subscript) -> bool:
    """Is what a subscript selects of a line certainly a part of a band, and not all of it?"""
    refs = model.refs
    at_most = reached(one, refs.constant, refs.ranges)
    if at_most is None or not (ends[0] <= at_most[0] and at_most[1] <= ends[1]):
        return False
    return interval(one, refs.constant) != ends


def _from_there_on(leaf: ir.Ref) -> ir.Ref:
    """What may be reached from an element of an array on: ``u(a:)``, ``v(:, k:)`` from v(i, k)."""
    last = leaf.parts[-1]
    given = last.subscripts or ()
    ends = given[-1] if given else ir.Range()
    if (len(leaf.parts) > 1 and any(part.subscripts for part in leaf.parts[:-1])) or isinstance(ends, ir.Range):
        return replace(leaf, parts=tuple(replace(part, subscripts=None) for part in leaf.parts))
    whole = tuple(ir.Range() for _ in given[:-1])
    return replace(leaf, parts=(*leaf.parts[:-1], replace(last, subscripts=(*whole, ir.Range(ends)))), rank=len(given))


def _leaf(model: ProcedureModel, ref: ir.Ref, index: int) -> ir.Ref | None:
    """What a reference selects of a location: of an object of derived type, of one of its components. None where that
    is not a section of it."""
    info, path = model.space.infos[index], model.space.locations[index].path
    if info.other_names or model.space.locations[index].is_descriptor or len(ref.parts) > len(path) + 1:
        return None
    if info.bytes is not None and (not info.shapes or info.type.kind == "unknown"):
        return None  # of overlaid storage less than a variable, or seen as several types
    below = [shape for shape, depth in zip(info.shapes, info.depths, strict=True) if depth >= len(ref.parts)]
    if any(shape.kind == "deferred" for shape in below) or (below and ref.rank):
        return None
    rest = tuple(ir.PartRef(name) for name in path[len(ref.parts) - 1:])
    return ref if not rest else replace(ref, parts=ref.parts + rest, type=info.type,
                                        rank=ref.rank + sum(shape.rank for shape in below))


def read_alone(models: Models, model: ProcedureModel, node: int, pieces: Mapping[int, Piece],
               uses: Mapping[str, May]) -> Must:
    """Of a call's pieces the locations that C̄ reads through the same references only.

    ``uses``: use(C̄) of each procedure it may run, in that procedure's numbering.
    """
    site = model.calls[node]
    found = EMPTY
    for index, piece in pieces.items():
        bit = singleton(index)
        refs = [ref for ref in _selecting(site) if model.refs.passed(ref).bits & bit
                and _piece(models, model, site, ref, index) in piece]
        evaluated = (a.value for a in site.stmt.args if not isinstance(a.value, ir.Ref))
        apart = not (site.index_reads | model.refs.all_values(evaluated)) & bit
        if apart and all(_touching(models, target, uses.get(target.key, EMPTY), "use", bit)
                         <= _dummies(models, target, site, refs) for target in site.targets):
            found |= bit
    return found


def applicable(written: Mapping[int, Piece], given: Mapping[int, Piece], saved: Exact, lost_by_d: May,
               freely: Must = EMPTY) -> Mapping[int, Piece]:
    """Of a part's pieces those that may stand for what is saved.

    ``written``: with all that C writes; ``given``: with all that it touches, where they are in ``freely``: what may be
    lost of, but for the elements C̄ reads. ``lost_by_d``: what D̄ overwrites and does not tape.
    """
    kept = {i: piece for i, piece in written.items() if saved >> i & 1 and not lost_by_d >> i & 1}
    return kept | {i: piece for i, piece in given.items() if saved & lost_by_d & freely & (1 << i)}


def alike(space: Space, pieces: Mapping[int, Piece], given: Mapping[int, Piece]) -> Mapping[int, Piece]:
    """The pieces, those of an array's bands the same where one is all that a call is passed: that holds the others."""
    of_all = {(space.locations[i].area, piece) for i, piece in pieces.items()
              if space.infos[i].band is not None and given.get(i) == piece}
    return {i: given[i] if i in given and (space.locations[i].area, given[i]) in of_all else piece
            for i, piece in pieces.items()}


def beside(pieces: Mapping[int, Piece], read_lost: May) -> Mapping[int, Piece]:
    """The pieces that are enough where some locations are computed when the snapshot is back: none of a location of
    which that reads what D̄ has lost."""
    return {i: piece for i, piece in pieces.items() if not read_lost >> i & 1}


def repeated(space: Space, pieces: Mapping[int, Piece], saved: Exact) -> Exact:
    """The saved bands whose piece is that of another saved band of the array, too, ``x(:, q)``: it is saved once."""
    found, seen = EMPTY, set[tuple[ir.Area, Piece]]()
    for index, piece in sorted(pieces.items()):
        if saved >> index & 1 and space.infos[index].band is not None:
            place = space.locations[index].area, piece
            found |= singleton(index) if place in seen else EMPTY
            seen.add(place)
    return exactly(found)


def others_of(pieces: Mapping[int, Piece], sets: PartSets, coarse: May, freely: Must = EMPTY) -> Exact:
    """The arrays of which C writes a piece and D̄ overwrites others that are needed: these are in Opt3.

    DH (6) is pointwise. What C writes of such an array is in Snp0, as ever; the others are not in out(C), and so D may
    preserve them (Req_D) as well as the snapshot hold all of the array. ``coarse``: of these D̄ overwrites much more
    than pieces. ``freely``: those of which C̄ reads the piece alone, and nothing else is required.
    """
    needed = sets.out_dbar & (sets.use_cbar | sets.req) & sets.out_c & ~coarse & ~freely
    return set_of(index for index in pieces if needed >> index & 1)


def _selects(ref: ir.Ref) -> bool:
    """Plain subscripts and ranges, not all of them ``:``."""
    subscripts = [s for part in ref.parts for s in part.subscripts or ()]
    plain = all(isinstance(s, ir.Range) or rank_of(s) == 0 for s in subscripts)
    return plain and ref.substring is None and any(s != ir.Range() for s in subscripts)


def _writing(models: Models, model: ProcedureModel, site: CallSite, refs: Sequence[ir.Ref],
             bit: Exact) -> Sequence[ir.Ref]:
    """Of ``refs`` those through which a call writes a location; none if it may write it otherwise, too."""
    if site.stmt.result is not None and model.refs.touch(site.stmt.result).bits & bit:
        return ()
    written = [(target, _touching(models, target, models.seen[target.key].summary.out, "out", bit))
               for target in site.targets]
    if any(not areas <= _dummies(models, target, site, refs) for target, areas in written):
        return ()
    return [ref for ref in refs if any(areas & _dummies(models, target, site, (ref,)) for target, areas in written)]


def _touching(models: Models, target: Target, touched: May, how: Literal["use", "out"], bit: Exact) -> set[ir.Area]:
    """The memory, by a target's names, through which it touches a location of the caller's."""
    space = models.seen[target.key].space
    reached = target.hidden.inward(bit) | set_of(
        i for i, link in target.passed.items() if (link.use if how == "use" else link.out) & bit)
    return {space.locations[i].area for i in members(reached & touched)}


def _dummies(models: Models, target: Target, site: CallSite, refs: Collection[ir.Ref]) -> set[ir.Area]:
    """The memory of the dummy arguments of a target for which some references are passed."""
    procedure = models.program.procedures[target.key]
    bound = zip(procedure.formals, bind(site.stmt, procedure), strict=True)
    return {procedure.variables[name].area for name, actual in bound if actual in refs and name in procedure.variables}
