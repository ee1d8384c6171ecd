"""Values of a size that functions give, passed to procedures of which some ask for nothing but the size."""

from __future__ import annotations

from tests.generators.constructs.writing import Feature, Unit

FUNCTIONS = {
    "az_part": """function az_part(v, n) result(r)
  real(8), intent(in) :: v(:)
  integer, intent(in) :: n
  real(8) :: r(max(1, min(n, size(v))))
  r = 0.5d0*v(:size(r))
end function az_part
""",
    "az_grown": """function az_grown(v, n) result(r)
  real(8), intent(in) :: v(:)
  integer, intent(in) :: n
  real(8), allocatable :: r(:)
  r = v
  if (mod(n, 2) == 0) r = [v, v(1)*0.2d0]
end function az_grown
""",
    "az_text": """function az_text(n) result(r)
  integer, intent(in) :: n
  character(mod(n, 3) + 1) :: r
  r = repeat('a', len(r))
end function az_text
""",
    "az_each": """elemental real(8) function az_each(v) result(r)
  real(8), intent(in) :: v
  r = 0.3d0*sin(v)
end function az_each
""",
}
CALLEES = {
    "az_size": """subroutine az_size(v, s)
  real(8), intent(in) :: v(:)
  real(8), intent(inout) :: s
  s = s*s/(1 + size(v))
end subroutine az_size
""",
    "az_length": """subroutine az_length(v, s)
  character(*), intent(in) :: v
  real(8), intent(inout) :: s
  s = 0.5d0*s*sin(s*len(v))
end subroutine az_length
""",
    "az_sum": """subroutine az_sum(v, s)
  real(8), intent(in) :: v(:)
  real(8), intent(inout) :: s
  real(8) :: t(size(v))
  t = 0.4d0*s
  if (size(v) > 2) t(2) = v(2)*s
  s = 0.5d0*s + sum(t)*0.2d0
end subroutine az_sum
""",
}


def asked_sizes(unit: Unit) -> None:
    """``call az_size(az_part(v, n), s)``, and n and v get other values."""
    unit.module.procedures |= FUNCTIONS | CALLEES
    unit.local("az_v", "real(8) :: az_v(5), az_s\n  integer :: az_n, az_i\n  character(6) :: az_c",
               f"az_v = 0.7d0*{unit.first[1]}", f"az_s = {unit.first[0]}", "az_n = 2", "az_c = 'ab'")
    unit.mark("asked_sizes")
    looped = unit.chance(60)
    if looped:
        unit.add("do az_i = 1, 3")
    for _ in range(unit.random.randint(1, 3)):
        value = unit.pick("az_part(az_v, az_n)", "-az_part(az_v, az_n)", "az_part(az_part(az_v, az_n), 2)",
                          "az_grown(az_v, az_n)", "2*az_grown(az_part(az_v, az_n), az_n)", "pack(az_v, az_v > 0.2d0)",
                          "[az_part(az_v, az_n), az_s]", "az_each(az_part(az_v, az_n))", "az_v(:az_n)")
        text = unit.pick("az_text(az_n)", "az_text(az_n)//'b'", "trim(az_c)", "az_c(:az_n)")
        if unit.chance(30):
            unit.add("!$AD NOCHECKPOINT")
        unit.add(unit.pick(f"call az_size({value}, az_s)", f"call az_sum({value}, az_s)",
                           f"call az_length({text}, az_s)", f"az_s = 0.5d0*az_s*az_s/(1 + size({value}))",
                           f"az_s = 0.5d0*az_s + 0.2d0*sum({value})"))
        unit.add(unit.pick("az_n = mod(az_n, 3) + 1", "az_n = 1 + mod(k, 3)",
                           f"az_v(az_n) = 0.6d0*{unit.read()}", "az_v = 0.5d0*az_v(5:1:-1)*az_s", "az_c(az_n:) = 'c'"))
    if looped:
        unit.add("end do")
    unit.add(f"{unit.scalar()} = 0.5d0*az_s + 0.2d0*az_v(2)*{unit.read()}")


FEATURES = (Feature("asked_sizes", asked_sizes, 3),)
