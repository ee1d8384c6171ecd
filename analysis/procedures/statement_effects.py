"""use(I), out(I), kill(I) of one statement, and use(I') given what is active (equations.md section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, exactly, members, set_of, union
from snapset.analysis.memory.reallocating_assignments import reshaped
from snapset.analysis.memory.references import ReferencedLocations, References
from snapset.analysis.procedures.effect_sets import NO_EFFECT, Effect
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.cfg.graph import FlowGraph, Node
from snapset.frontend.ir.expression_queries import walk

NOWHERE = ReferencedLocations(EMPTY, False, EMPTY)
READING = frozenset(("read", "open", "close", "rewind", "backspace", "endfile", "inquire"))


def effect(node: Node, refs: References) -> Effect:
    """The effect of a node that is no call; pointers and targets not yet expanded."""
    stmt = node.stmt
    masks = refs.all_values(mask.expr for mask in node.masks)
    match node.kind:
        case "join" | "stop":
            return NO_EFFECT
        case "loop-test":
            return NO_EFFECT
        case "test":
            return Effect(use=refs.all_values(node.test) | masks)
        case "init" | "step":
            assert isinstance(stmt, ir.Do)
            var = exactly(refs.touch(stmt.var).bits)  # a scalar, and no pointer
            # The index of DO CONCURRENT and FORALL lives in the construct: nothing outside sees it written.
            out = var if stmt.kind == "do" else EMPTY
            return Effect(use=refs.all_values(node.test) if node.kind == "init" else var, out=out, kill=var)
        case _:
            found = _simple(stmt, refs)
            return replace(found, use=found.use | masks, kill=EMPTY if node.masks else found.kill)


def _simple(stmt: ir.Stmt | None, refs: References) -> Effect:
    match stmt:
        case ir.Assign():
            target, change = refs.touch(stmt.target), reshaped(stmt, refs)
            shaped = change.all  # a shape is asked for where no value is needed
            own = refs.descriptor(stmt.target) if change.itself else NOWHERE
            return Effect(use=refs.values(stmt.value) | target.subscripts, out=target.bits | own.bits,
                          kill=target.certain | own.certain, keep=bool(shaped), shaped=shaped)
        case ir.Where():
            return Effect(use=refs.values(stmt.mask))
        case ir.IO():
            moves = stmt.action in READING and not stmt.internal
            return Effect(use=refs.all_values(stmt.reads) | _subscripts(stmt.writes, refs),
                          out=_written(stmt.writes, refs),
                          kill=_received_whole(stmt.writes, refs) if stmt.certain else EMPTY, keep=moves, unseen=moves)
        case ir.Allocate():
            return _allocate(stmt, refs)
        case ir.Deallocate() | ir.Nullify():
            stat = [stmt.stat] if isinstance(stmt, ir.Deallocate) and stmt.stat else []
            deallocated = isinstance(stmt, ir.Deallocate)
            asked = isinstance(stmt, ir.Deallocate) and not stmt.automatic
            out, kill, use = _objects(stmt.objects, refs, memory=deallocated, there=asked, free=bool(stat))
            if stat and len(stmt.objects) > 1:  # it ends at the first object that is not allocated
                kill = Must(EMPTY)
            return Effect(use=use, out=out | _written(stat, refs), kill=kill, keep=True, shaped=out)
        case ir.PointerAssign():
            target = refs.descriptor(stmt.target)
            # The pointer's new memory counts as read here: from now on the pointer's name leads to it.
            use = refs.values(stmt.value) | target.subscripts | refs.bounds(ir.PartRef("", stmt.bounds))
            return Effect(use=use, out=target.bits, kill=target.certain, keep=True, shaped=target.bits)
        case ir.Opaque():
            return Effect(keep=True, unseen=True, everything=True)
        case _:
            return NO_EFFECT


def _allocate(stmt: ir.Allocate, refs: References) -> Effect:
    out, kill, use = _objects(stmt.objects, refs, free=True)
    if stmt.source is not None:
        use |= refs.values(stmt.source)
    if stmt.length is not None:
        use |= refs.values(stmt.length)
    if isinstance(stmt.like, ir.Ref):  # whose type alone counts, which a pointer's association has
        use |= refs.subscripts(stmt.like)
    stat = [stmt.stat] if stmt.stat else []
    return Effect(use=use, out=out | _written(stat, refs), kill=EMPTY if stmt.stat else kill, keep=True, shaped=out)


def _objects(objects: Iterable[ir.Ref], refs: References, memory: bool = True,
             there: bool = False, free: bool = False) -> tuple[May, Must, May]:
    """out, kill and use of what is allocated, deallocated or nullified: its last subscripts are bounds. NULLIFY changes
    associations only; of memory that is made or gone nothing is left as it was. ``there``: it is an error if they are
    not allocated; ``free``: what it does depends on whether they are."""
    out, use, kill = May(EMPTY), May(EMPTY), Must(EMPTY)
    for ref in objects:
        bare = replace(ref, parts=(*ref.parts[:-1], ir.PartRef(ref.parts[-1].name)))
        own, data = refs.descriptor(bare), refs.touch(bare)
        out |= own.bits | (data.bits if memory else EMPTY)
        kill |= own.certain | (data.certain if memory else EMPTY)
        use |= own.subscripts | refs.bounds(ref.parts[-1])
        use |= data.subscripts if there else EMPTY
        use |= own.bits & (refs.space.descriptors if there else refs.space.allocations) if free else EMPTY
    return out, kill, use


def _written(items: Iterable[ir.Expr], refs: References) -> May:
    total: May = EMPTY
    for item in items:
        match item:
            case ir.Ref():
                total |= refs.touch(item).bits
            case ir.ImpliedDo():
                total |= _written(item.items, refs)
            case ir.OpaqueExpr():
                total |= refs.values(item)
            case _:
                pass
    return total


def _received_whole(items: Iterable[ir.Expr], refs: References) -> Must:
    """What a READ certainly overwrites; input of derived type may be a procedure's, which may leave some as it was."""
    touches = (refs.touch(item) for item in items if isinstance(item, ir.Ref) and item.type.kind != "derived")
    return union(touch.certain for touch in touches)


