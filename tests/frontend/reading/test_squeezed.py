"""Fixed form without or with misplaced blanks: statements as free form has them."""

from __future__ import annotations

import pytest

from tests.support.frontend.reading_help import fixed, lines


@pytest.mark.parametrize(
    ("source", "spelled"),
    [
        ("DO10I=1,5", "do 10 i=1,5"),
        ("DO 10 I = 1, 5", "do 10 i = 1, 5"),
        ("D O 1 0, I = 1, N", "do 10 i = 1, n"),
        ("DO10I=1.5", "do10i=1.5"),
        ("DO 10 I = 1.5", "do10i=1.5"),
        ("DO I=X(1,2)", "doi=x(1,2)"),
        ("DOI=X(1,2),N", "do i=x(1,2),n"),
        ("DOWHILE(X.LT.1)", "do while (x.lt.1)"),
        ("DO10WHILE(X)", "do 10 while (x)"),
        ("DO", "do"),
        ("DO 10", "do 10"),
        ("GOTO50", "goto 50"),
        ("GO TO 50", "goto 50"),
        ("G O T O(1 0,2 0),I", "goto (10,20),i"),
        ("CALLFOO(X)", "call foo(x)"),
        ("CALL FOO( A, B )", "call foo( a, b )"),
        ("C A L L FOO", "call foo"),
        ("ENDIF", "end if"),
        ("E N D I F", "end if"),
        ("ENDDOOUTER", "end do outer"),
        ("E N D", "end"),
        ("END SUBROUTINE F O O", "end subroutine foo"),
        ("ENDBLOCKDATA", "end block data"),
        ("ENDINTERFACEOPERATOR(+)", "end interface operator(+)"),
        ("ENDFILE10", "endfile 10"),
        ("ELSEIF(X)THEN", "else if (x) then"),
        ("ELSE", "else"),
        ("ELSE WHERE", "elsewhere"),
        ("IF(X)THEN", "if (x) then"),
        ("IF (A .EQ. B) GO TO 1 0", "if (a .eq. b) goto 10"),
        ("IF (A . EQ . B) CALLFOO", "if (a.eq.b) call foo"),
        ("IF(X)10,20,30", "if (x) 10,20,30"),
        ("IF (X) Y = 1", "if (x) y = 1"),
        ("DOUBLEPRECISION X", "double precision x"),
        ("DOUBLE PRECISIONFUNCTIONF(X)", "double precision function f(x)"),
        ("REAL*8X", "real*8 x"),
        ("REAL * 8 X, Y", "real*8 x, y"),
        ("REAL X(10)", "real x(10)"),
        ("INTEGERFUNCTION F(X)", "integer function f(x)"),
        ("RECURSIVEFUNCTIONF(X)RESULT(Y)", "recursive function f(x) result(y)"),
        ("CHARACTER*(*)S", "character*(*) s"),
        ("CHARACTER*80 LINE", "character*80 line"),
        ("CHARACTER*8FUNCTION F()", "character*8 function f()"),
        ("INTEGER, PARAMETER :: N = 1", "integer, parameter :: n = 1"),
        ("TYPE(T)X", "type(t) x"),
        ("TYPET", "type t"),
        ("SUBROUTINEFOO(A,*)", "subroutine foo(a,*)"),
        ("PROGRAMP", "program p"),
        ("BLOCKDATA", "block data"),
        ("COMMON/BLK/A,B", "common /blk/a,b"),
        ("COMMON / BLK / A, B", "common / blk / a, b"),
        ("IMPLICITREAL*8(A-H,O-Z)", "implicit real*8(a-h,o-z)"),
        ("IMPLICIT DOUBLE PRECISION (A-H,O-Z)", "implicit double precision(a-h,o-z)"),
        ("IMPLICITNONE", "implicit none"),
        ("ASSIGN10TOI", "assign 10 to i"),
        ("READ5,X", "read 5,x"),
        ("READ(5,*)X", "read (5,*)x"),
        ("WRITE(6,10) X, Y", "write (6,10) x, y"),
        ("RETURN1", "return 1"),
        ("STOP'Now'", "stop 'Now'"),
        ("USEMOD,ONLY:A=>B", "use mod,only:a=>b"),
        ("SELECTCASE(I)", "select case (i)"),
        ("CASEDEFAULT", "case default"),
        ("PARAMETER (ONE = 1.0E + 0)", "parameter (one=1.0e+0)"),
        ("X = A B + 1", "x=ab+1"),
        ("R ES = A B + 1", "res=ab+1"),
        ("R E S ( I ) = 1", "res(i)=1"),
        ("X = 1 . 5", "x=1.5"),
        ("X = A * * 2", "x=a**2"),
        ("X = A .AND. .NOT. B", "x = a .and. .not. b"),
        ("IF(I) = 3", "if(i) = 3"),
        ("END IF = 2", "endif=2"),
        ("GO TO = 2", "goto=2"),
        ("CALL = 2", "call = 2"),
        ("REAL X = 2", "realx=2"),
        ("F(X) = X*2", "f(x) = x*2"),
    ],
)
def test_statement(source: str, spelled: str) -> None:
    assert fixed(source) == [spelled]


def test_construct_name_with_blanks() -> None:
    (line,) = lines("      OUT ER: DO10I=1,2\n", "t.f")
    assert (line.construct, line.text) == ("outer", "do 10 i=1,2")


def test_literals_stay_where_blanks_go() -> None:
    assert fixed("PRI NT *, 'A  B', X Y") == ["print *,'A  B',xy"]
