"""How large INTEGER, LOGICAL, REAL and COMPLEX are where a program gives no kind.

Example: with ``DefaultKinds(real=8)``, what ``-r8`` asks for, ``real :: x`` is one of ``real(8)`` and ``1.0`` a
constant of it, while ``real(4)``, ``real*4`` and ``double precision`` stay what they are.
"""

from __future__ import annotations

from snapset.frontend.base.frozen_records import frozen


@frozen
class DefaultKinds:
    """Kind numbers, which are bytes; a LOGICAL is as large as an INTEGER, a COMPLEX as two REALs."""

    integer: int = 4
    real: int = 4

    def bytes_of(self, kind: str) -> int:
        """Of one element of a default type."""
        return {"integer": self.integer, "logical": self.integer, "real": self.real, "complex": 2 * self.real}[kind]


STANDARD = DefaultKinds()
"""Of four bytes each, as compilers have them without options."""
