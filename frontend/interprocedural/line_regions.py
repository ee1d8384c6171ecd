"""Parts the source does not mark: ``--region FILE:FIRST-LAST`` becomes a marked part of the statement tree."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from types import MappingProxyType

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.interprocedural.lazy_procedures import changed as rewritten
from snapset.frontend.ir.statement_walk import blocks, statements, with_blocks, with_ids


def mark_lines(program: ir.Program, file: str, first: int, last: int) -> ir.Program:
    """The program with the statements of lines ``first`` to ``last`` of ``file`` as one marked part.

    ``file`` is the end of a path. Raises InputError where it names no file or several, and where the lines
    are not whole statements of one block.
    """
    path = find_file(program, file)
    if first > last:
        raise InputError(f"the part's first line {first} is after its last, {last}", Span(path, first, first))
    for key, procedure in program.procedures.items():
        if any(_touches(stmt, path, first, last) for stmt in procedure.body):
            body = with_ids(_marked(procedure.body, path, first, last))
            changed = {**program.procedures, key: rewritten(procedure, body)}
            return replace(program, procedures=MappingProxyType(changed))
    raise InputError(f"lines {first} to {last} hold no executable statement; give whole statements of a block",
                     Span(path, first, last))  # fmt: skip


def find_file(program: ir.Program, file: str) -> str:
    """The path of a file that was read, from the end of it. Raises InputError where it names no file or several."""
    wanted = file.replace("\\", "/").removeprefix("./").split("/")
    paths = dict.fromkeys((*program.files, *(procedure.span.file for procedure in program.procedures.values())))
    found = [path for path in paths if path == file or path.replace("\\", "/").split("/")[-len(wanted) :] == wanted]
    if file in found:
        return file
    if len(found) != 1:
        what = f"is several of the files read: {', '.join(found)}" if found else (
            f"is none of the files read{nearest(file, paths)}")
        raise InputError(f"`{file}` {what}", Span(file, 1, 1))
    return found[0]


def _extent(stmt: ir.Stmt, path: str) -> tuple[int, int] | None:
    """The lines of ``path`` a statement takes, its blocks and its END included; None where it is elsewhere."""
    spans = [stmt.span]
    end = getattr(stmt, "end", None)
    if isinstance(end, Span):
        spans.append(end)
    spans.extend(inner.span for block in blocks(stmt) for inner in statements(block))
    here = [span for span in spans if span.file == path]
    return (min(span.line for span in here), max(span.end_line for span in here)) if here else None


def _touches(stmt: ir.Stmt, path: str, first: int, last: int) -> bool:
    extent = _extent(stmt, path)
    return extent is not None and extent[0] <= last and extent[1] >= first


def _marked(block: ir.Block, path: str, first: int, last: int) -> ir.Block:
    """``block``, in which some statement touches the lines, with the part in it or inside one of them."""
    touched = [place for place, stmt in enumerate(block) if _touches(stmt, path, first, last)]
    begin, stop = touched[0], touched[-1] + 1
    cut = [stmt for stmt in block[begin:stop] if not _whole(stmt, path, first, last)]
    if not cut:
        part = block[begin:stop]
        start, end = part[0].span, getattr(part[-1], "end", None) or part[-1].span
        return (*block[:begin], ir.Marked(span=start, body=part, end=end), *block[stop:])
    stmt = cut[0]
    inner = [number for number, one in enumerate(blocks(stmt)) if any(_touches(s, path, first, last) for s in one)]
    extent = _extent(stmt, path) or (0, 0)
    alone = all(place.span == stmt.span for place in block[begin:stop])
    if not alone or len(inner) != 1 or extent[0] >= first or extent[1] <= last:
        raise InputError(
            f"lines {first} to {last} are not whole statements of one block: they cut the statement of lines "
            f"{extent[0]} to {extent[1]}; move the borders", Span(path, first, last))  # fmt: skip
    numbers = count()
    changed = with_blocks(stmt, lambda one: _marked(one, path, first, last) if next(numbers) == inner[0] else one)
    return tuple(changed if one.id == stmt.id else one for one in block)


def _whole(stmt: ir.Stmt, path: str, first: int, last: int) -> bool:
    extent = _extent(stmt, path)
    return extent is None or (first <= extent[0] and extent[1] <= last)
