"""Random programs whose loops call procedures with the columns and elements of an iteration, for the replay machine:
``program(random)`` is the text, its head ``p(x)>(y)``.

Columns ``a(:, k)``, elements that stand for columns ``a(1, k)`` and for planes ``c(1, 1, k)``, elements of arrays of
derived type, functions, calls two levels deep, DO CONCURRENT; of local arrays, dummy arguments, module arrays, COMMON,
components, allocatables and pointers. Now and then an iteration touches another one's column, or the callee reaches
the array in another way. All indices stay within bounds, arguments never overlap, everything is set before it is read.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
ARRAYS = ("a", "z", "g", "h", "d%c", "al", "ptr")
LOCATIONS = (*ARRAYS, "e%c", "e%r", "c", "s", "x", "y", "t", "i", "k", "j", "ic", "kit::g", "/st/h", "tg")
KIT = """module kit
  implicit none
  type box
    real(8) :: c(6), r
  end type box
  type sheet
    real(8) :: c(6, 4)
  end type sheet
  real(8) :: g(6, 4)
contains
  pure subroutine step(q, p)
    real(8), intent(inout) :: q(6)
    real(8), intent(in) :: p(6)
    q = sin(q)*p + 0.1d0*q
  end subroutine step
  pure subroutine made(q, p)
    real(8), intent(out) :: q(6)
    real(8), intent(in) :: p(6)
    integer :: i
    do i = 1, 6
      q(i) = cos(p(i))*p(max(1, i - 1))
    end do
  end subroutine made
  pure subroutine half(q, p)
    real(8), intent(inout) :: q(6)
    real(8), intent(in) :: p(6)
    q(2:5) = q(1:4)*p(2:5) + 0.2d0
  end subroutine half
  pure subroutine maybe(q, c)
    real(8), intent(inout) :: q(6)
    real(8), intent(in) :: c
    if (q(1) > 0.3d0) q = q*c - 0.1d0*q*q
  end subroutine maybe
  pure subroutine linear(n, q, p)
    integer, intent(in) :: n
    real(8), intent(inout) :: q(n)
    real(8), intent(in) :: p(n)
    q = 0.5d0*q + 0.3d0*p
  end subroutine linear
  pure subroutine one(v, c)
    real(8), intent(inout) :: v
    real(8), intent(in) :: c
    v = v*(1.0d0 - 0.1d0*c*v)
  end subroutine one
  pure subroutine smooth(q)
    real(8), intent(inout) :: q(:)
    q = q*cos(q) + 0.1d0
  end subroutine smooth
  pure subroutine deep(q, p)
    real(8), intent(inout) :: q(6)
    real(8), intent(in) :: p(6)
    real(8) :: b(6)
    call made(b, p)
    call step(q, b)
    call one(q(2), b(3))
  end subroutine deep
  pure subroutine boxed(b, q)
    type(box), intent(inout) :: b
    real(8), intent(in) :: q(6)
    call step(b%c, q)
    b%r = b%r*cos(b%c(2))
  end subroutine boxed
  pure subroutine plane(q, w)
    real(8), intent(inout) :: q(3, 2)
    real(8), intent(in) :: w
    q(:, 1) = sin(q(:, 2))*w
    q(1:2, 2) = q(1:2, 2)*q(2:3, 1)
  end subroutine plane
  pure subroutine all_of(q, w)
    real(8), intent(inout) :: q(6, 4)
    real(8), intent(in) :: w
    q(:, 1) = q(:, 1)*q(:, 4) + 0.1d0*w
    q(2, :) = 0.7d0*sin(q(2, :))
  end subroutine all_of
  subroutine hidden(k, w)
    integer, intent(in) :: k
    real(8), intent(in) :: w
    g(:, k) = g(:, k)*w*cos(g(:, k))
  end subroutine hidden
  pure subroutine rest(q, k)
    real(8), intent(inout) :: q(6, *)
    integer, intent(in) :: k
    q(:, k) = q(:, k)*q(:, 1)
  end subroutine rest
  pure function norm(q) result(r)
    real(8), intent(in) :: q(6)
    real(8) :: r
    r = sqrt(1.0d0 + sum(q*q))
  end function norm
  pure function image(q) result(r)
    real(8), intent(in) :: q(6)
    real(8) :: r(6)
    r = q*sin(q(1)) + 0.1d0
  end function image
