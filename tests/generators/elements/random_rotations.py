"""Random time loops over arrays with planes that take turns: ``program(random)`` is the text, its head ``p(x)>(y)``.

Planes are told by remainders of the step's number, by ``3 - now``, by indices that are exchanged at the end of a step
(rightly, or so that two become one), or that begin with the same value; set in a branch, by a call, from an array. In
half of the programs planes and elements are found by index arrays, `f(ix(i), at(old))`, which may change, and which may
have planes that take turns, `u(e(i, old)) = sin(u(e(i, new)))`. A step writes all of its plane or not, before or behind
a branch, a CYCLE or an EXIT, or what it reads; it reads other planes, and its own, before and behind. Planes are the
last dimension, the first, or single elements.
"""

from __future__ import annotations

from random import Random

HEAD = "p(x)>(y)"
LOCATIONS = ("f", "g", "u", "x", "y", "t", "new", "now", "old", "k", "i", "at", "ix", "e")


class Writer:
    def __init__(self, random: Random, indexed: bool, turning: bool) -> None:
        """``indexed``: planes and elements are found by index arrays, too. ``turning``: some of these have planes."""
        self.random, self.indexed, self.turning = random, indexed, turning
        self.lines: list[str] = []
        self.depth = 1

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def add(self, *lines: str) -> None:
        self.lines += ["  "*self.depth + line for line in lines]

    def chance(self, of: int) -> bool:
        return self.random.randrange(of) == 0

    # ------------------------------------------------------------ planes

    def element(self, array: str, i: str, plane: str) -> str:
        if self.indexed:
            plane = self.pick(plane, f"at({plane})", f"at({plane})", f"at(at({plane}))")
            i = self.pick(i, i, f"ix({i})")
        if array == "g":
            return f"g({plane}, {i})"
        return f"h({plane})" if array == "h" else f"f({i}, {plane})"

    def value(self, array: str, planes: tuple[str, ...], i: str = "i") -> str:
        one, other = self.element(array, i, self.pick(*planes)), self.element(array, i, self.pick(*planes))
        return self.pick(f"0.4d0*{one}", f"0.3d0*sin({one}) + 0.2d0*{other}", f"0.5d0*{one}*u({i})",
                         f"0.2d0*u({i}) - 0.3d0*{one}*{other}", f"0.3d0*u({i})*u({i})")

    def write(self, array: str, plane: str, planes: tuple[str, ...]) -> None:
        """A plane, whole or not."""
        lines: list[str] = []
        kind = self.random.randrange(8)
        if array == "h":
            lines += [f"h({plane}) = {self.value('h', planes, '2')}"]
        elif kind < 4:
            first, last = self.pick("1", "1", "2"), self.pick("n", "n", "n - 1")
            if first == "2":
                lines.append(f"{self.element(array, '1', plane)} = {self.pick('0d0', '0.1d0*u(1)')}")
            lines += [f"do i = {first}, {last}", f"  {self.element(array, 'i', plane)} = {self.value(array, planes)}",
                      "end do"]
            if last == "n - 1" and not self.chance(4):
                lines.append(f"{self.element(array, 'n', plane)} = 0.2d0*u(n)")
        elif kind < 6:
            found = self.pick(plane, f"at({plane})") if self.indexed else plane
            whole = f"g({found}, :)" if array == "g" else f"f(:, {found})"
            lines.append(f"{whole} = {self.pick('0.3d0*u*u', '0.2d0*u', '0.1d0')}")
        else:
            lines += ["do i = n, 1, -1", f"  {self.element(array, 'i', plane)} = {self.value(array, planes)}", "end do"]
        if self.chance(8):
            test = self.pick("u(1) > 0.3d0", "k > 2", "m > 2")
            lines = [f"if ({test}) then", *("  " + one for one in lines), "end if"]
        self.add(*lines)

    def read(self, array: str, planes: tuple[str, ...]) -> None:
        i = "1" if array == "h" else "i"
        if array == "h":
            self.add(f"u(1) = 0.5d0*u(1) + {self.value('h', planes, '1')}")
        elif self.chance(4):
            self.add(f"t = 0.6d0*t + 0.1d0*{self.element(array, self.pick('1', 'n'), self.pick(*planes))}*t")
        else:
            self.add("do i = 1, n", f"  u({i}) = 0.5d0*u({i}) + {self.value(array, planes)}", "end do")

    # ------------------------------------------------------------ the loop

    def loop(self) -> None:
        array = self.pick("f", "f", "f", "g", "h")
        way = self.pick("mod", "mod", "exchanged", "exchanged", "other", "from")
        begin, step, end = getattr(self, f"by_{way}")()
        self.add(*begin)
        self.add(self.pick("do k = 1, m", "do k = 1, m", "do k = m, 1, -1", "do k = 3, m + 2"))
        self.depth += 1
        self.add(*step)
        planes = self.pick("now old new", "now old", "old", "now", "old now").split()
        if way == "other":
            planes = ["now", "old"][:len(planes)]
        target = "now" if way == "other" else "new"
        if self.turning:
            self.scattered(tuple(planes), target)
        if self.chance(5):
            self.read(array, (*planes, target) if self.chance(3) else tuple(planes))
        if self.chance(10):
            self.add(f"if ({self.pick('u(1) > 0.6d0', 'k == 2')}) {self.pick('cycle', 'exit')}")
        self.write(array, target, tuple(planes))
        if self.chance(6):
            self.write(array, self.pick(*planes), (*planes, target))
        self.read(array, (*planes, target))
        if self.chance(12):
            one = self.pick("now", "old")
            self.add(f"call turn({one})", *([f"{one} = {one} - 1"] if "old = 3 - now" in step else []))  # 1 or 2
        if self.indexed and self.chance(4):
            self.add(self.pick("at = at([2, 3, 1])", "at = at([2, 3, 1])", "if (u(1) > 0.4d0) at = at([2, 1, 3])",
                               "ix = ix(n:1:-1)"))
        if self.chance(6):
            self.add(f"t = t + 0.1d0*u(1)*{self.element(array, '2', target)}")
        self.add(*end)
        self.depth -= 1
        self.add("end do")

    def scattered(self, planes: tuple[str, ...], target: str) -> None:
        """The planes of an index array take turns: `u(e(i, old)) = sin(u(e(i, new)))`; a step writes one of them."""
        written = ["do i = 1, n", f"  e(i, {target}) = mod(e({self.pick('i', 'i', 'n + 1 - i')}, "
                   f"{self.pick(*planes)}) + {self.pick('k', '1', 'i')}, n) + 1", "end do"]
        one, other = (f"e(i, {self.pick(*planes, target)})" for _ in range(2))
        value = self.pick(f"0.6d0*sin(u({other}))*u(i) + 0.2d0", f"0.6d0*sin(u({other}))*t + 0.2d0",
                          f"0.5d0*u({one})*u({other}) + 0.1d0", "0.7d0*sin(u(i))")
        used = ["do i = 1, n", f"  u({one}) = {value}", "end do"]
        for lines in (written, used) if self.chance(2) else (used, written):
            self.add(*lines)

    def by_mod(self) -> tuple[list[str], list[str], list[str]]:
        by = self.pick("3", "3", "2")
        name, base = self.pick("mod", "modulo"), self.pick("k", "k", "k", "m - k + 9")
        offsets = [0, 1 if by == "2" else 2, 0 if by == "2" else 1]
        if self.chance(6):
            self.random.shuffle(offsets)
        return [], [f"{one} = {name}({base}{f' + {off}' if off else ''}, {by}) + 1"
                    for one, off in zip(("new", "now", "old"), offsets, strict=True)], []

    def by_exchanged(self) -> tuple[list[str], list[str], list[str]]:
        starts = ["1", "2", "3"] if not self.chance(8) else ["1", "2", self.pick("1", "2")]
        begin = [f"old = {starts[0]}; now = {starts[1]}; new = {starts[2]}"]
        if self.chance(10):
            begin.append("if (x > 0.9d0) now = 1")
        end = ["j = old", "old = now", "now = new", "new = j"]
        if self.chance(8):
            end = end[:2] + end[3:] if self.chance(2) else ["old = now", "now = new"]
        if self.chance(10):
            end = ["if (u(1) > 0.2d0) then", *("  " + one for one in end), "end if"]
        return begin, [], end

    def by_other(self) -> tuple[list[str], list[str], list[str]]:
        base = self.pick("3", "3", "3", "4")
        first = self.pick("1", "2") if base == "3" else "2"
        return [f"now = {first}"], [f"old = {base} - now"], ["now = old"]

    def by_from(self) -> tuple[list[str], list[str], list[str]]:
        return [], ["new = at(mod(k, 3) + 1)", "now = at(mod(k + 1, 3) + 1)", "old = mod(k + 2, 3) + 1"], []


