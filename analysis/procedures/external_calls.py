"""use, out and kill of a call whose procedure has no source: by what is declared of it, else by what it could do."""

from __future__ import annotations

from dataclasses import replace

from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, exactly, members, set_of, union
from snapset.analysis.external.declared_effects import READ, RECEIVED, SENT, WRITTEN
from snapset.analysis.memory.references import References
from snapset.analysis.messages.mpi_calls import completed_requests
from snapset.analysis.procedures.call_binding import CallSite
from snapset.analysis.procedures.effect_sets import Effect
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span


def outside_effect(site: CallSite, refs: References) -> Effect:
    """What a call that runs no procedure with source may do.

    Nothing declared: it may read and write its arguments (but for what is INTENT(IN) here) and everything global;
    so may one that is passed a procedure, which it may call.
    """
    stmt = site.stmt
    words = None if site.declared is None else site.declared.of(stmt.args)
    if words is None or any(isinstance(a.value, ir.ProcedureRef) for a in stmt.args):
        return Effect(use=site.reads | site.written, out=site.written & ~_protected(stmt, refs), keep=True, unseen=True,
                      globals=True)
    assert site.declared is not None
    use, kill = site.reads, Must(EMPTY)
    out = varies = counts = May(EMPTY)
    for word, argument in zip(words, stmt.args, strict=True):
        if isinstance(argument.value, ir.Ref):
            touch = refs.passed(argument.value)
            use |= touch.bits if word in READ else EMPTY
            out |= touch.bits if word in WRITTEN else EMPTY
            if word in WRITTEN and site.declared.formals:  # an interface: the dummy argument may be a pointer
                out |= refs.descriptor(argument.value).bits  # or allocatable
            kill |= touch.certain if word == "out" and argument.value.rank == 0 else EMPTY
            varies |= touch.bits if word in RECEIVED else EMPTY
            counts |= touch.bits if word in SENT else EMPTY
    if stmt.result is not None:
        result = exactly(refs.touch(stmt.result).bits)  # a temporary of its own
        out, kill = out | result, kill | result
    everything = site.declared.everything_global
    keep = not site.declared.skippable
    completes = union(refs.passed(one).bits for one in completed_requests(stmt))
    return Effect(use=use, out=out, kill=kill, keep=keep, unseen=keep, globals=everything, varies=varies, counts=counts,
                  completes=completes, talks=bool(varies | counts | completes))


def started_effect(site: CallSite, refs: References, prepared: tuple[tuple[ir.Ref, bool, Span], ...]) -> Effect:
    """What MPI_START does: it sends and receives what was prepared, in buffers that its own arguments do not show.
    ``prepared``: those of the same procedure, and whether they receive. Where there are none, they are somewhere
    else: anything. From an element passed on the buffer goes on as far as the array does."""
    found = outside_effect(site, refs)
    if not prepared:
        return Effect(use=found.use, out=found.out, keep=True, unseen=True, everything=True, talks=True)
    use, out, varies, counts = found.use, found.out, found.varies, found.counts
    for buffer, receives, _ in prepared:
        bits = refs.passed(buffer).bits
        if receives:
            out, varies = out | bits, varies | bits
        else:
            use, counts = use | bits, counts | bits
    return replace(found, use=use, out=out, varies=varies, counts=counts, talks=True)


def _protected(stmt: ir.Call, refs: References) -> Must:
    """What no procedure may change: INTENT(IN) arguments of the caller, but for what pointers lead to."""
    total: Must = EMPTY
    for argument in stmt.args:
        if isinstance(argument.value, ir.Ref):
            variable = refs.variables.get(argument.value.name)
            if variable is not None and variable.intent == "in":
                passed = refs.passed(argument.value).bits
                total |= set_of(i for i in members(passed) if not refs.space.infos[i].indirect)
    return total