"""


class LoopWriter:
    """Writes the statements of one procedure. ``arrays``: those of six rows and four columns that it has."""

    def __init__(self, random: Random, arrays: tuple[str, ...], main: bool) -> None:
        self.random = random
        self.arrays = arrays
        self.main = main
        self.lines: list[str] = []
        self.depth = 1

    def pick(self, *options: str) -> str:
        return options[self.random.randrange(len(options))]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def add(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def column(self, k: str, array: str | None = None) -> str:
        """One column, as a section or by its first element."""
        array = array or self.pick(*self.arrays)
        if array == "ptr":  # of a pointer no element stands for what follows it
            return f"ptr(:, {k})"
        return self.pick(f"{array}(:, {k})", f"{array}(:, {k})", f"{array}(1, {k})")

    def two(self, k: str) -> tuple[str, str]:
        """Columns of two arrays, or of one that are not the same."""
        first, second = self.random.sample(self.arrays, 2)
        if self.chance(12) and k == "k":
            return self.column("k", first), self.column("5 - k", second)
        return self.column(k, first), self.column(k, second)

    def call(self, k: str, concurrent: bool = False) -> str:
        q, p = self.two(k)
        section = f"{self.pick(*self.arrays)}(:, {k})"
        w = self.pick("x", "0.4d0", f"s({k})", f"s({k})*0.5d0", "t") if not concurrent else "0.4d0"
        length = self.pick(f"linear(6, {q}, {p})", f"linear(4, {q}, {p})")
        options = [f"step({q}, {p})", f"step({q}, {p})", f"made({q}, {p})", f"made({q}, {p})", f"half({q}, {p})",
                   f"maybe({q}, {w})", length, f"deep({q}, {p})", f"smooth({section})", f"one(s({k}), 0.3d0)",
                   f"one(e({k})%c(2), {w})",
                   f"boxed(e({k}), {q})", f"step(e({k})%c, {q})", f"made({q}, e({k})%c)", f"plane(c(1, 1, {k}), 0.7d0)",
                   f"plane(c(:, :, {k}), 0.9d0)", f"one(c(2, 1, {k}), 0.3d0)", f"one(e({k})%r, 0.2d0)"]
        if not concurrent:
            options += [f"hidden({k}, 0.6d0)", f"rest({self.arrays[0]}, {k})"]
        return "call " + self.pick(*options)

    def statement(self, k: str, concurrent: bool = False) -> None:
        """What an iteration does, as a rule with its own elements."""
        array, other = self.pick(*self.arrays), self.pick(*self.arrays)
        kind = self.random.randrange(100)
        if kind < 60:
            self.add(self.call(k, concurrent))
        elif kind < 75:
            self.add(self.pick(f"{array}(:, {k}) = {array}(:, {k})*cos({other}(:, {k}))", f"{array}(:, {k}) = 0.4d0",
                               f"{array}(3, {k}) = {other}(2, {k})*{array}(3, {k})",
                               f"s({k}) = s({k})*sin({array}(2, {k}))",
                               f"e({k})%c = 0.5d0*{array}(:, {k})", f"{array}(:, {k}) = image({other}(:, {k}))",
                               f"s({k}) = norm({array}(:, {k}))*0.3d0", f"e({k})%r = e({k})%r*s({k})"))
        elif kind < 82 and not concurrent:
            self.add(self.pick("t = 0.5d0*sin(t) + 0.1d0*s(2)", f"t = 0.3d0*t + norm({array}(:, {k}))*0.1d0",
                               f"t = t*cos({array}(1, 2))", f"s({k}) = s({k})*{array}(2, 1)"))
        elif kind < 88 and not concurrent:
            self.add(self.pick(f"call all_of({array}, 0.3d0)", f"{array}(:, ic) = {array}(:, {k})*0.9d0",
                               f"call step({array}(:, ic), e({k})%c)", "ic = mod(ic, 4) + 1",
                               f"call one({array}(2, 3), 0.4d0)"))
        elif kind < 94 and not concurrent:
            self.add("!$AD CHECKPOINT-START")
            self.add(self.call(k))
            self.add(self.pick(self.call(k), f"{array}(:, {k}) = sin({array}(:, {k}))"))
            self.add("!$AD CHECKPOINT-END")
        else:
            self.add(f"if ({self.pick(f's({k}) > 0.2d0', f'{k} > 2', 'n > 2')}) then")
            self.add("  " + self.call(k, concurrent))
            self.add("end if")

    def loop(self) -> None:
        kind = self.random.randrange(10)
        if kind == 0:
            self.add("do concurrent (k = 1:4)")
            self.depth += 1
            for _ in range(self.random.randint(1, 4)):
                self.statement("k", True)
        elif kind == 1:
            array, c = self.pick(*self.arrays), self.pick("0.4d0", "s(k)", "x")
            self.add(self.pick("do k = 1, 4", "do k = 4, 1, -1"))
            self.depth += 1
            self.add(self.pick("do i = 1, 6", "do i = 2, 5"))
            self.add(f"  call one({array}(i, k), {c})")
            self.add(f"  {array}(i, k) = {array}(i, k)*{self.pick('0.9d0', f'{array}(i, k)', 's(k)')}")
            self.add("end do")
        elif kind == 2:
            array, other = self.random.sample(self.arrays, 2)
            self.add("do k = 2, 4")
            self.depth += 1
            self.add(f"call {self.pick('step', 'made', 'half', 'deep')}({self.column('k', array)}, "
                     f"{self.column(self.pick('k - 1', 'k', '1'), other)})")
            self.add(self.pick(f"{other}(:, k) = {array}(:, k)*0.8d0", f"call step({other}(:, k), {array}(:, k - 1))"))
        else:
            self.add(f"do k = {self.pick('1, 4', '1, 4', '4, 1, -1', '2, 4', '1, n', '1, 4, 2')}")
            self.depth += 1
            for _ in range(self.random.randint(1, 4)):
                self.statement("k")
        self.depth -= 1
        self.add("end do")

    def block(self, most: int) -> None:
        for _ in range(self.random.randint(2, most)):
            if self.chance(75):
                if self.chance(25):
                    self.add("do j = 1, 2")
                    self.depth += 1
                    self.loop()
                    if self.chance(50):
                        self.loop()
                    self.depth -= 1
                    self.add("end do")
                else:
                    self.loop()
            elif self.main and self.chance(30):
                self.add(f"call stage({self.pick('a', 'h')}, n)")
            else:
                array = self.pick(*self.arrays)
                self.add(self.pick(f"t = sin(t) + 0.1d0*sum({array}*{array})", f"{array} = 0.8d0*{array}*cos(t)",
                                   f"t = t*norm({array}(:, 2))*0.2d0", f"{array}(:, 3) = 0.5d0*sin({array}(:, 1))",
                                   self.call("2"), self.call("ic")))


def program(random: Random, size: int = 5) -> str:
    """A module and the head."""
    stage, main = LoopWriter(random, ("z", "b"), False), LoopWriter(random, (*ARRAYS[:1], *ARRAYS[2:]), True)
    stage.block(3)
    main.block(size)
    shared = "real(8) :: t, s(4), c(3, 2, 4)"
    text = KIT + "\n".join([
        "  subroutine stage(z, n)", "    integer, intent(in) :: n", "    real(8), intent(inout) :: z(6, 4)",
        f"    {shared}", "    real(8) :: b(6, 4), x", "    type(box) :: e(4)", "    integer :: i, j, k, ic",
        "    ic = 2; x = z(2, 2); b = 0.3d0 + 0.1d0*z; s = 0.2d0*x; c = 0.4d0*x; t = 0.5d0", "    do k = 1, 4",
        "      e(k)%c = 0.1d0*k; e(k)%r = x", "    end do", *("  " + line for line in stage.lines),
        "    z(1, 1) = 0.5d0*z(1, 1) + 0.1d0*sin(sum(b*b) + sum(s) + sum(c*c) + t + sum(e%r) + sum(e(2)%c))",
        "  end subroutine stage", "end module kit"]) + "\n"
    return text + "\n".join([
        "subroutine p(x, n, y)", "  use kit", "  implicit none", "  integer :: n", f"  {shared}",
        "  real(8) :: x, y, a(6, 4), h(6, 4)", "  common /st/ h", "  real(8), allocatable :: al(:, :)",
        "  real(8), target :: tg(6, 4)", "  real(8), pointer :: ptr(:, :)", "  type(sheet) :: d", "  type(box) :: e(4)",
        "  integer :: i, j, k, ic", "  allocate(al(6, 4))", "  ptr => tg", "  ic = 2; t = 0.5d0*x", "  do k = 1, 4",
        "    do i = 1, 6", "      a(i, k) = sin(x*i + k); g(i, k) = 0.5d0*cos(x*k - i); h(i, k) = 0.3d0*x + 0.1d0*i",
        "      d%c(i, k) = 0.2d0*x*k - 0.1d0*i; al(i, k) = cos(x + i*k); tg(i, k) = 0.4d0*x*i", "    end do",
        "    e(k)%c = 0.4d0*x*k; e(k)%r = x; s(k) = 0.3d0*x*k; c(:, :, k) = 0.2d0*x + 0.1d0*k", "  end do",
        *main.lines,
        "  y = t + sum(a*a) + sum(g*h) + sum(sin(al)) + sum(d%c*a) + sum(tg*tg) + sum(s*s) + sum(c*c)",
        "  do k = 1, 4", "    y = y + e(k)%r*sum(e(k)%c)", "  end do", "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integer."""
    return {"n": random.choice((4, 3, 1, 0))}