def program(random: Random) -> str:
    """A module and the head."""
    indexed = random.randrange(4)
    writer = Writer(random, indexed > 1, indexed in (0, 3))
    outer = random.randrange(6) == 0
    if outer:
        writer.add("do i2 = 1, 2")
        writer.depth += 1
    for _ in range(random.randint(1, 2)):
        writer.loop()
    if outer:
        writer.depth -= 1
        writer.add("end do")
    return "\n".join([
        "module turns", "contains", "  subroutine turn(one)", "    integer, intent(inout) :: one",
        "    one = 4 - one", "  end subroutine turn", "end module turns",
        "subroutine p(x, n, m, y)", "  use turns", "  implicit none", "  integer, intent(in) :: n, m",
        "  real(8) :: x, y, t, u(n), f(n, 3), g(3, n), h(3)",
        "  integer :: i, i2, j, k, new, now, old, at(3), ix(n), e(n, 3)",
        "  t = 0.5d0*x; u = 0.3d0 + x*0.1d0; f = 0.2d0*x; g = 0.4d0 - x; h = 0.3d0*x; at = [2, 3, 1]",
        "  ix = [(mod(i, n) + 1, i = 1, n)]",
        "  e = reshape([(mod(2*i, n) + 1, i = 1, 3*n)], [n, 3])",
        "  new = 3; now = 2; old = 1; j = 1" if random.randrange(3) == 0 else "  j = 1",
        *writer.lines, "  y = t + sum(u*u) + sum(sin(f)) + sum(g*g) + sum(h*h)", "end subroutine p"]) + "\n"


def numbers(random: Random) -> dict[str, int]:
    """Values for the head's integers."""
    return {"n": random.choice((4, 3, 2)), "m": random.choice((7, 5, 4, 2, 1, 0))}
