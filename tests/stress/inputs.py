# ruff: noqa: E501
"""Inputs that nobody means well: deep, wide, long, huge, empty, binary, cut off; and every command with odd words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.stress.deep_shapes import DEEP, HEAD, PREPROCESSED, around

GOOD = around("  !$AD CHECKPOINT-START\n  a = a*a\n  !$AD CHECKPOINT-END\n  do i = 1, 3\n    a = sin(a)\n  end do")
ON_F = ("f.f90", "--head", HEAD)


@dataclass(frozen=True, slots=True)
class Stress:
    """Files by their names, and the command's words."""

    name: str
    arguments: tuple[str | bytes, ...]
    files: Mapping[str | bytes, bytes] = field(default_factory=dict)


def stresses() -> list[Stress]:
    """All of them, in a fixed order."""
    return [*deep(), *numbers(), *long_things(), *wide(), *texts(), *cut_off(), *names_of_files(), *words(), *others()]


def on(name: str, text: str | bytes, *commands: str, options: tuple[str, ...] = ()) -> Iterator[Stress]:
    """One program under each of the commands."""
    content = text.encode() if isinstance(text, str) else text
    for command in commands or ("report",):
        yield Stress(f"{command}: {name}", (command, *ON_F, *options), {"f.f90": content})


# ---------------------------------------------------------------- deep

SLOW = frozenset({"parts", "while loops", "gotos back", "elsewheres", "parts side by side", "function chain",
                  "call chain", "ring", "loops", "forall loops", "internal chain", "ifs in loops", "loops in parts", "concurrent loops"})  # fmt: skip


def deep() -> Iterator[Stress]:
    """Each shape as deep as is reported in some seconds, and smaller ones executed and decided."""
    for name, shape in DEEP.items():
        file = "f.F90" if name in PREPROCESSED else "f.f90"
        for command, depth in (("report", 30), ("report", 60 if name in SLOW else 300), ("replay", 20), ("dag", 15)):
            yield Stress(f"{command}: {name}, {depth} deep", (command, file, "--head", HEAD),
                         {file: shape(depth).encode()})


# ---------------------------------------------------------------- numbers

HUGE = ("2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "1" + "0" * 30,
        "9" * 400, "9" * 20_000)  # fmt: skip


def numbers() -> Iterator[Stress]:
    """Numbers that leave 32 and 64 bits, and what Python makes of twenty thousand digits."""
    for number in HUGE:
        size = f"of {len(number)} digits, {number[:12]}"
        for command in ("report", "replay"):
            yield from on(f"an extent {size}", around("  b(1) = a\n  a = b(1)*b(1)", f"  real(8) :: b({number})"), command)
            yield from on(f"a loop {size}", around(f"  do i = {number}, 1, -1\n    exit\n  end do"), command)
            yield from on(f"a label {size}", around(f"  goto {number}\n{number} continue"), command)
            yield from on(f"a kind {size}", around("  a = a*x", f"  real(kind={number}) :: r"), command)
            yield from on(f"a length {size}", around("  a = a*x", f"  character(len={number}) :: c"), command)
            yield from on(f"a literal {size}", around(f"  i = {number}\n  a = a*{number}d0*i"), command)
            yield from on(f"an exponent {size}", around(f"  a = a*1d{number} + x**{number}"), command)
            yield from on(f"a subscript {size}", around(
                f"  b({number}) = a\n  a = b({number})", "  real(8) :: b(3)"), command)
        yield from on(f"ALLOCATE {size}", around(
            f"  allocate (b({number}))\n  b(1) = a\n  a = b(1)*b(1)", "  real(8), allocatable :: b(:)"), "replay")
        yield from on(f"DATA {size}", around("  a = a*b(1)", f"  real(8) :: b(3)\n  data b /{number}*1d0/"), "replay")
        yield Stress(f"--assume {size}", ("report", *ON_F, "--assume", f"n={number}"), {"f.f90": GOOD.encode()})
        yield Stress(f"--set {size}", ("replay", *ON_F, "--set", f"x={number}"), {"f.f90": GOOD.encode()})
        yield Stress(f"--seed {size}", ("replay", *ON_F, "--seed", number), {"f.f90": GOOD.encode()})
        yield Stress(f"--jobs {size}", ("report", *ON_F, "--jobs", number), {"f.f90": GOOD.encode()})
        yield Stress(f"--region {size}", ("report", *ON_F, "--region", f"f.f90:{number}-{number}"),
                     {"f.f90": GOOD.encode()})


