"""What the frontend accepts is written by a generator, or it is said here why not. Both sides are read off the code
(census.py), so a class, a field or a record that is added fails this until somebody writes it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from snapset.frontend.ir.intrinsic_table import FUNCTIONS
from snapset.frontend.ir.intrinsics import STOPPING, SUBROUTINES

from tests.generators import census
from tests.generators.constructs import programs as constructs
from tests.generators.constructs.programs import FEATURES
from tests.generators.rare import RARE

# Of 600 programs few that write all that these do: python -m tests.generators.census --few. Where generators have
# changed and these do not any more, it takes longer.
WITNESSES = {
    "rare": (10, 16, 18, 42, 44, 63, 67, 75, 76, 83, 84, 94, 98, 111, 150, 191, 198, 204),
    "constructs": (0, 4, 21, 23, 26, 40, 78, 81, 82, 83, 110), "further": (2, 46), "pointers": (0,), "recursion": (0,),
    "pairs": (0,), "sections": (1,), "edits": (27, 339),
}  # fmt: skip

REASONS = {
    "not understood, so nothing compares it; tests/frontend has cases":
        "Opaque Opaque.labels OpaqueExpr.reads Procedure.opaque",
    "procedures without source are not executed; tests/analysis/external has cases":
        "Signature.rank",
    "types of what is no variable: an allocation, an association": "Type.kind=allocation Type.kind=association",
    "always the same": "ProcedureRef.type",
    "only schedules ask for it; tests/analysis/loops has cases": "While.binomial",
    "a callback that nothing sets, behind its test; frontend/interprocedural/test_unset_pointers.py": "Stop.never",
    "fixed programs hold READ and WRITE against gfortran: tests/analysis/replay/texts, test_internal_files.py":
        "Transfer.described Transfer.message",
    "lowering makes an assignment of it, but for CLASS objects, whose source has the type": "Allocate.source",
}
STATEMENTS = {
    "replay refuses it, or it does nothing (docs/replay.md)": "inquire namelist wait pause",
    "needs coarrays, which gfortran has only when asked": "change team; critical",
}
CONSTANT = """kind digits maxexponent minexponent precision radix range bit_size storage_size selected_char_kind
    selected_int_kind selected_real_kind new_line"""
"""They become numbers when they are read; tests/frontend/ir folds them against gfortran."""
BY_THEMSELVES = """c_associated c_funloc c_loc extends_type_of same_type_as is_iostat_end is_iostat_eor loc
    command_argument_count _digamma iargc reduce selected_logical_kind sizeof c_sizeof"""
"""tests/analysis/replay/codegen/test_derivative_rules.py and test_values.py execute them one by one."""


def explained() -> dict[str, str]:
    """By construct, why no generator writes it."""
    found = {construct: why for why, names in REASONS.items() for construct in names.split()}
    found |= {f"statement {kind.strip()}": why for why, names in STATEMENTS.items()
              for kind in (names.split(";") if ";" in names else names.split())}
    found |= {f"intrinsic {name}": "a constant when it is read" for name in CONSTANT.split()}
    found |= {f"intrinsic {name}": "executed by itself in tests" for name in BY_THEMSELVES.split()}
    for name, one in FUNCTIONS.items():
        if not one.machine:
            found[f"intrinsic {name}"] = "the machine does not execute it: replay refuses it, and SN402 says so"
        elif one.yielding:
            found[f"intrinsic {name}"] = "not every compiler has it; test_derivative_rules.py compares it alone"
        elif name.startswith("ieee_"):
            found[f"intrinsic {name}"] = "of a module of the compiler's; test_derivative_rules.py compares it alone"
    found["intrinsic complex"] = found["intrinsic mvbits"] = "replay refuses it, though the table has it"
    written = ("move_alloc", "mvbits")
    found |= {f"intrinsic {name}": "asks or changes what is outside of the program: two runs differ"
              for name in (*SUBROUTINES, *STOPPING) if name not in written}
    return found


def programs() -> Iterator[set[str]]:
    """What they write: the witnesses, then some of each generator in turn."""
    make = census.generators()
    yield from (census.written(make[kind](number)) for kind, numbers in WITNESSES.items() for number in numbers)
    yield from (written for _, _, written in census.in_turns(range(census.TURNS)))


def listed() -> set[str]:
    return {construct for names in REASONS.values() for construct in names.split()}


def test_what_no_generator_writes_has_a_reason() -> None:
    """It ends when everything has been seen; in what was seen nothing is of which it is said that no generator writes
    it."""
    missing, reasons = set(census.accepted() - explained().keys()), listed()
    for written in programs():
        assert not written & reasons
        missing -= written
        if not missing:
            break
    assert sorted(missing) == []


@pytest.mark.wide
def test_a_reason_is_for_what_is_not_written() -> None:
    """Nor in the programs at which the test above need not look."""
    assert sorted(listed() & set[str]().union(*programs())) == []


def test_a_reason_is_for_what_there_is() -> None:
    assert listed() <= census.accepted()


def test_a_new_construct_is_missed() -> None:
    """Without the features that write them, what they are for is unwritten: the census sees what is there."""
    without = {"entry": "entries", "Case.rank": "assumed_rank", "Shape.any_rank": "assumed_rank",
               "ArithmeticIf": "jumps", "Procedure.absent": "absent_procedure"}
    assert {one.name for one in RARE} >= set(without.values())
    assert not {one.name for one in RARE} & {one.name for one in FEATURES}
    written = set[str]().union(*(census.written(constructs.program(number).text) for number in range(40)))
    assert not {"Case.rank", "Shape.any_rank", "ArithmeticIf", "Procedure.absent"} & written
