"""Declared lists: what they lack and what they hold for nothing, against brute force over DH (1) with a program's own
six sets, against figures derived by hand, and as MITgcm writes them."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from snapset.analysis.equations import PartSets, SnapshotChoice, is_valid
from snapset.analysis.results import HeadResult, Part
from snapset.cli.main import main
from snapset.frontend.base.diagnostics import Diagnostic, InputError
from snapset.library.analysis import Choices, report

from tests.support.corpus import CORPUS, parse_expected

PROGRAMS = ("burgers_region", "calls", "nested", "module_hidden", "straight_line", "mix_wins", "eager_wins",
            "fixed_form", "loop_part", pytest.param("limiter", marks=pytest.mark.wide))  # three seconds


def said(result: HeadResult, code: str) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.code == code]


def choices_at(part: Part, name: str) -> list[tuple[bool, ...]]:
    """Every (Sbk, Snp, Req_D, Req_C) that keeps one location right: all 16 tried against (4) and (5)."""
    sets = part.sets
    row = [name in one for one in (sets.req, sets.out_c, sets.out_dbar, sets.out_cbar, sets.use_cbar)]
    return [one for one in product((False, True), repeat=4)
            if is_valid(PartSets.of(map(int, row)), SnapshotChoice.of(map(int, one)))]


def names_of(part: Part) -> list[str]:
    every = {name for one in (part.sets.req, part.sets.use_c, part.sets.out_c, part.sets.use_cbar, part.sets.out_cbar,
                              part.sets.use_dbar, part.sets.out_dbar) for name in one}
    return sorted(name for name in every if "@" not in name)  # those of temporaries cannot be written


def declared(source: Path, part: Part, names: list[str], directory: Path) -> Path:
    """The program with a list beside one part."""
    lines = source.read_text().splitlines()
    at = part.first_line - 1
    if part.kind == "region":
        at = max(number for number in range(at) if "checkpoint-start" in lines[number].lower())
    fixed = source.suffix == ".f"
    text = "C$SNAPSET SAVES(" if fixed else "!$snapset saves("
    path = directory / source.name
    path.write_text("\n".join([*lines[:at], f"{text}{', '.join(names)})", *lines[at:]]) + "\n")
    return path


@pytest.mark.sample(3)
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_said_is_what_every_choice_says(program: str, tmp_path: Path) -> None:
    (source,) = (path for path in CORPUS.glob(f"{program}.*") if path.suffix != ".expected")
    head = parse_expected((CORPUS / f"{program}.expected").read_text()).head
    plain = report([str(source)], head, Choices(strategies="lazy"))
    assert plain.parts
    for part in plain.parts:
        ways = {name: choices_at(part, name) for name in names_of(part) if name not in part.sets.intact}
        must = {name for name, every in ways.items() if all(snp or sbk for sbk, snp, _, _ in every)}
        never = {name for name, every in ways.items() if (False,)*4 in every}
        for given in (sorted(ways), sorted(must), sorted(must)[1:], []):
            path = declared(source, part, given, tmp_path)
            result = report([str(path)], head, Choices(strategies="lazy"))
            lacks = {one.message.split()[2].split("(")[0].rstrip(",") for one in said(result, "SN701")}
            surplus = {one.message.split()[2].rstrip(",") for one in said(result, "SN702")}
            assert lacks == {name.split("(")[0] for name in must - set(given)}, (part.id, given)
            assert surplus == never & set(given), (part.id, given)
            assert not said(result, "SN703")


TWICE = """
subroutine p(x, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n)
  integer :: i
  a = x
  b = x*x
{list}
  !$AD CHECKPOINT-START
  do i = 2, n-1
    a(i) = a(i)*a(i-1)
  end do
  y = sum(a*b)
  !$AD CHECKPOINT-END
  y = y*y
