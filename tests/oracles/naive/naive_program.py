"""A toy program: what the naive reference works on, and the Fortran text that means the same.

Reals are scalars and arrays of nine elements of which only a few are ever touched, so that no run of
writes covers an array. ``n`` and ``m`` are integer arguments that nothing overwrites; every loop runs
to one of them, so it may run zero times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

SCALARS = ("s1", "s2", "s3", "s4")
ARRAYS = ("a", "b")
INTEGERS = ("n", "m")


@dataclass(frozen=True)
class Ref:
    """``name`` or ``name(index)``; the index is a number or the variable of a loop around."""

    name: str
    index: str | None = None

    @property
    def text(self) -> str:
        return self.name if self.index is None else f"{self.name}({self.index})"

    @property
    def index_names(self) -> frozenset[str]:
        return frozenset() if self.index is None or self.index.isdigit() else frozenset({self.index})

    @property
    def names(self) -> frozenset[str]:
        return self.index_names | {self.name}


@dataclass(frozen=True)
class Factor:
    """A reference, or the sine of one."""

    ref: Ref
    sine: bool = False

    @property
    def text(self) -> str:
        return f"sin({self.ref.text})" if self.sine else self.ref.text


Term = tuple[Factor, ...]


@dataclass(frozen=True, eq=False)
class Assign:
    """``target`` = the sum of ``terms``, each 2.0 times a product of factors. Compared by identity."""

    target: Ref
    terms: tuple[Term, ...]

    @property
    def text(self) -> str:
        products = ["*".join(["2.0d0", *(factor.text for factor in term)]) for term in self.terms]
        return f"{self.target.text} = {' + '.join(products) or '1.0d0'}"


@dataclass(frozen=True, eq=False)
class If:
    test: Ref
    then: tuple[Statement, ...]
    orelse: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class Do:
    var: str
    bound: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class Part:
    """A marked part; its first statement is an Assign, so that no two parts start on one line."""

    body: tuple[Statement, ...]


Statement = Assign | If | Do | Part


@dataclass
class Listing:
    """The Fortran text, and the line of each part's first statement."""

    lines: list[str] = field(default_factory=list)
    first: dict[Part, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def add(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def block(self, depth: int, body: tuple[Statement, ...]) -> None:
        for statement in body:
            match statement:
                case Assign():
                    self.add(depth, statement.text)
                case If(test, then, orelse):
                    self.add(depth, f"if ({test.text} > 1) then")
                    self.block(depth + 1, then)
                    if orelse:
                        self.add(depth, "else")
                        self.block(depth + 1, orelse)
                    self.add(depth, "end if")
                case Do(var, bound, body):
                    self.add(depth, f"do {var} = 1, {bound}")
                    self.block(depth + 1, body)
                    self.add(depth, "end do")
                case Part(body):
                    self.add(depth, "!$AD CHECKPOINT-START")
                    self.first[statement] = len(self.lines) + 1
                    self.block(depth, body)
                    self.add(depth, "!$AD CHECKPOINT-END")


def listing(body: tuple[Statement, ...]) -> Listing:
    """``subroutine p(x, n, m, y)``: x is the independent, y the dependent."""
    out = Listing()
    out.add(0, "subroutine p(x, n, m, y)")
    out.add(1, "implicit none")
    out.add(1, "real(8) :: x, y")
    out.add(1, "integer :: n, m, i, j")
    out.add(1, f"real(8) :: {', '.join(SCALARS)}, {', '.join(f'{name}(9)' for name in ARRAYS)}")
    out.block(1, body)
    out.add(0, "end subroutine p")
    return out


def inside(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """Every statement of ``body``, at every depth, in textual order."""
    for statement in body:
        yield statement
        match statement:
            case If(_, then, orelse):
                yield from inside(then + orelse)
            case Do(_, _, inner) | Part(inner):
                yield from inside(inner)


def unrolled(
    body: tuple[Statement, ...], trips: dict[str, int], copies: dict[Part, list[Part]]
) -> tuple[Statement, ...]:
    """``body`` without loops, each run ``trips[bound]`` times, and with every element a scalar of its own (``a[2]``).

    ``copies`` gains, for each part, its copies.
    """
    return _unrolled(body, trips, {}, copies)


def _unrolled(
    body: tuple[Statement, ...], trips: dict[str, int], at: dict[str, str], copies: dict[Part, list[Part]]
) -> tuple[Statement, ...]:
    out: list[Statement] = []
    for statement in body:
        match statement:
            case Assign(target, terms):
                concrete = tuple(tuple(Factor(_at(each.ref, at), each.sine) for each in term) for term in terms)
                out.append(Assign(_at(target, at), concrete))
            case If(test, then, orelse):
                branches = (_unrolled(branch, trips, at, copies) for branch in (then, orelse))
                out.append(If(_at(test, at), *branches))
            case Do(var, bound, inner):
                for k in range(1, trips[bound] + 1):
                    out += _unrolled(inner, trips, at | {var: str(k)}, copies)
            case Part(inner):
                copy = Part(_unrolled(inner, trips, at, copies))
                copies.setdefault(statement, []).append(copy)
                out.append(copy)
    return tuple(out)


def _at(ref: Ref, at: dict[str, str]) -> Ref:
    return ref if ref.index is None else Ref(f"{ref.name}[{at.get(ref.index, ref.index)}]")
