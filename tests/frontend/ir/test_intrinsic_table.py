"""What the table of intrinsics says of types, ranks and specific names, against gfortran."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.intrinsic_table import DIGAMMA, FUNCTIONS, IS_OF_TYPE, SPECIFIC, IntrinsicFunction
from snapset.frontend.ir.pretty_print import expr as printed

from tests.support.frontend.lowered import program

DECLARED = """
  real(8) :: d = 0.5d0
  real :: x = 0.25, v(3) = [0.1, 0.7, 0.4], m(2, 3) = reshape([1., 2., 3., 4., 5., 6.], [2, 3])
  complex :: c = (0.3, 0.4)
  complex(8) :: z = (0.5d0, 0.25d0)
  integer :: i = 5, j = 3, k(2) = [3, 2]
  logical :: l = .true.
  character(4) :: s = 'abca', one*1 = 'a'
  real, allocatable :: w(:)
  real, pointer :: p => null()
"""
# Arguments by their names, one of each that must be there; where a function wants others they stand below.
BY_NAME = {"x": "x", "y": "x", "a": "x", "b": "x", "p": "x", "z": "c", "i": "i", "j": "j", "n": "j", "pos": "1",
           "len": "2", "shift": "1", "string": "s", "substring": "'b'", "set": "'bc'", "c": "one", "array": "m",
           "mask": "m > 2.", "dim": "", "kind": "", "back": "", "matrix": "m", "source": "v", "vector_a": "v",
           "vector_b": "v", "ncopies": "2", "string_a": "s", "string_b": "'b'", "l": "l", "r": "7", "a1": "x",
           "a2": "d", "size": "", "s": "x", "mold": ""}
SAMPLES = {"merge": "m, 0., m > 2.", "merge_bits": "i, j, 5", "matmul": "m, transpose(m)", "spread": "v, 1, 2",
           "reshape": "v, [3, 1]", "pack": "m, m > 2.", "unpack": "v, [l, l], [x, x]", "cshift": "m, 1",
           "eoshift": "m, 1", "transfer": "x, i", "findloc": "v, 0.7", "scale": "x, 2", "set_exponent": "x, 2",
           "count": "m > 2., 1", "all": "m > 2.", "any": "m > 2., 1", "parity": "m > 2.", "iall": "k", "iany": "k",
           "iparity": "k", "sum": "m, 1", "maxval": "m, m > 2.", "maxloc": "v, 1", "achar": "65", "char": "65",
           "new_line": "s", "repeat": "s, 2", "conjg": "z", "abs": "z", "real": "z", "cmplx": "x, x, 8",
           "int": "d, 8", "logical": "l, 4", "acosh": "x + 2.", "dim": "x, x", "not": "i", "min": "d, x, x",
           "spacing": "d", "selected_real_kind": "7", "selected_char_kind": "'ASCII'", "allocated": "w",
           "associated": "p", "lbound": "m", "ubound": "m, 1", "size": "m, 1", "shape": "m", "huge": "i", "tiny": "d",
           "epsilon": "v", "dshiftl": "i, j, 2", "dshiftr": "i, j, 2", "dprod": "x, x", "norm2": "m, 1",
           "storage_size": "d", "is_contiguous": "m", "bit_size": "i", "iand": "k, j", "btest": "k, 1", "poppar": "k",
           "index": "s, 'b'", "digits": "x", "kind": "d", "radix": "x", "precision": "d", "range": "i",
           "is_iostat_end": "i", "is_iostat_eor": "i", "rank": "m", "loc": "x", "sizeof": "x", "len_trim": "s",
           "len": "s", "maxexponent": "x", "minexponent": "x", "exponent": "v", "dble": "z", "aimag": "z",
           "complex": "x, x", "sinh": "z", "asin": "v", "atan2": "v, x"}
# Only with a module, an image or an object that a small program has not; or newer than the compiler.
ELSEWHERE = {name for name in FUNCTIONS if name.startswith(("ieee_", "c_"))} | {
    "coshape", "compiler_version", "compiler_options", "present", "same_type_as", "extends_type_of", "image_index",
    "team_number", "lcobound", "ucobound", "get_team", "num_images", "this_image", "null", "reduce", "out_of_range",
    IS_OF_TYPE, DIGAMMA, "xor", "or", "and"}
SPECIFIC_SAMPLES = {"a": "x", "d": "d", "i": "i", "c": "c", "z": "z"}


def sample(function: IntrinsicFunction) -> str:
    given = SAMPLES.get(function.name)
    if given is None:
        given = ", ".join(filter(None, (BY_NAME[name] for name in function.arguments)))
    return f"{function.name}({given})"


def specific(name: str) -> str:
    """A reference by a specific name, its arguments of the type that this name asks for."""
    if name in ("float", "dfloat"):
        return f"{name}(i)"
    if name in ("sngl", "idint", "idnint"):
        return f"{name}(d)"
    if name in ("amax0", "amin0", "max0", "min0", "isign", "idim"):
        return f"{name}(i, j)"
    if name in ("max1", "min1"):
        return f"{name}(x, v(2))"
    if name in ("dreal", "dimag", "dconjg", "zabs", "cdabs") or name[0] == "z" or name[:2] == "cd":
        return f"{name}(z)"
    known = FUNCTIONS[SPECIFIC[name].generic]
    one = {"d": "d", "a": "x", "i": "i", "c": "c"}[name[0]] if name not in ("ifix", "imag") else {
        "ifix": "x", "imag": "c"}[name]
    one = f"1.5d0 + {one}" if name == "dacosh" else one
    count = sum(BY_NAME[argument] != "" for argument in known.arguments)
    return f"{name}({', '.join([one]*count)})"


def values() -> dict[str, ir.Expr]:
    """Every sample as it is lowered."""
    texts = [sample(one) for one in FUNCTIONS.values() if one.name not in ELSEWHERE]
    texts += [specific(name) for name in SPECIFIC if name not in ("dcmplx", "dlgamma")] + ["dcmplx(d, d)"]
    lines = "\n".join(f"  call use({text})" for text in texts)
    body = program(f"subroutine p\n{DECLARED}{lines}\nend").procedures["p"].body
    calls = [stmt for stmt in body if isinstance(stmt, ir.Call)]
    return {text: call.args[0].value for text, call in zip(texts, calls, strict=True)}


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran; test_gfortran_is_there says so")
def test_types_ranks_and_specific_names_are_gfortrans(tmp_path: Path) -> None:
    """The compiled program asks SHAPE and KIND of each reference; those by specific names must equal what is made of
    them."""
    lines = []
    found = values()
    for text, value in found.items():
        kind = type_of(value)
        size = (kind.bytes or 0) // (2 if kind.kind == "complex" else 1)
        lines.append(f"  call same('{text.replace(chr(39), '')}', size(shape({text})), {rank_of(value)})")
        if kind.kind in ("real", "complex", "integer", "logical"):
            lines.append(f"  call same('{text.replace(chr(39), '')}', kind({text}), {size})")
        if text.partition("(")[0] in SPECIFIC:
            lines.append(f"  if (abs({text} - {printed(value)}) > 1e-6) print *, '{text} is not {printed(value)}'")
    (tmp_path / "judge.f90").write_text(
        f"program judge\n  implicit none\n{DECLARED}" + "\n".join(lines) + "\ncontains\n"
        "subroutine same(what, there, here)\n  character(*) :: what\n  integer :: there, here\n"
        "  if (there /= here) print *, what, there, here\nend subroutine\nend program\n")
    done = subprocess.run(["gfortran", "-ffree-line-length-none", "-fdec-math", "-o", "judge", "judge.f90"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(found) > 200
    assert subprocess.run(["./judge"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout == ""


def test_no_reference_has_a_specific_name() -> None:
    for text, value in values().items():
        if isinstance(value, ir.Intrinsic):
            assert value.name in FUNCTIONS, text


OWN = """
subroutine s(x, y)
  real(8) :: x, y, {name}
  y = {name}(x)
end
real(8) function {name}(x)
  real(8) :: x
  {name} = x*x
end
"""


@pytest.mark.parametrize(("name", "own"), [("cotan", True), ("sind", True), ("dcotan", True), ("tan", False)])
def test_a_function_of_the_program_comes_before_an_intrinsic_that_few_compilers_have(name: str, own: bool) -> None:
    """As gfortran has it, which knows COTAN and SIND only with -fdec-math, and takes TAN for its own."""
    lowered = program(OWN.format(name=name)).procedures["s"].body
    assert any(name in stmt.targets for stmt in lowered if isinstance(stmt, ir.Call)) == own


def test_a_statement_function_may_have_the_name_of_an_intrinsic_that_few_compilers_have() -> None:
    lowered = program("subroutine s(x, y)\n  cotan(t) = 1./tan(t)\n  y = cotan(x)\nend").procedures["s"].body
    assert [printed(stmt.value) for stmt in lowered if isinstance(stmt, ir.Assign)] == ["(1.0 / tan(x))"]