end subroutine
"""


def remarks(text: str, tmp_path: Path, head: str = "p(x)>(y)", name: str = "a.f90") -> list[tuple[str, str]]:
    path = tmp_path / name
    path.write_text(text.lstrip("\n"))
    result = report([str(path)], head, Choices(strategies="lazy"))
    return [(one.code, one.message) for one in result.diagnostics if one.code.startswith("SN7")]


@pytest.mark.parametrize(("listed", "codes"), [
    ("a", []), ("a(:)", []), ("a(2:n-1)", []), ("a(1:n)", []), ("a(2:n)", []), ("A( 2 : n - 1 )", []),
    ("a(3:n-1)", ["SN701"]), ("a(2:n-2)", ["SN701"]), ("a(2)", ["SN703"]), ("a(2:m)", ["SN703"]),
    ("a(2:n-1:1)", ["SN703"]), ("", ["SN701"]), ("b", ["SN701", "SN702"]), ("a, c", ["SN703"]), ("a, i+1", ["SN703"]),
])
def test_sections(listed: str, codes: list[str], tmp_path: Path) -> None:
    """The loop overwrites a(2:n-1), derived by hand; m is not known to be n-1, a(2) is a(2:n-1) where n is 3."""
    found = remarks(TWICE.format(list=f"  !$SNAPSET SAVES({listed})"), tmp_path)
    assert sorted(code for code, _ in found) == codes, found


def test_the_message_names_bytes_and_both_statements(tmp_path: Path) -> None:
    ((_, text),) = remarks(TWICE.format(list="  !$SNAPSET SAVES()"), tmp_path)
    assert "SAVES lacks a(2:n-1), 8*n - 16 bytes, at p@11" in text
    assert text.count("a.f90:12") == 2
    assert "overwrites it" in text
    assert "adjoint that reads it" in text
    ((_, text),) = remarks(TWICE.format(list="  !$SNAPSET SAVES(a, b)"), tmp_path)
    assert "SAVES has b, 8*n bytes, which need not be saved" in text


def test_a_list_may_be_continued_and_several_are_one(tmp_path: Path) -> None:
    two = "  !$SNAPSET SAVES(a(2: &\n  !$SNAPSET &    n-1)) ! what the loop writes"
    assert remarks(TWICE.format(list=two), tmp_path) == []
    assert remarks(TWICE.format(list="  !$SNAPSET SAVES()\n  !$SNAPSET SAVES(a)"), tmp_path) == []


def test_a_list_without_parentheses_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.f90:9:3: error: SAVES needs its names in parentheses"):
        remarks(TWICE.format(list="  !$SNAPSET SAVES a"), tmp_path)


def test_what_begins_no_part_is_not_judged(tmp_path: Path) -> None:
    text = TWICE.format(list="").replace("  y = y*y", "  !$SNAPSET SAVES(y)\n  y = y*y")
    assert [code for code, _ in remarks(text, tmp_path)] == ["SN703"]


def test_a_list_at_the_end_of_a_loop_is_not_judged(tmp_path: Path) -> None:
    """END DO begins nothing: there is nothing in the flow graph that the list could stand before."""
    text = TWICE.format(list="").replace("  y = y*y\n", "  do i = 1, n\n    y = y + 1\n  !$SNAPSET SAVES(y)\n"
                                         "  end do\n  y = y*y\n")
    assert "SAVES" in text
    assert [code for code, _ in remarks(text, tmp_path)] == ["SN703"]


NESTED = """
subroutine p(x, y)
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
{outer}
  !$AD CHECKPOINT-START
{inner}
  !$AD CHECKPOINT-START
{call}
  call square(x)
  x = x*x
  !$AD CHECKPOINT-END
  x = x*x
  !$AD CHECKPOINT-END
  y = x*x
end subroutine
subroutine square(x)
  real(8), intent(inout) :: x
  x = x*x
