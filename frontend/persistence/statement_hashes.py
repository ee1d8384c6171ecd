"""A hash of what analyses of a procedure can depend on of its text."""

from __future__ import annotations

from os import urandom

from snapset.frontend import ir
from snapset.frontend.interprocedural.lazy_procedures import source_of
from snapset.frontend.persistence.fingerprint import SIZE, digest
from snapset.frontend.persistence.serialization import dumps


def statements_hash(procedure: ir.Procedure) -> bytes:
    """A hash of a procedure's statements, wherever it stands, and of what is declared in others that it names.

    A procedure that did not come through the cache, or is nested deeper than pickle goes, has another one each time: so
    nothing that is kept fits it.
    """
    source = source_of(procedure)
    if source is None:
        return urandom(SIZE)
    if not source.changed:
        return source.digest
    try:
        return digest("changed", source.digest, dumps((procedure.body, dict(procedure.variables)), procedure.span))
    except RecursionError:
        return urandom(SIZE)
