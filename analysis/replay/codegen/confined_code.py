"""Runs generated code through Python's compiler, and lets it reach arithmetic only.

Code is generated from a stranger's program. Nothing of the program's text is in it: names are numbers (``s[3]``,
``x7``), constants stand in the namespace or are Python's own spelling of a number. Should that ever fail, what is run
here still cannot open a file or import: it has a few built-in functions, sees no attribute that begins with an
underscore or leads to Python's own machinery, and none of NumPy's functions that read or write files.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import CodeType, MappingProxyType, SimpleNamespace
from typing import Final

_BUILTINS: Final = MappingProxyType({one.__name__: one for one in (
    abs, all, any, bool, complex, dict, divmod, enumerate, float, frozenset, int, len, list, locals, map, max,
    memoryview, min, range, reversed, round, set, slice, sorted, str, sum, tuple, zip, ArithmeticError, IndexError,
    OverflowError, ValueError, ZeroDivisionError,
)})  # fmt: skip

_FILES: Final = frozenset((
    "DataSource", "fromfile", "fromregex", "genfromtxt", "load", "loadtxt", "memmap", "save", "savetxt", "savez",
    "savez_compressed", "show_config", "test",
))  # fmt: skip
# Methods of arrays that write files or give away memory, and the ways to Python's frames and from there to everything.
_FORBIDDEN: Final = frozenset((
    "ctypes", "dump", "dumps", "tofile", "ag_code", "ag_frame", "cr_code", "cr_frame", "f_back", "f_builtins", "f_code",
    "f_globals", "f_locals", "gi_code", "gi_frame", "tb_frame", "tb_next", "format", "format_map", "mro",
))  # fmt: skip


class EscapeError(Exception):
    """Generated code names what it must not: a bug."""


class TooDeepError(Exception):
    """Python's compiler does not take it: parentheses or blocks are nested too deeply. ``key``: of which function."""

    def __init__(self, key: int | None = None) -> None:
        super().__init__("nested too deeply")
        self.key = key


def define(text: str, title: str, names: dict[str, object]) -> None:
    """Run ``text``, which defines functions, in the namespace ``names``. Raises EscapeError, TooDeepError."""
    code = compiled(text, title)
    for name in _names(code):
        if name.startswith("_") or name in _FORBIDDEN:
            raise EscapeError(f"generated code names {name}")
    names["__builtins__"] = dict(_BUILTINS)
    names["np"] = _numpy()
    exec(code, names)


@cache
def _numpy() -> SimpleNamespace:
    """What generated code sees of NumPy."""
    import numpy  # only where something is run

    return SimpleNamespace(**{name: one for name, one in vars(numpy).items()
                              if callable(one) and not name.startswith("_") and name not in _FILES})


def compiled(text: str, title: str) -> CodeType:
    """The code of ``text``. Raises TooDeepError."""
    try:
        return compile(text, f"<replay {title}>", "exec", dont_inherit=True)
    except (SyntaxError, RecursionError, MemoryError) as error:  # its parser tells depth by any of these
        raise TooDeepError from error


def _names(code: CodeType) -> Iterator[str]:
    """Global names and attributes, and what is imported."""
    todo = [code]
    while todo:
        one = todo.pop()
        yield from one.co_names
        todo += [inner for inner in one.co_consts if isinstance(inner, CodeType)]