end subroutine
"""


@pytest.mark.parametrize(("place", "part"), [("outer", "p@9"), ("inner", "p@9#2"), ("call", "p@9#3")])
def test_parts_that_begin_with_one_statement_are_told_apart(place: str, part: str, tmp_path: Path) -> None:
    lists = dict.fromkeys(("outer", "inner", "call"), "") | {place: "  !$SNAPSET SAVES()"}
    ((code, text),) = remarks(NESTED.format(**lists), tmp_path)
    assert code == "SN701"
    assert f"at {part}:" in text


def test_what_is_lacking_only_because_of_unknown_code_is_no_error(tmp_path: Path) -> None:
    text = TWICE.format(list="  !$SNAPSET SAVES()").replace("  y = sum(a*b)", "  call outside\n  y = sum(a*b)").replace(
        "real(8) :: a(n), b(n)", "common /all/ c\n  real(8) :: a(n), b(n), c").replace("y = y*y", "y = y*y*c")
    assert sorted(code for code, _ in remarks(text, tmp_path)) == ["SN701", "SN703"]


MITGCM = """
#define ALLOW_TAMC
      SUBROUTINE STEP( theta, salt, rho, myThid )
      INTEGER Nx, Nr
      PARAMETER ( Nx = 8, Nr = 4 )
      REAL*8 theta(Nx,Nr), salt(Nx,Nr), rho(Nx,Nr)
      INTEGER k, kkey, myThid
      DO k=1,Nr
#ifdef ALLOW_TAMC
         kkey = k
#endif
#ifdef ALLOW_TAMC
CADJ STORE theta(:,k) =
CADJ &     comlev1_bibj_k, key = kkey, kind = isbyte
CADJ STORE salt (:,k) = comlev1_bibj_k, key=kkey,
CADJ &     byte=isbyte
#endif
#ifdef NEVER
CADJ STORE rho = comlev1_bibj_k, key=kkey, byte=isbyte
#endif
CADJ loop = sequential
CADJ &     even
         CALL MIX( theta(1,k), salt(1,k), Nx )
      ENDDO
#ifdef ALLOW_TAMC
{list}
#endif
      DO k=1,Nr
         rho(:,k) = theta(:,k)*salt(:,k)
      ENDDO
      END
      SUBROUTINE MIX( t, s, n )
      INTEGER n, i
      REAL*8 t(n), s(n)
      DO i=1,n
        t(i) = t(i)*s(i)
      ENDDO
      END
"""


def test_mitgcm_writes_them_so(tmp_path: Path) -> None:
    """salt is stored for nothing, nothing overwrites it. Before a loop, the adjoint of rho = theta*salt reads theta,
    nothing reads rho."""
    text = MITGCM.format(list="cadj store theta, rho = comlev1, key = 1")
    found = remarks(text, tmp_path, "step(theta, salt)>(rho)", "step.F")
    assert [(code, message.split()[2].rstrip(",")) for code, message in found] == [
        ("SN702", "salt(:,k)"), ("SN702", "rho")]


HALOS = """
#define ALLOW_TAMC
#define ALLOW_SALT
      SUBROUTINE STEP( theta, salt, rho, bi )
      INTEGER OLx, sNx, Nr
      PARAMETER ( OLx = 2, sNx = 6, Nr = 3 )
      REAL*8 theta(1-OLx:sNx+OLx,Nr,2), salt(1-OLx:sNx+OLx,Nr,2), rho(Nr)
      INTEGER k, bi, tkey
      DO k=1,Nr
#ifdef ALLOW_TAMC
       tkey = k + (bi-1)*Nr
CADJ STORE theta({bounds},:,bi) =
C     a remark between the two
CADJ &     comlev1_bibj, key = (tkey - 1)*Nr + 1, kind = isbyte ! = all
CADJ STORE
#ifdef ALLOW_SALT
CADJ &   salt(:,:,bi),
#endif
#ifdef NEVER
CADJ &   rho,
#endif
CADJ &   tkey = comlev1_bibj , key=tkey, byte=isbyte
#endif /* ALLOW_TAMC */
       CALL MIX( theta(1,1,bi), salt(1,1,bi) )
       rho(k) = theta(1,1,bi)*salt(2,1,bi)
      ENDDO
      END
      SUBROUTINE MIX( t, s )
      REAL*8 t(3), s(3)
      t = t*s
      s = SIN(t)*s
      END
