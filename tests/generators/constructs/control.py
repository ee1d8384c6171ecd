"""Constructs of control and of data that is not real: logicals, integers, characters, complex numbers, jumps."""

from __future__ import annotations

from tests.generators.constructs.statements import assignment, block
from tests.generators.constructs.writing import Feature, Unit


def flags(unit: Unit) -> None:
    unit.local("l1", "logical :: l1, l2, la(5)", "l1 = .true.", "l2 = .false.", "la = .false.")
    if not unit.logicals:
        unit.logicals += ["l1", "l2", ".not. l1", "la(k)", "l1 .and. l2"]


def logical_control(unit: Unit) -> None:
    """Decisions that are kept, and taken again later."""
    flags(unit)
    unit.mark("logical_control")
    unit.add(unit.pick(f"l1 = {unit.read()} > 0.47d0", "l1 = .not. l1", f"l2 = l1 .or. {unit.read()} < 0.33d0",
                       f"la = {unit.array()} > 0.44d0", "la(k) = l1", "l2 = any(la)", "l1 = l2 .neqv. la(2)",
                       f"if (l1) {unit.scalar()} = {unit.expression()}"))
    if unit.chance(50):
        with unit.nested(f"if ({unit.pick(*unit.logicals)}) then", "end if"):
            block(unit, 1, 0)
    elif unit.chance(40):
        a = unit.array()
        unit.add(f"where (la) {a} = {unit.whole()}")


def integer_control(unit: Unit) -> None:
    """Integers found from values, carried through loops, that choose what is done."""
    kind = unit.random.randrange(3)
    unit.mark("integer_control")
    if kind == 0:
        unit.local("state", "integer :: state", "state = 1")
        unit.add(unit.pick("state = mod(state + k, 3)", f"if ({unit.read()} > 0.39d0) state = 2",
                           "state = state/2 + 1"))
        with unit.nested("select case (state)", "end select"):
            for clause in ("case (:0)", "case (1, 3)", "case default"):
                unit.indent -= 1
                unit.add(clause)
                unit.indent += 1
                block(unit, 1, 0)
    elif kind == 1:
        unit.local("table", "integer :: table(4)", "table = [2, 4, 1, 3]")
        unit.add(unit.pick("table(k) = k", "table(2:3) = table(3:2:-1)", f"if ({unit.read()} < 0.52d0) table = 3",
                           "table = table(table)"))
        unit.add("k = table(k)", f"{unit.array()}(table(k)) = {unit.expression()}")
    else:
        unit.local("count_", "integer :: count_", "count_ = 0")
        unit.add(f"if ({unit.condition()}) count_ = count_ + 1", "k = min(4, mod(count_, 3) + 1)",
                 f"{unit.scalar()} = 0.2d0*real(count_, 8)*{unit.read()}/real(count_ + 1, 8)")


def character_control(unit: Unit) -> None:
    unit.local("mode", "character(8) :: mode, name_", "mode = 'upwind'", "name_ = 'a'")
    unit.mark("character_control")
    unit.add(unit.pick("mode = 'centred'", "mode = 'upwind'", f"if ({unit.read()} > 0.51d0) mode = 'none'",
                       "name_ = mode(1:2)",
                       "mode = trim(name_)//'b'", "mode = merge('upwind  ', 'centred ', k > 2)"))
    if unit.chance(50):
        with unit.nested("select case (mode)", "end select"):
            for clause in ("case ('upwind')", "case ('centred', 'none')", "case default"):
                unit.indent -= 1
                unit.add(clause)
                unit.indent += 1
                assignment(unit)
    else:
        condition = unit.pick("mode == 'upwind'", "mode(1:1) == 'c'", "index(mode, 'n') > 0", "len_trim(mode) > 4",
                              "name_ < 'b'", "ichar(name_(1:1)) > 97")
        with unit.nested(f"if ({condition}) then", "end if"):
            block(unit, 1, 0)


def internal_read(unit: Unit) -> None:
    unit.local("buffer", "character(16) :: buffer, digits", "buffer = '3 0.25'")
    unit.mark("internal_read")
    kind = unit.random.randrange(3)
    if kind == 0:
        unit.local("level", "real(8) :: level", "level = 0.5d0")
        unit.add(unit.pick("buffer = '4 0.75'", "buffer = '1 0.5'", f"if ({unit.read()} > 0.57d0) buffer = '2 0.125'"),
                 "read (buffer, *) k, level", f"{unit.scalar()} = level*{unit.read()}")
    elif kind == 1:
        unit.add("write (digits, '(i2)') k", "read (digits, '(i2)') k", f"{unit.array()}(k) = {unit.expression()}")
    else:
        unit.add("digits = '2 1'", "read (digits, *) ix(4), ix(5)", "if (ix(4) == 2) ix = [4, 1, 5, 2, 3]")


