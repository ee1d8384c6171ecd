"""COMMON blocks with pointers and with objects of SEQUENCE types; an object that EQUIVALENCE overlays."""

from __future__ import annotations

from tests.generators.constructs.writing import COMMON, Feature, Unit

KEPT = """  type kept{n}
    sequence
    integer :: n
    real(8) :: u, v(5)
  end type"""
POINTERS = "real(8), pointer :: {p}(:), {q}\n  integer :: {k}\n  common /cmp{n}/ {p}, {q}, {k}"
OBJECTS = "type(kept{n}) :: {p}, {q}(2)\n  common /cmo{n}/ {p}, {q}"


def view(unit: Unit, what: str, **names: str) -> str:
    return what.format(n=unit.module.number, **names)


def first_call(unit: Unit, name: str, text: str) -> None:
    """What gives a COMMON block its first values: a procedure, which the head calls before all else."""
    module = unit.module
    if name not in module.procedures:
        module.procedures[name] = f"subroutine {name}\n  {text}end subroutine {name}\n"
        module.setup.append(f"call {name}")


def common_pointers(unit: Unit) -> None:
    """Pointers in COMMON that lead to one target of the module or to another, by other names in each procedure."""
    module, of_head = unit.module, not unit.level
    for name in ("cmt", "cmu"):
        module.variable(name, f"real(8), target :: {name}(5)", f"{name} = 0.5d0")
    first_call(unit, "cm_first", view(unit, POINTERS, p="p", q="q", k="k") +
               "\n  p => cmt\n  q => cmu(2)\n  k = 2\n")
    p, q, k = ("cmp", "cmq", "cmk") if of_head else ("cmf", "cmg", "cmh")
    unit.local(p, view(unit, POINTERS, p=p, q=q, k=k))
    s, a = unit.scalar(COMMON), unit.array(COMMON)
    unit.mark("common_pointers")
    for _ in range(unit.random.randint(1, 3)):
        unit.add(unit.pick(
            f"{p}({k}) = 0.6d0*{q}*{p}(1) + 0.2d0*{s}", f"{q} = sin({p}({k})*{s})", f"{q} => cmu({k})", f"{p} => cmu",
            f"{p} => cmt(1:5)", f"{q} => {p}(3)", f"{k} = mod({k}, 4) + 1", f"{s} = 0.5d0*{q} + 0.3d0*{p}(2)*{s}",
            f"{p} = 0.7d0*{a}*{q}", f"if (associated({q}, cmu(2))) {q} = 0.8d0*{s}", f"cmt(k) = 0.9d0*{q}",
            f"{a} = 0.5d0*{p}(ubound({p}, 1):1:-1)"))


def common_objects(unit: Unit) -> None:
    """Objects in COMMON, whose type each procedure declares by itself; some see the first one's numbers as an array."""
    declared = view(unit, KEPT)
    first_call(unit, "cm_objects", f"{declared.strip()}\n  {view(unit, OBJECTS, p='p', q='q')}\n  p%u = 0.4d0\n"
               "  p%v = 0.5d0\n  p%n = 2\n  q = p\n")
    p, q = ("cmo", "cmr") if not unit.level else ("cmv", "cmw")
    unit.local(f"kept{unit.module.number}", declared.strip())
    unit.local(p, view(unit, OBJECTS, p=p, q=q))
    s, a = unit.scalar(COMMON), unit.array(COMMON)
    unit.mark("common_objects")
    for _ in range(unit.random.randint(1, 3)):
        unit.add(unit.pick(
            f"{p}%u = 0.6d0*{p}%v({p}%n)*{s}", f"{q}({p}%n)%v = 0.7d0*{p}%v", f"{p} = {q}(1)", f"{q}(2) = {q}(1)",
            f"{s} = 0.4d0*{q}(2)%u + 0.3d0*{p}%v(k)*{s}", f"{p}%n = mod({p}%n, 2) + 1", f"{q}%u = 0.8d0*{q}(2:1:-1)%u",
            f"{q}(1)%v(2:4) = sin({a}(1:3))*{p}%u", f"{a} = 0.5d0*{q}({p}%n)%v", f"{q}%v(3) = 0.5d0*{s}"))


def overlaid_object(unit: Unit) -> None:
    """EQUIVALENCE of an object and an array of its numbers."""
    unit.local(f"over{unit.module.number}", view(unit, """type over{n}
    sequence
    real(8) :: u, v(3), w
  end type
  type(over{n}) :: cme
  real(8) :: cmd(5)
  equivalence (cme, cmd)"""), f"cmd = 0.6d0*{unit.first[0]}")
    s, a = unit.scalar(), unit.array()
    unit.mark("overlaid_object")
    for _ in range(unit.random.randint(1, 3)):
        unit.add(unit.pick(
            f"cme%u = 0.7d0*cmd(k)*{s}", "cme%v = 0.5d0*cmd(3:5)", f"cmd(5) = sin(cme%u)*{s}", f"{s} = 0.6d0*cme%w",
            f"{a} = 0.8d0*cmd*cme%v(2)", f"cmd = 0.5d0*{a}", f"cme%w = 0.3d0*cme%u + {s}*cmd(2)",
            f"cme%v(2) = 0.4d0*cmd(k + 1)*{s}"))


FEATURES = (Feature("common_pointers", common_pointers, 3), Feature("common_objects", common_objects, 3),
            Feature("overlaid_object", overlaid_object, 2))