"""


@pytest.mark.parametrize(("bounds", "codes"), [
    ("1-OLx:sNx+OLx", []), ("1:sNx", []), ("1:Nr", []), ("1:Nr-1", ["SN701"]), ("2-OLx:sNx", [])])
def test_bounds_of_mitgcm_are_numbers(bounds: str, codes: list[str], tmp_path: Path) -> None:
    """MIX changes the first three of theta: a list whose constants say that it has them is no list of which nobody
    knows."""
    found = remarks(HALOS.format(bounds=bounds), tmp_path, "step(theta, salt)>(rho)", "step.F")
    assert [code for code, message in found if "theta" in message] == codes
    assert [message.split()[2].rstrip(",") for code, message in found if code == "SN702"] == ["tkey"]


def test_mitgcm_lists_lack_something(tmp_path: Path) -> None:
    stored = "CADJ STORE theta(:,k) =\nCADJ &     comlev1_bibj_k, key = kkey, kind = isbyte\n"
    text = MITGCM.format(list="").replace(stored, "")
    found = remarks(text, tmp_path, "step(theta, salt)>(rho)", "step.F")
    assert [code for code, _ in found] == ["SN701", "SN702"]
    assert "STORE lacks theta" in found[0][1]


def test_report_and_check_end_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                     capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["a.f90", "--head", "p(x)>(y)", "--no-cache", "--quiet"]
    for listed, code in (("", 1), ("a", 0), ("a, b", 0)):
        Path("a.f90").write_text(TWICE.format(list=f"  !$SNAPSET SAVES({listed})").lstrip("\n"))
        for form in ("text", "json", "sarif", "html"):
            assert main(["report", *options, "--format", form]) == code, form
        capsys.readouterr()
        assert main(["check", *options, "--update"]) == code  # written, but an error is not accepted with it
        capsys.readouterr()
        assert main(["check", *options]) == code
        out = capsys.readouterr().out
        assert ("error SN701: SAVES lacks a(2:n-1)" in out) == bool(code)
        assert main(["check", *options, "--format", "json"]) == code
        assert len(json.loads(capsys.readouterr().out)["findings"]) == code
    Path("a.f90").write_text(TWICE.format(list="  !$SNAPSET SAVES() ! snapset: ignore[SN701]").lstrip("\n"))
    assert main(["report", *options]) == 0


def test_a_warm_report_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                     capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNAPSET_CACHE_DIR", str(tmp_path / "cache"))
    options = ["report", "a.f90", "--head", "p(x)>(y)", "--quiet"]
    said = []
    for listed in ("", "", "a", "", "b"):
        Path("a.f90").write_text(TWICE.format(list=f"  !$SNAPSET SAVES({listed})").lstrip("\n"))
        said.append((main(options), capsys.readouterr().out.count("SN701")))
    assert said == [(1, 1), (1, 1), (0, 0), (1, 1), (1, 1)]


ELSEWHERE = """
      SUBROUTINE GROW( t, h, n )
      INTEGER n, k
      REAL*8 t(4), h(4,n), a(4), f
      DO k=1,n
{before}
        CALL BUDGET( t, a )
{behind}
        IF (t(1).GT.2.) THEN
{branch}
          f = 2.
        ENDIF
        h(:,k) = a*a
{last}
        t = t + a
      ENDDO
      END
      SUBROUTINE BUDGET( t, a )
      REAL*8 t(4), a(4)
      a = SIN(t)
      END
"""
STORE = "CADJ STORE {} = tape, key = k"


@pytest.mark.parametrize(("place", "name", "code"), [
    ("before", "a", None), ("behind", "a", None), ("behind", "a(:)", None), ("behind", "a(1:4)", None),
    ("behind", "a(1:3)", "SN703"),
    ("behind", "t", "SN701"), ("branch", "a", "SN701"), ("last", "a", "SN701"),
])
def test_a_store_behind_the_part_keeps_what_the_statements_after_it_read(place: str, name: str, code: str | None,
                                                                         tmp_path: Path) -> None:
    """The adjoint of a*a reads a, which the call of the next turn overwrites: the list before the call need not have
    it where another one stores it in each turn between the two."""
    lists = dict.fromkeys(("before", "behind", "branch", "last"), "")
    lists["before"] = STORE.format("t")
    lists[place] += ("\n" if lists[place] else "") + STORE.format(name)
    found = remarks(ELSEWHERE.format(**lists), tmp_path, "grow(t)>(h)", "grow.F")
    about = [(one, message) for one, message in found if "lacks a" in message]
    assert [one for one, _ in about] == ([code] if code else []), found
    assert all("unless TAF computes it again" in message for one, message in about if one == "SN701")