def _subscripts(items: Iterable[ir.Expr], refs: References) -> May:
    total: May = EMPTY
    for item in items:
        match item:
            case ir.Ref():
                total |= refs.subscripts(item)
            case ir.ImpliedDo():
                bounds = [e for e in (item.start, item.stop, item.step) if e is not None]
                total |= _subscripts(item.items, refs) | refs.all_values(bounds)
            case _:
                pass
    return total


def derivative_use(stmt: ir.Assign, masks: tuple[ir.Expr, ...], refs: References, varied: May,
                   sided: bool = False) -> May:
    """use(I') of an assignment whose left side is active, ``varied`` being what varies before it.

    The operands of its non-constant partials, and the index, bound and mask variables of what it touches.
    ``sided``: see :meth:`~snapset.analysis.memory.references.References.partials`.
    """
    use = refs.partials(stmt.value, varied, sided) | refs.subscripts(stmt.target) | refs.all_values(masks)
    return use | _object_memory(stmt, refs) if stmt.target.type.kind == "derived" else use


def _object_memory(stmt: ir.Assign, refs: References) -> May:
    """The allocations within the objects of an assignment, of what carries derivatives.

    Example: of ``h = g`` the adjoint takes what belongs to ``h%e`` from where ``h%e`` is, as ``h%e = g%e`` does.
    """
    within = (refs.touch(stmt.target).bits | refs.values(stmt.value)) & refs.space.allocations
    if not within:
        return EMPTY
    infos = refs.space.infos
    moved = (n for n in members(refs.touch(stmt.target).bits | refs.flows(stmt.value)) if infos[n].type.differentiable)
    return within & refs.space.descriptors_of(set_of(moved))


def declared_sizes(procedure: ir.Procedure) -> Iterator[ir.Expr]:
    """The bounds of a procedure's own arrays, and the lengths of its characters: they are read when it is entered."""
    for variable in procedure.variables.values():
        if variable.area.owner == procedure.key and variable.value is None:
            ends = (end for dim in variable.shape.dims for end in (dim.lower, dim.upper))
            yield from (one for one in (*ends, variable.length) if one is not None)


def are_functions(sizes: Iterable[ir.Expr]) -> bool:
    """Is one of them what a function gives? That may read all that is global: ``real(8) :: r(wanted(n))``."""
    return any(isinstance(part, ir.OpaqueExpr) for one in sizes for part in walk(one))


def stored_masks(flow: FlowGraph, refs: References, effects: Sequence[Effect]) -> frozenset[int]:
    """The assignments whose WHERE mask must be recorded: those of the same WHERE change what it was computed from.

    Example: ``where (a > 0); a = -a; b = 1; end where``: the mask is not a > 0 any more when b is assigned.
    """
    found: set[int] = set()
    for where in flow.nodes:
        if isinstance(where.stmt, ir.Where):
            masked = [n.index for n in flow.nodes if any(m.where == where.stmt.id for m in n.masks)]
            changed = union(effects[n].out for n in masked[:-1])
            if refs.values(where.stmt.mask) & changed:
                found.update(n for n in masked if isinstance(flow.nodes[n].stmt, ir.Assign))
    return frozenset(found)