# ---------------------------------------------------------------- long and wide


def long_things() -> Iterator[Stress]:
    for length in (64, 5_000, 200_000):
        name = "v" * length
        yield from on(f"a name of {length}", around(f"  {name} = a\n  a = {name}*a", f"  real(8) :: {name}"), "report",
                      "replay")
        yield from on(f"a line of {length}", around(f"  a = a*x{' ' * length}+ x"))
        yield from on(f"a comment of {length}", around(f"  ! {'c' * length}"))
        yield from on(f"a text of {length}", around(f"  print *, '{'c' * length}'"), "report", "replay")
        yield from on(f"a literal of {length}", around(f"  a = a*1.{'0' * length}1d0"), "report", "replay")
        yield from on(f"a word of {length}", around(f"  {name}"))
        yield from on(f"a label of {length}", around(f"{'1' * length} a = a*x"))
        yield from on(f"a format of {length}", around(f"10 format ({'(' * length})"))
        yield Stress(f"a head of {length}", ("report", "f.f90", "--head", f"f({name})>(y)"), {"f.f90": GOOD.encode()})


def wide() -> Iterator[Stress]:
    for many in (100, 2_000):
        names = ", ".join(f"v{k}" for k in range(many))
        each = " &\n ,".join(f"v{k}" for k in range(many))
        yield from on(f"{many} variables", around("  v0 = a\n  a = v0*a", f"  real(8) :: {each}"), "report", "replay")
        yield from on(f"{many} arguments", around(f"  call g({each})", f"  real(8) :: {each}",
                      f"subroutine g({each})\n  real(8) :: {each}\n  v1 = v0\nend\n"), "report")
        yield from on(f"{many} labels", around("\n".join([f"  goto ({', '.join(map(str, range(1, 50)))}) i",
                      *(f"{k} a = a*1.01d0" for k in range(1, many))])))
        yield from on(f"{many} continued lines", around("  a = x" + "".join(" &\n  + x" for _ in range(many))))
        yield from on(f"{many} procedures", around("  a = a*x", after="".join(
            f"subroutine s{k}(a)\n  real(8) :: a\n  a = a*a\nend\n" for k in range(many))))
        yield from on(f"{many} dimensions", around("  a = a*x", f"  real(8) :: b({', '.join(['2'] * many)})"), "report",
                      "replay")
        yield from on(f"{many} items", around(f"  b = [{', '.join(['x'] * many)}]\n  a = sum(b)",
                                              f"  real(8) :: b({many})"), "report")
        yield from on(f"{many} COMMON variables", around("  v0 = a\n  a = v0*a",
                      f"  real(8) :: {each}\n  common /c/ {each}"))
        yield from on(f"an entry for each of {many}", around("  a = a*x") + f"! {names[:50]}\n")


# ---------------------------------------------------------------- text

ENDLESS = {
    "an empty endless loop": "  do\n  end do",
    "an endless loop": "  do while (.true.)\n    a = a*1.0000001d0\n  end do",
    "an endless GOTO": "10 continue\n  goto 10",
    "a loop that grows": "  do while (.true.)\n    b = [b, a]\n  end do",
    "a loop that never ends by its test": "  do while (a > -1)\n    a = abs(sin(a))\n  end do",
}


