"""One spelling of every keyword, in free form."""

from __future__ import annotations

import pytest

from tests.support.frontend.reading_help import free


@pytest.mark.parametrize(
    ("source", "spelled"),
    [
        ("ENDIF", "end if"),
        ("enddo outer", "end do outer"),
        ("end  do", "end do"),
        ("endsubroutine foo", "end subroutine foo"),
        ("endfunction", "end function"),
        ("endblockdata b", "end block data b"),
        ("end block data", "end block data"),
        ("endblock", "end block"),
        ("endselect", "end select"),
        ("endwhere", "end where"),
        ("endtype t", "end type t"),
        ("endinterface operator(+)", "end interface operator(+)"),
        ("end", "end"),
        ("endfile 10", "endfile 10"),
        ("end file(10)", "endfile (10)"),
        ("elseif(a)then", "else if (a) then"),
        ("else  if (a) then name", "else if (a) then name"),
        ("else", "else"),
        ("else where(m)", "elsewhere (m)"),
        ("elsewhere", "elsewhere"),
        ("goto 10", "goto 10"),
        ("go to (10, 20), i", "goto (10, 20), i"),
        ("if(a)then", "if (a) then"),
        ("if (a(f(x(1)))) goto 10", "if (a(f(x(1)))) goto 10"),
        ("if(a)go to 10", "if (a) goto 10"),
        ("if(x)10,20,30", "if (x) 10,20,30"),
        ("selectcase(i)", "select case (i)"),
        ("select type(p=>q)", "select type (p=>q)"),
        ("doubleprecision x", "double precision x"),
        ("pure doubleprecision function f(x)", "pure double precision function f(x)"),
        ("blockdata", "block data"),
        ("blockdata b", "block data b"),
        ("errorstop 1", "error stop 1"),
        ("dowhile(x<1)", "do while (x<1)"),
        ("do concurrent(i=1:n)", "do concurrent (i=1:n)"),
        ("do 10,i=1,n", "do 10 i=1,n"),
        ("do 10 while(x)", "do 10 while (x)"),
        ("do10 = 1", "do10 = 1"),
        ("do", "do"),
        ("where(m) a = b", "where (m) a = b"),
        ("forall(i=1:n)a(i)=i", "forall (i=1:n) a(i)=i"),
    ],
)
def test_spelling(source: str, spelled: str) -> None:
    assert free(source) == [spelled]


@pytest.mark.parametrize(
    "assignment",
    ["if(i) = 3", "endif = 2", "end = 1", "goto = 1", "do = 2", "where(i)%x(2) = 1", "else(1) = 0", "enddo => p",
     "doubleprecision = 1", "select(1)(2:3) = 'AB'", "call = f(if(1))"],
)
def test_no_word_is_reserved(assignment: str) -> None:
    assert free(assignment) == [assignment]


def test_a_comparison_is_no_assignment() -> None:
    assert free("if(a == b)goto 10", "dowhile(i==3)") == ["if (a == b) goto 10", "do while (i==3)"]


def test_words_that_only_begin_like_keywords() -> None:
    kept = ["call enddoit(x)", "use endings", "print *, endif", "endings = 1", "type(t) :: elsewhere"]
    assert free(*kept) == kept
