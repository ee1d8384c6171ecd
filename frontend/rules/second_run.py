"""SN1xx: a checkpointed part is executed once before its snapshot is used and once after. Saving values cannot help
where the second run does something else."""

from __future__ import annotations

from snapset.frontend.rules.rule import Rule, marked, source

_FROM_C = """
subroutine p(x, y, at)
  use iso_c_binding
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(c_ptr), intent(in) :: at
  real(8), pointer :: c(:)
  {before}
  !$AD CHECKPOINT-START
  {part}
  !$AD CHECKPOINT-END
  y = y*y
end subroutine
"""
_OUTSIDE = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  !$AD CHECKPOINT-START
  call solve(x, y)
  !$AD CHECKPOINT-END
  y = y*y
end subroutine
"""
_SOLVE = """
subroutine solve(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = sqrt(x)
end subroutine
"""

RULES = (
    Rule(
        "SN101", ("warning",), "READ takes the next record, the second run reads other values",
        why="The file's position is no value that a snapshot holds: the second run reads on where the first one "
        "stopped, or hits the end of the file.",
        remedy="move the READ before the part",
        example=marked("read (7, *) c\ny = c*x*x", declared="real(8) :: c"),
        cured=marked("y = c*x*x", before="read (7, *) c", declared="real(8) :: c"),
    ),
    Rule(
        "SN102", ("warning",), "WRITE, PRINT: the output appears twice",
        why="Both runs write. The gradient is right, the file is not.",
        remedy="move it out, or switch it off in one of the runs",
        example=marked("y = x*x\nprint *, y"),
        cured=marked("y = x*x", behind="print *, y"),
    ),
    Rule(
        "SN103", ("warning",), "random numbers: a hidden state moves on",
        why="The second run draws other numbers, so that the adjoint is that of another function.",
        remedy="save the generator's state, or draw before the part",
        example=marked("call random_number(c)\ny = c*x*x", declared="real(8) :: c"),
        cured=marked("y = c*x*x", before="call random_number(c)", declared="real(8) :: c"),
    ),
    Rule(
        "SN104", ("warning",),
        "the part deallocates, or allocates anew (by ALLOCATE, MOVE_ALLOC, INTENT(OUT), an assignment such as "
        "`a = [a, x]`), what outlives it and pointers may lead to (TARGET, or behind a pointer); it allocates a "
        "pointer's target, or something below a recursive type. Or the forward sweep deallocates something below a "
        "recursive type that the backward sweep needs. What no pointer can lead to is saved and comes back: "
        "its allocation is a location (`a[]`)",
        why="A snapshot of `a[]` allocates `a` again, with the bounds it had, perhaps elsewhere in memory. A pointer "
        "that was associated with it leads to where it was.",
        remedy="allocate before the part, deallocate behind it, or take TARGET away",
        example=marked("y = x*p(1)\ndeallocate (w)\nallocate (w(2))\nw = y", before="allocate (w(3))\nw = x\np => w",
                       declared="real(8), allocatable, target :: w(:)\nreal(8), pointer :: p(:)"),
        cured=marked("y = x*p(1)\nw = y", before="allocate (w(3))\nw = x\np => w",
                     declared="real(8), allocatable, target :: w(:)\nreal(8), pointer :: p(:)"),
    ),
    Rule(
        "SN105", ("warning",),
        "an association changes that no snapshot restores: one in overlaid storage or in a type without source, or "
        "made by C_F_POINTER. All others are locations and saved: `p=>`, and a list's links with what they lead to",
        why="What the pointer led to before, or where it stands, is not known here: no location has it, so nothing "
        "puts it back.",
        remedy="associate before the part",
        example=source(_FROM_C.format(before="y = x", part="call c_f_pointer(at, c, [3])\n  y = x*c(1)")),
        cured=source(_FROM_C.format(before="call c_f_pointer(at, c, [3])", part="y = x*c(1)")),
    ),
    Rule(
        "SN106", ("note",), "STOP in the part ends the adjoint too, with the stack unread",
        why="If a run gets there no derivative is computed at all, neither by the adjoint nor by the original.",
        remedy="test before the part",
        example=marked("if (x < 0) stop 'negative'\ny = sqrt(x)"),
        cured=marked("y = sqrt(x)", before="if (x < 0) stop 'negative'"),
    ),
    Rule(
        "SN107", ("warning",), "not understood, or without source: unknown whether a second run does the same",
        why="The procedure may read, write, draw, allocate or communicate. Its effect on values is over-approximated, "
        "that on everything else cannot be.",
        remedy="give the source, rewrite it, or move it out",
        example=source(_OUTSIDE),
        cured=source(_OUTSIDE, solve=_SOLVE),
    ),
    Rule(
        "SN108", ("warning",), "clocks, the environment, commands: another answer in the second run",
        why="The second run asks again, at another time.",
        remedy="call it before the part if its value matters",
        example=marked("call cpu_time(c)\ny = c*x*x", declared="real(8) :: c"),
        cured=marked("y = c*x*x", before="call cpu_time(c)", declared="real(8) :: c"),
    ),
    Rule(
        "SN109", ("warning",), "OPEN, CLOSE, REWIND and the like: the second run finds the file already changed",
        why="The state of a unit is no value that a snapshot holds.",
        remedy="move it out of the part",
        example=marked("open (7, file='table')\ny = x*x"),
        cured=marked("y = x*x", before="open (7, file='table')"),
    ),
    Rule(
        "SN110", ("warning",), "communication happens again",
        why="A message is sent twice, and received twice only if the other process runs its part twice, too, and in "
        "the same order.",
        remedy="all processes run the part twice in the same order, or it moves out",
        example=marked("call mpi_barrier(comm, ierr)\ny = x*x", declared="integer :: comm, ierr"),
        cured=marked("y = x*x", before="call mpi_barrier(comm, ierr)", declared="integer :: comm, ierr"),
    ),
)  # fmt: skip
