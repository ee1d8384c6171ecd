"""Evidence as data. ``u`` is in use(C̄) of a part because the adjoint of line 14 reads it:

    Chain("use(C̄)", (EvidenceStep("burgers.f90", 14, "burgers", READS, "u", "by the derivative of u(i)*u(i)", (4, 6)),))
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from snapset.frontend.base.frozen_records import frozen

Role: TypeAlias = Literal["adjoint reads", "reads", "overwrites", "calls", "part", "unknown", "ends", "again"]

SETS: Final = ("Req", "use(C̄)", "out(C)", "out(C̄)", "out(D̄)")


@frozen
class EvidenceStep:
    """What one statement does to a location.

    ``adjoint reads``: its derivative reads the value; ``reads``: it runs, and reads it; ``overwrites``; ``calls``: the
    location goes into a procedure, where the next step stands; ``part``: into a checkpointed part; ``unknown``: what is
    done there is not known, so everything may be; ``ends``: a variable that ends with its procedure; ``again``:
    something is computed again from it. ``location``: as ``procedure`` (a key) names it. ``note``: more, in words.
    ``path``: the nodes of the procedure's flow graph from where the chain enters it to the statement: in that order, or
    against it for what lies before the part. ``lines``: theirs.
    """

    file: str
    line: int
    procedure: str
    role: Role
    location: str
    note: str = ""
    path: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()

    def __str__(self) -> str:
        """``burgers.f90:17 overwrites u``"""
        more = f" ({self.note})" if self.note else ""
        return f"{self.file}:{self.line} {self.role} {self.location}{more}"


@frozen
class Chain:
    """How a location comes into one of a part's sets: calls and parts on the way, at last the statement. No ``steps``:
    nothing that is shown here puts it there (an over-approximation)."""

    set: str
    steps: tuple[EvidenceStep, ...]

    @property
    def last(self) -> EvidenceStep | None:
        """The statement that all comes down to."""
        return self.steps[-1] if self.steps else None

    def __str__(self) -> str:
        """``out(C): burgers.f90:17 overwrites u``"""
        return f"{self.set}: {'; '.join(map(str, self.steps))}"
