"""All claims put to the prover; the answer compared with what is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from snapset.analysis.proof.claims import Claim
from snapset.analysis.proof.nesting_claims import two_checkpoints
from snapset.analysis.proof.prover import condition, refutations
from snapset.analysis.proof.published_formulas import FORMULAS, Theory
from snapset.analysis.proof.set_notation import shown
from snapset.analysis.proof.solution_claims import one_checkpoint
from snapset.analysis.proof.witness_programs import Witness, witness
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.nearest_name import nearest

LIMIT = 64
"""Counterexamples listed of one claim at most; those on record have up to 26."""


@frozen
class Counterexample:
    """A location in the sets ``inside`` and not in the sets ``outside``: there the claim fails.

    ``choice``: the sets that hold the location in the choice that shows it, the smallest such choice.
    ``witness``: a program with such a location, None where none is on record.
    """

    inside: tuple[str, ...]
    outside: tuple[str, ...]
    choice: tuple[str, ...]
    witness: Witness | None


@frozen
class Verdict:
    """What the prover found about one claim.

    ``where``: the sets that hold the locations for which it fails, exactly, as a formula. ``complete``: are
    all counterexamples listed? Of a claim that fails in a great many ways they are not, and ``where`` is None.
    """

    id: str
    statement: str
    hypothesis: str
    holds: bool
    recorded: bool
    where: str | None
    counterexamples: tuple[Counterexample, ...]
    complete: bool

    @property
    def as_recorded(self) -> bool:
        return self.holds == self.recorded


def all_claims() -> tuple[Claim, ...]:
    """Every claim, in the order of the paper."""
    return (*one_checkpoint(), *two_checkpoints())


def verify(ids: Iterable[str] | None = None, formulas: Mapping[str, str] = FORMULAS) -> tuple[Verdict, ...]:
    """Prove or refute the claims with these ids (default: all of them).

    Args:
        ids: from ``all_claims()``; the order of the claims is kept.
        formulas: what is to be verified, in the notation and with the names of ``theory.FORMULAS``.

    Raises:
        ValueError: an id that no claim has, or a formula that cannot be read.
    """
    collections("verify", ids=ids, formulas=formulas)
    claims = all_claims()
    wanted = {one.id for one in claims} if ids is None else set(ids)
    if unknown := sorted(wanted - {one.id for one in claims}):
        raise ValueError(f"no such claim: {', '.join(unknown)}{nearest(unknown[0], (one.id for one in claims))}")
    theory = Theory(formulas)
    return tuple(_verdict(one, theory) for one in claims if one.id in wanted)


def _verdict(claim: Claim, theory: Theory) -> Verdict:
    query = claim.query(theory)
    models = refutations(query, LIMIT + 1)
    complete = len(models) <= LIMIT
    found = tuple(Counterexample(m.inside, m.outside, m.choice, witness(claim.id, m)) for m in models[:LIMIT])
    where = shown(condition(query)) if models and complete else None
    return Verdict(claim.id, claim.statement, claim.hypothesis, not models, claim.holds, where, found, complete)