def texts() -> Iterator[Stress]:
    """No text, other text, text in other ways; programs that never end."""
    for name, body in ENDLESS.items():
        yield from on(name, around(body, "  real(8), allocatable :: b(:)"), "report", "replay")
    contents = {
        "nothing": b"", "a newline": b"\n", "newlines": b"\n" * 100_000, "blanks": b" " * 100_000, "NULs": bytes(10_000),
        "every byte": bytes(range(256)) * 50, "an ELF header": b"\x7fELF\x02\x01\x01" + bytes(200),
        "UTF-16": GOOD.encode("utf-16"), "UTF-32": GOOD.encode("utf-32"), "a BOM": b"\xef\xbb\xbf" + GOOD.encode(),
        "Latin-1": GOOD.replace("a = a*a", "a = a*a ! ä").encode("latin-1"),
        "Latin-1 names": GOOD.replace("a", "ä").encode("latin-1"), "UTF-8 names": GOOD.replace("a", "ä").encode(),
        "CR LF": GOOD.replace("\n", "\r\n").encode(), "CR": GOOD.replace("\n", "\r").encode(),
        "no newline": GOOD.rstrip().encode(), "a form feed": GOOD.replace("\n", "\f\n").encode(),
        "only &": b"&\n" * 1000, "only quotes": b"'\n" * 1000, "only !": b"!" * 10_000, "only #": b"#\n" * 1000,
        "only ends": b"end\n" * 1000, "ESC in a message": GOOD.replace("a = a*a", "a = \x1b[31m)").encode(),
        "ESC in a name": GOOD.replace("a*a", "a\x1b[31m*a").encode(), "C1": GOOD.replace("a = a*a", "a = \x9b31m)").encode(),
        "from right to left": GOOD.replace("a = a*a", "a = ‮)").encode(), "a surrogate": b"\xed\xa0\x80" + GOOD.encode(),
        "Word's quotes": GOOD.replace("a = a*a", "print *, “a”").encode(), "C": b"int main(void) { return 0; }\n",
        "a page": b"<html><body>404</body></html>\n", "JSON": b'{"a": 1}\n', "a ZIP": b"PK\x03\x04" + bytes(range(100)),
    }  # fmt: skip
    for name, content in contents.items():
        yield from on(name, content, "report")
        yield Stress(f"fixed form: {name}", ("report", *ON_F, "--fixed"), {"f.f90": content})
        yield Stress(f"--cpp: {name}", ("report", *ON_F, "--cpp"), {"f.f90": content})


OPENED = (
    "if (x > 0) then", "do i = 1, 2", "do while (x > 0)", "do", "select case (i)", "select type (z => a)", "where (b > 0)",
    "forall (i = 1:3)", "do concurrent (i = 1:3)", "associate (z => a)", "block", "critical", "type t", "interface",
    "!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END", "contains", "enum, bind(c)", "end if", "end do", "else", "case (1)",
    "elsewhere", "end where", "end block", "a = (x", "a = x)", "a = 'x", 'a = "x', "a = x + &", "a = [x", "call g(x",
    "a = x +", "a = * x", "goto", "print *,", "read (5, *", "allocate (b(", "a => ", "&", ";", ";;;", "a = x;; a = y;",
    "do 10 i = 1, 2", "if (x) 1, 2", "assign 10 to i", "entry", "data a /", "common /", "equivalence (a", "namelist /n/",
    "10 format (", "include", "include 'f.f90'", "#include \"f.f90\"", "#if", "#define", "use", "import", "implicit",
)  # fmt: skip


def cut_off() -> Iterator[Stress]:
    """Constructs without an end, ends without a construct, statements that stop in the middle."""
    for opened in OPENED:
        yield from on(f"opened: {opened}", around(f"  {opened}", "  real(8) :: b(3)"), "report")
        yield from on(f"opened among declarations: {opened}", around("  a = a*x", f"  {opened}"), "report")


# ---------------------------------------------------------------- files and words

ODD_NAMES: tuple[bytes, ...] = (
    b"new\nline.f90", b"esc\x1b[31m.f90", b"latin-\xe4.f90", b"\xff\xfe.f90", b"a b.f90", b"'.f90", b"\".f90", b"-x.f90",
    b"::error title=x::.f90", b"c1-\xc2\x9b.f90", b"rtl-\xe2\x80\xae.f90", b"<&>.f90", b"x" * 200 + b".f90", b"a%sb.f90",
    b"\x01.f90",
)  # fmt: skip


