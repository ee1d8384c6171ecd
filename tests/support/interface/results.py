"""Results made by hand, for the tests of what renders and compares them."""

from __future__ import annotations

from dataclasses import replace

from snapset.analysis.results import ControlEntry, HeadResult, OptionalSets, Part, Sets, Solution, TapeEntry
from snapset.analysis.symbolic.polynomials import Quantity, add, named, product
from snapset.frontend.base.diagnostics import Diagnostic, Span


def size(factor: int, *names: str) -> Quantity:
    """``size(8, "n")`` is 8*n."""
    return product(map(named, names)).scaled(factor)


def plus(*amounts: Quantity) -> Quantity:
    return add(*amounts)


FILE = "burgers_region.f90"
OPTIONS = OptionalSets(snp0=("u",), opt1=(), opt2=(), opt3=("nu",))
RECORDED = ControlEntry(FILE, 12, "trip count", "D", size(4))

LAZY = Solution(
    req=(),
    options=OPTIONS,
    snp=("u",),
    sbk=(),
    req_d=("nu",),
    req_c=(),
    snapshot_bytes=size(8, "n"),
    peak_bytes=None,
    traffic_bytes=None,
    tape=(TapeEntry(FILE, 21, "nu", "D", size(8, "nsteps")), TapeEntry(FILE, 25, "cost", "D", None)),
    control=(RECORDED,),
    sizes={"u": size(8, "n")},
)
EAGER = replace(
    LAZY,
    snp=("nu", "u"),
    req_d=(),
    snapshot_bytes=plus(size(8, "n"), size(8)),
    tape=(),
    sizes={"nu": size(8), "u": size(8, "n")},
)
READ = Diagnostic(
    "SN101", "warning", "READ in a part that runs twice reads the next record; move it out", Span(FILE, 15, 15, 7)
)
PART = Part(
    id="burgers@14",
    kind="region",
    procedure="burgers",
    callee=None,
    parent=None,
    file=FILE,
    first_line=14,
    last_line=19,
    sets=Sets(
        req=(),
        use_c=("dt", "n", "nu", "u"),
        out_c=("flux", "u"),
        use_cbar=("dt", "n", "nu", "u"),
        out_cbar=("flux", "u"),
        use_dbar=("dt", "n", "nu", "u"),
        out_dbar=("cost", "nu", "u"),
    ),
    options=OPTIONS,
    solutions={"lazy": LAZY, "eager": EAGER},
    diagnostics=(READ,),
)
UNKNOWN_CALL = Diagnostic("SN205", "warning", "no source of plot: taken to read and write all", Span(FILE, 3, 3))
RESULT = HeadResult(
    head="burgers(u)>(cost)", parts=(PART,), strategies=("lazy", "eager"), diagnostics=(UNKNOWN_CALL,)
)