def complex_numbers(unit: Unit) -> None:
    """Complex numbers that carry what is not differentiated."""
    unit.local("zc", "complex(8) :: zc, zd", "zc = (0.6d0, 0.3d0)", "zd = (0.0d0, 0.5d0)")
    unit.mark("complex")
    unit.add(unit.pick("zc = zc*zd + 0.3d0", "zd = conjg(zc)*0.7d0", "zc = exp(zd)*0.5d0",
                       "zc = cmplx(0.1d0*k, 0.4d0, 8)",
                       "zd = sqrt(zc)"))
    unit.add(f"{unit.scalar()} = {unit.read()}*{unit.pick('real(zc)', 'aimag(zd)', 'abs(zc)', 'dble(zc*zd)')}*0.6d0")


def complex_halves(unit: Unit) -> None:
    """``z%re`` and ``z%im`` as memory of their own."""
    unit.local("zh", "complex(8) :: zh, zv(5)", f"zh = cmplx({unit.first[0]}, 0.3d0, 8)",
               f"zv = cmplx(0.4d0, {unit.first[1]}, 8)")
    if "zh%re" not in unit.scalars:
        unit.know("zh", ("zh%re", "zh%im"))
        unit.know("zv", ("zv(k)%re", "zv(2)%im"))
    unit.mark("complex_halves")
    unit.add(unit.pick(f"zv%re = {unit.whole()}", f"zv%im = 0.5d0*zv%re + 0.2d0*{unit.array()}",
                       f"{unit.array()} = 0.6d0*zv%im", f"zh%im = {unit.expression()}",
                       f"where (zv%re > 0.38d0) zv%im = 0.5d0*{unit.array()}", "zv(2:3)%re = zv(3:4)%im*zh%re"))


def records(unit: Unit) -> None:
    """Records of an internal file, written and read with edit descriptors, in part computed."""
    unit.local("page", "character(60) :: page(3)", "page = ' '")
    unit.local("given", "real(8) :: given(3)", "given = 0.5d0")
    unit.local("count_io", "integer :: count_io, status_io, io, jo", "count_io = 1", "status_io = 0")
    unit.mark("records")
    unit.add(*unit.pick(
        "write (page, '(i4, f8.3, /, sp, i4, s, (f8.3))') k, 0.25d0*m, 3, (0.5d0*jo, jo = 1, 2)|"
        "read (page, '(i4, f8.3)') count_io, given(1), count_io, given(2), count_io, given(3)",
        "write (page(1), *) 0.125d0*k, m|read (page(1), *, iostat=status_io) given(1:2)",
        "page(2) = '2 0.75 .5 x'|read (page(2), *, iostat=status_io) count_io, given(count_io), given(3), given(1)",
        "write (page(3), '(a, i0, a)') '(1p, e', 12, '.3, t1, g12.4)'|"
        "write (page(1), page(3)) 0.5d0, 0.75d0|read (page(1), '(g12.4)') given(2)",
        "write (page(1), '(3(f7.4, :, 1x))') ((0.1d0*io*jo, jo = io, 2), io = 1, 2)|"
        "read (page(1), '(3(f7.4, x))') given",
    ).split("|"))
    unit.add(f"{unit.scalar()} = {unit.read()}*(0.4d0 + 0.1d0*given({unit.pick('1', '2', '3')}))",
             "k = min(4, 1 + mod(abs(count_io + status_io), 4))")


EASED = """pure function eased(u, i) result(r)
  real(8), intent(in) :: u
  integer, intent(in) :: i
  real(8) :: r
  r = u/(1.0d0 + u*u)
  if (btest(i, 1)) r = 0.9d0*sin(u)
end function eased
"""