def names_of_files() -> Iterator[Stress]:
    for name in ODD_NAMES:
        path = b"./" + name
        head: tuple[str, ...] = ("--head", HEAD)
        for command in ("report", "replay", "dag"):
            yield Stress(f"{command}: file {name!r}", (command, path, *head), {name: GOOD.encode()})
        yield Stress(f"an error in file {name!r}", ("report", path, *head), {name: b"subroutine f(x, y)\n  x = (\nend\n"})
        yield Stress(f"lock of file {name!r}", ("check", path, *head, "--update"), {name: GOOD.encode()})
        yield Stress(f"JSON of file {name!r}", ("report", path, *head, "--format", "json"), {name: GOOD.encode()})
        yield Stress(f"picture of file {name!r}", ("replay", path, *head, "--picture", "p.svg"), {name: GOOD.encode()})
        yield Stress(f"graph of file {name!r}", ("dag", path, *head, "--graph", "g.svg"), {name: GOOD.encode()})
        yield Stress(f"no file {name!r}", ("report", path, *head))


ODD_WORDS = ("", " ", "=", ":", "::", "a", "-", "--", "\x1b[31m", "\n", "ä", "%", "1e999", "-1", "nan", "x" * 5_000, "'", "(")
OPTIONS = ("--head", "--assume", "--set", "--region", "--strategy", "-D", "-I", "--split", "--jobs", "--cache-dir", "--format",
           "--counts", "--picture", "--baseline", "--executor", "--max-bytes", "--graph", "--at", "--claim", "--seed",
           "--first-run", "--pareto-picture")  # fmt: skip


def words() -> Iterator[Stress]:
    """Every command with every option and an odd word: as many as there are options, taking turns."""
    odd = itertools.cycle(ODD_WORDS)
    for command in ("report", "check", "replay", "dag", "verify"):
        for option in OPTIONS:
            word = next(odd)
            yield Stress(f"{command} {option} {word[:10]!r}", (command, *ON_F, option, word), {"f.f90": GOOD.encode()})
    for word in ODD_WORDS:
        yield Stress(f"the command {word[:10]!r}", (word,))
        yield Stress(f"a file {word[:10]!r}", ("report", word, "--head", HEAD))


def others() -> Iterator[Stress]:
    """Project files, locks, counts."""
    good = {"f.f90": GOOD.encode()}
    odd = {
        "nothing": b"", "NULs": bytes(100), "no UTF-8": b"\xff", "deep": b"a = " + b"[" * 5_000, "deep tables": b"[" + b"a." * 5_000 + b"a]\n",
        "a number": b"a = " + b"9" * 20_000, "ESC": b'a = "\x1b"', "another": b"[tool.other]\nx = 1\n", "JSON": b"{" * 5_000,
    }
    for name, content in odd.items():
        yield Stress(f"snapset.toml: {name}", ("report", *ON_F), {**good, "snapset.toml": content})
        yield Stress(f"pyproject.toml: {name}", ("report", *ON_F), {**good, "pyproject.toml": content})
        yield Stress(f"the lock: {name}", ("check", *ON_F), {**good, "snapset.lock": content})
        yield Stress(f"counts: {name}", ("report", *ON_F, "--counts", "c.json"), {**good, "c.json": content})
        yield Stress(f"counts, zipped: {name}", ("report", *ON_F, "--counts", "c.json.gz"), {**good, "c.json.gz": content})
    for key in ("sources", "heads", "assume", "effects", "jobs", "baseline", "include_paths", "macros", "regions"):
        for value in ("1", "[]", "[[]]", '"x"', "{a = 1}", '["\\u001b"]', "1979-05-27", "inf"):
            text = f"[tool.snapset]\n{key} = {value}\n".encode()
            yield Stress(f"project file: {key} = {value}", ("report", *ON_F), {**good, "pyproject.toml": text})
