"""use, out and kill of one statement, and of a whole procedure, as records. Computed by
:mod:`snapset.analysis.procedures.statement_effects`.
"""

from __future__ import annotations

from snapset.analysis.dataflow.bitsets import EMPTY, May, Must
from snapset.frontend.base.frozen_records import frozen


@frozen(kw_only=True, quick=True)
class Effect:
    """What one statement does to memory: of ``y = x`` use is x, out and kill are y.

    ``use`` and ``out`` may be too large, ``kill`` may be too small.

    ``keep``: runs in the forward sweep whatever adjoint liveness says, because what comes later depends
    on it in ways no location shows: ``shaped``, the locations whose allocation or association it changes (but see
    :mod:`snapset.analysis.allocation.idle_allocations`), and what is ``unseen`` in the program's memory (the position
    of a file, the state of random numbers).
    ``everything``: reads and writes all the procedure can reach. ``globals``: besides what is listed,
    every global (a procedure without source). ``varies`` and ``counts``: what arrives from, and goes to, other
    processes, and so may carry derivatives that nothing here shows. ``completes``: the requests of messages that end
    here (MPI_WAIT), whose adjoints begin here. ``talks``: any of these three, also of a callee's own variables.
    """

    use: May = EMPTY
    out: May = EMPTY
    kill: Must = EMPTY
    keep: bool = False
    shaped: May = EMPTY
    unseen: bool = False
    everything: bool = False
    globals: bool = False
    varies: May = EMPTY
    counts: May = EMPTY
    completes: May = EMPTY
    talks: bool = False

    @property
    def changed(self) -> May:
        """What may have another value behind it: ``out``, and the index of a DO CONCURRENT or FORALL. That lives in the
        construct alone, so it is in no ``out``; but ``b(at(q))`` is another element in each of its iterations."""
        return May(self.out | self.kill)


NO_EFFECT = Effect()


@frozen(kw_only=True)
class Summary:
    """A whole procedure as its callers see it, in its own numbering.

    ``use``: may be read before it is written. ``out``: may be written. ``kill``: certainly written whole.
    ``shaped`` and ``unseen``: what makes a call run whether its values are needed or not, as in
    :class:`~snapset.analysis.procedures.effect_sets.Effect`, which has ``completes`` and ``talks``, too. ``returns``:
    does any way lead to its end?
    """

    use: May
    out: May
    kill: Must
    shaped: May
    unseen: bool
    completes: May = EMPTY
    talks: bool = False
    returns: bool = True