def forall_(unit: Unit) -> None:
    a, b = unit.array(), unit.array()
    unit.local("if_", "integer :: if_")
    kind = unit.pick("forall", "do_concurrent")
    unit.mark(kind)
    if kind == "forall" and unit.chance(40):
        unit.module.procedures["eased"] = EASED
        with unit.nested(f"forall (if_ = {unit.pick('1:5', '5:2:-1', '1:k')}{unit.pick('', f', {a}(if_) > 0.35d0')})",
                         "end forall"):
            unit.add(f"{a}(if_) = 0.8d0*eased({b}(6 - if_), if_)*{a}(if_)")
            if unit.chance(40):
                unit.add(f"{b}(if_) = 0.7d0*{a}(6 - if_) + 0.1d0*{b}(if_)")
    elif kind == "forall":
        unit.add(unit.pick(f"forall (if_ = 2:4) {a}(if_) = 0.7d0*{b}(if_ - 1)",
                           f"forall (if_ = 1:5, {a}(if_) > 0.35d0) {a}(if_) = sin({b}(if_))"))
    else:
        s = unit.scalar(a)
        other = unit.pick(*([name for name in unit.arrays if unit.root(name) != unit.root(a)] or [a]))
        with unit.nested(f"do concurrent (if_ = 1:{unit.pick('4', 'm', '5')})", "end do"):
            unit.add(f"{a}(if_) = 0.6d0*{a}(if_)*{s} + 0.2d0*{other}(if_)")


def jump(unit: Unit) -> None:
    """GOTO, loops with names, and EXIT from a construct."""
    kind = unit.random.randrange(3)
    unit.mark("jump")
    if kind == 0:
        label = unit.fresh("")
        unit.add(f"if ({unit.condition()}) goto {label}")
        block(unit, unit.random.randint(1, 2), 0)
        unit.lines.append(f"{label} continue")
    elif kind == 1 and not unit.loops:
        name = unit.fresh("outer")
        with unit.nested(f"{name}: do i = 1, m", f"end do {name}"):
            unit.loops.append("i")
            with unit.nested("do j = 1, 4", "end do"):
                unit.loops.append("j")
                block(unit, 1, 0)
                unit.add(f"if ({unit.condition()}) {unit.pick('exit', 'cycle')} {name}")
                assignment(unit)
                unit.loops.pop()
            unit.loops.pop()
            assignment(unit)
    else:
        count = unit.fresh("w")
        unit.local(count, f"integer :: {count}")
        unit.add(f"{count} = 0")
        with unit.nested("do", "end do"):
            unit.add(f"{count} = {count} + 1")
            block(unit, 1, 0)
            unit.add(f"if ({count} >= k .or. {count} > 4) exit")
            assignment(unit)


def open_texts(unit: Unit) -> None:
    """Texts of deferred and of run-time length, which decide by what they are and by how long they are."""
    unit.local("said", "character(:), allocatable :: said", "said = 'ab'")
    unit.mark("open_texts")
    unit.add(unit.pick("said = 'upwind'", "said = said(2:)//'c'", f"if ({unit.read()} > 0.49d0) said = 'x'",
                       "said = repeat('a', k)", "said = trim('ab  ')//said(1:1)"))
    if unit.chance(30):
        with unit.nested("block", "end block"):
            unit.add("character(k + 1) :: short", "short = said", "if (len(said) > 8) said = short")
    with unit.nested(f"if ({unit.pick('len(said) > 3', 'said(1:1) == ' + repr('a'), 'said > ' + repr('b'))}) then",
                     "end if"):
        assignment(unit)
    unit.add(f"{unit.scalar()} = {unit.read()}*(0.4d0 + 0.05d0*mod(len(said), 5))")


def real_loop(unit: Unit) -> None:
    """DO over a real variable, whose last value is read."""
    t = unit.fresh("t")
    unit.local(t, f"real(8) :: {t}")
    unit.mark("real_loop")
    bounds = unit.pick("0.25d0, 1.0d0, 0.25d0", "1.0d0, 0.1d0, -0.375d0", f"0.5d0*{unit.read()}, 1.9d0, 0.5d0",
                       "0.5d0, 0.25d0", "0.125d0*k, 0.5d0*m, 0.5d0")
    with unit.nested(f"do {t} = {bounds}", "end do"), unit.scope(t, values=(t,)):
        if unit.chance(40):
            unit.add(f"if ({unit.condition()}) {unit.pick('cycle', 'exit')}")
        block(unit, 1, 0)
    unit.add(f"{unit.scalar()} = {unit.read()}*{t}*0.4d0")


FEATURES = (
    Feature("logical_control", logical_control, 3), Feature("integer_control", integer_control, 3),
    Feature("character_control", character_control), Feature("internal_read", internal_read),
    Feature("complex", complex_numbers), Feature("forall", forall_), Feature("jump", jump),
    Feature("complex_halves", complex_halves), Feature("records", records),
    Feature("real_loop", real_loop), Feature("open_texts", open_texts),
)  # fmt: skip
