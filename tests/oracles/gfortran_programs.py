"""Compiled Fortran programs, without linking each of them.

Linking against gfortran's library is more than half of a small program's compilation. So a program is a shared object
that nothing is linked to, and a host, linked once, that has all libraries, opens it and calls its ``main``. Each run is
a process of its own, as it would be; several are forked from one that has opened the program.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

# Where there is no host: gold links in half the time; not every binutils has it.
LINKER = ("-fuse-ld=gold",) if shutil.which("ld.gold") else ()
_LIBRARIES = ("-Wl,--no-as-needed", "-lgfortran", "-lgomp", "-lquadmath", "-lm")
_ALL_SYMBOLS_NOW = 2 | 256  # RTLD_NOW, RTLD_GLOBAL
_HOST = f"""program host
use iso_c_binding
implicit none
interface
  function dlopen(name, how) bind(c) result(library)
    import
    character(kind=c_char) :: name(*)
    integer(c_int), value :: how
    type(c_ptr) :: library
  end function
  function dlsym(library, name) bind(c) result(found)
    import
    type(c_ptr), value :: library
    character(kind=c_char) :: name(*)
    type(c_funptr) :: found
  end function
  function fork() bind(c) result(process)
    import
    integer(c_int) :: process
  end function
  function waitpid(process, status, how) bind(c) result(ended)
    import
    integer(c_int), value :: process, how
    integer(c_int) :: status, ended
  end function
end interface
abstract interface
  function main_of_c(number, arguments) bind(c) result(status)
    import
    integer(c_int), value :: number
    type(c_ptr) :: arguments(*)
    integer(c_int) :: status
  end function
end interface
character(4096), target, allocatable :: texts(:)
type(c_ptr) :: library
procedure(main_of_c), pointer :: main
integer(c_int) :: status
integer :: k, n
n = command_argument_count()
allocate (texts(0:n - 1))
do k = 1, n
  call get_command_argument(k, texts(k - 1))
  texts(k - 1) = trim(texts(k - 1)) // c_null_char
end do
library = dlopen(texts(0), {_ALL_SYMBOLS_NOW})
if (.not. c_associated(library)) stop 97
call c_f_procpointer(dlsym(library, 'main' // c_null_char), main)
if (n <= 3) call run(1)
do k = 1, n - 1, 2
  if (fork() == 0) call run(k)
  if (waitpid(-1, status, 0) < 0 .or. status /= 0) then
    call exit(max(1, iand(ishft(int(status), -8), 255)))
  end if
end do
contains
subroutine run(first)
  integer, intent(in) :: first
  type(c_ptr) :: arguments(0:3)
  integer :: i, m
  m = min(2, n - first)
  arguments = c_null_ptr
  arguments(0) = c_loc(texts(0))
  do i = 1, m
    arguments(i) = c_loc(texts(first + i - 1))
  end do
  call exit(int(main(int(m + 1, c_int), arguments)))
end subroutine
end program
"""


def gfortran() -> str:
    """The compiler. Raises LookupError where there is none."""
    found = shutil.which("gfortran")
    if found is None:
        raise LookupError("gfortran is needed to check gradients against the compiled original: "
                          "apt-get install gfortran (`make test` does so where it may)")
    return found


@cache
def host() -> str:
    """The program that runs what :func:`compile_program` makes; empty where it cannot be made."""
    folder = Path(_folder().name)
    (folder / "host.f90").write_text(_HOST)
    done = subprocess.run([gfortran(), "host.f90", "-o", "host", *_LIBRARIES], cwd=folder, check=False,
                          capture_output=True)
    return str(folder / "host") if not done.returncode and shutil.which("ld") else ""


@cache
def _folder() -> TemporaryDirectory[str]:
    """There as long as the tests run."""
    return TemporaryDirectory()


def compile_program(folder: Path, name: str, sources: Sequence[str], flags: Sequence[str]) -> str:
    """Makes the program ``name`` in ``folder``, where the sources (or objects) are; what the compiler says where it
    refuses. To be run as :func:`commands` says."""
    if not host() or "--coverage" in flags:  # which needs a library that cannot be shared
        return _said(folder, gfortran(), *flags, *LINKER, *sources, "-o", name)
    texts = [one for one in sources if not one.endswith(".o")]
    objects = [*(f"{Path(one).stem}.o" for one in texts), *(one for one in sources if one.endswith(".o"))]
    return _said(folder, gfortran(), *flags, "-fPIC", "-c", *texts) or \
        _said(folder, "ld", "-shared", "-Bsymbolic", *objects, "-o", f"{name}.so")


def _said(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    return done.stderr.strip() or "no message" if done.returncode else ""


def commands(program: Path, runs: Sequence[tuple[str, ...]]) -> list[list[str]]:
    """What runs a program that :func:`compile_program` made, once with each of these arguments, two at most."""
    path = str(program.absolute())
    shared = f"{path}.so"
    if not Path(shared).exists():
        return [[path, *arguments] for arguments in runs]
    if all(len(arguments) == 2 for arguments in runs):
        return [[host(), shared, *(one for arguments in runs for one in arguments)]]
    return [[host(), shared, *arguments] for arguments in runs]
