"""Where COMMON and EQUIVALENCE put variables: areas and byte offsets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.text_scan import split_top
from snapset.frontend.declarations.table import Table
from snapset.frontend.ir.constant_folding import value_of
from snapset.frontend.parsing import expression_parser, syntax_tree
from snapset.frontend.rules import diagnostic
from snapset.frontend.symbols.common_members import member_area, not_constant, whole_area
from snapset.frontend.symbols.specification_expressions import Names, constant_or_simple


def byte_size(variable: ir.Variable) -> int | None:
    """The constant size of a variable, None where it is not constant."""
    if variable.type.bytes is None or variable.shape.kind not in ("scalar", "explicit") or variable.pointer:
        return None
    extents = _extents(variable.shape)
    if extents is None:
        return None
    size = variable.type.bytes
    for extent in extents:
        size *= extent
    return size


def _extents(shape: ir.Shape) -> list[int] | None:
    found: list[int] = []
    for dim in shape.dims:
        lower = 1 if dim.lower is None else value_of(dim.lower)
        upper = value_of(dim.upper)
        if lower is None or upper is None:
            return None
        found.append(max(0, upper - lower + 1))
    return found


def size_of(components: Iterable[ir.Variable]) -> int | None:
    """Bytes of an object with these components, aligned as compilers do; None with a pointer or allocatable one."""
    total, widest = 0, 1
    for component, first in placed(components):
        size = byte_size(component)
        if size is None or first is None:
            return None
        widest, total = max(widest, _alignment(component.type)), first + size
    return -(-total // widest) * widest


def placed(components: Iterable[ir.Variable]) -> Iterator[tuple[ir.Variable, int | None]]:
    """Components in order, each with the byte of an object that it begins at; None behind and at a pointer."""
    total: int | None = 0
    for component in components:
        size = None if component.allocatable else byte_size(component)
        step = _alignment(component.type)
        first = None if total is None or size is None else -(-total // step) * step
        yield component, first
        total = None if first is None or size is None else first + size


def _alignment(type_: ir.Type) -> int:
    if type_.kind == "character":
        return 1
    size = (type_.bytes or 1) // (2 if type_.kind == "complex" else 1)
    if type_.kind == "derived":
        return next((step for step in (8, 4, 2) if size % step == 0), 1)
    return max(1, min(size, 16))


@frozen
class _Tie:
    """Two variables share storage: ``second`` begins ``distance`` bytes after ``first``; None: not known where."""

    first: str
    second: str
    distance: int | None
    span: Span


def lay_out(
    table: Table, variables: Mapping[str, ir.Variable], names: Names
) -> tuple[dict[str, ir.Variable], list[Diagnostic]]:
    """The variables of COMMON blocks and EQUIVALENCE groups with their areas and offsets.

    Where a size is not constant, the whole block or group is one location (sound, not precise) and a diagnostic
    says so. Raises InputError for an EQUIVALENCE that contradicts another or a COMMON block.
    """
    placed, said = _commons(table, variables)
    ties = list(_ties(table, variables, names))
    for group in _groups(ties):
        members = [name for name in table.entities if name in group]
        said += _place(members, [tie for tie in ties if tie.first in group], {**variables, **placed}, placed)
    return placed, said


def _commons(
    table: Table, variables: Mapping[str, ir.Variable]
) -> tuple[dict[str, ir.Variable], list[Diagnostic]]:
    placed: dict[str, ir.Variable] = {}
    said: list[Diagnostic] = []
    ends: dict[str, int] = {}
    places: dict[str, int] = {}
    apart = {block for block, name, _ in table.commons if name in variables and (
        variables[name].pointer or variables[name].type.kind == "derived")}
    for block, name, span in table.commons:
        variable = variables.get(name)
        if variable is None:
            raise InputError(f"`{name}` cannot be in COMMON: it is no variable", span)
        if variable.area.kind == "formal" or name in placed:
            why = "is in COMMON twice" if name in placed else "is a dummy argument and in COMMON"
            raise InputError(f"`{name}` {why}; remove it there", span)
        size = byte_size(variable)
        offset = ends.get(block, 0)
        place = places[block] = places.get(block, 0) + 1
        area = member_area(block, place) if block in apart else whole_area(block)
        placed[name] = replace(variable, area=area, offset=offset)
        ends[block] = offset + (_descriptor(variable) if variable.pointer else size or 0)
        if size is None and block not in apart:
            said.append(not_constant(variable, block))
    return placed, said


def _descriptor(pointer: ir.Variable) -> int:
    """Bytes of a pointer as gfortran has it: an address, of an array also what to find its elements by."""
    return 40 + 24*pointer.shape.rank if pointer.shape.rank else 8


def _ties(table: Table, variables: Mapping[str, ir.Variable], names: Names) -> Iterable[_Tie]:
    for text, span in table.equivalences:
        first: tuple[str, int | None] | None = None
        for member in split_top(text):
            name, offset = _member(member, variables, names, span)
            if first is None:
                first = name, offset
            else:
                known = offset is not None and first[1] is not None
                yield _Tie(first[0], name, (first[1] or 0) - (offset or 0) if known else None, span)


def _member(text: str, variables: Mapping[str, ir.Variable], names: Names, span: Span) -> tuple[str, int | None]:
    """``a(2, 3)`` or ``c(2:4)`` as its variable and the byte it begins at."""
    try:
        links = expression_parser.designator(text).links
    except expression_parser.WallError as error:
        raise InputError(f"cannot read `{text}` in EQUIVALENCE: {error}", span) from None
    variable = variables.get(links[0].name)
    if variable is None or variable.area.kind == "formal" or len(links) > 1:
        raise InputError(f"`{text}` cannot be in EQUIVALENCE: it is no variable of this procedure's own", span)
    size = variable.type.bytes
    offset: int | None = 0
    args, more = links[0].args, links[0].more
    if args is not None and variable.shape.rank:
        place = _element(variable, args, names)
        offset = None if place is None or size is None else place * size
        args = more
    if args is not None and offset is not None:
        start = args[0].value.lower if isinstance(args[0].value, syntax_tree.Triplet) else None
        first = value_of(constant_or_simple(start, names)) if start is not None else 1
        offset = None if first is None else offset + first - 1
    return links[0].name, offset


def _element(variable: ir.Variable, args: tuple[syntax_tree.Arg, ...], names: Names) -> int | None:
    """How many elements are before this one. One subscript counts through an array of any rank, as of old."""
    extents = _extents(variable.shape)
    place, step = 0, 1
    for number, arg in enumerate(args):
        lower = variable.shape.dims[number].lower if number < variable.shape.rank else None
        low = 1 if lower is None else value_of(lower)
        index = None if isinstance(arg.value, syntax_tree.Triplet) else value_of(constant_or_simple(arg.value, names))
        if index is None or low is None:
            return None
        place += (index - low) * step
        if number + 1 < len(args):
            if extents is None or number >= len(extents):
                return None
            step *= extents[number]
    return place


def _groups(ties: list[_Tie]) -> list[set[str]]:
    """Variables connected by ties."""
    groups: list[set[str]] = []
    for tie in ties:
        joined = {tie.first, tie.second}
        apart = []
        for group in groups:
            if group.isdisjoint(joined):
                apart.append(group)
            else:
                joined |= group
        groups = [*apart, joined]
    return groups


def _place(
    members: list[str], ties: list[_Tie], variables: Mapping[str, ir.Variable], placed: dict[str, ir.Variable]
) -> list[Diagnostic]:
    """Put one group into one area."""
    starts = _starts(members[0], ties)
    shared = [variables[name] for name in members if variables[name].area.kind == "common"]
    if len({variable.area.owner for variable in shared}) > 1:
        raise InputError(f"EQUIVALENCE joins two COMMON blocks through `{members[0]}`; remove it", ties[0].span)
    if shared:
        area, base = whole_area(shared[0].area.owner), shared[0].offset - (starts[shared[0].name] or 0)
    else:
        area = variables[members[0]].area
        saved = any(variables[name].area.kind == "saved" for name in members)
        area = area._replace(kind="saved") if saved else area
        base = -min(start or 0 for start in starts.values())
    certain = all(start is not None for start in starts.values())
    for name in members:
        variable = variables[name]
        offset = base + (starts[name] or 0)
        if certain and variable.area.kind == "common" and variable.offset != offset:
            raise InputError(f"EQUIVALENCE puts `{name}` at another place of its COMMON block; remove it", ties[0].span)
        if certain and offset < 0:
            what = f"COMMON /{area.owner}/ before its first byte"
            raise InputError(f"EQUIVALENCE extends {what}; remove it", ties[0].span)
        type_ = variable.type if certain else replace(variable.type, bytes=None)
        placed[name] = replace(variable, area=area, offset=max(offset, 0), type=type_)
    if certain and all(byte_size(placed[name]) is not None for name in members):
        return []
    return [diagnostic(
        "SN209", f"the storage of `{members[0]}` in EQUIVALENCE is not constant: "
        "all that it shares it with counts as one location", ties[0].span)]


def _starts(first: str, ties: list[_Tie]) -> dict[str, int | None]:
    """Where each variable of a group begins, relative to ``first``; None where a tie does not say."""
    starts: dict[str, int | None] = {first: 0}
    pending = list(ties)
    while pending:
        rest = []
        for tie in pending:
            one, two = tie.first in starts, tie.second in starts
            if not one and not two:
                rest.append(tie)
                continue
            known = starts[tie.first] if one else starts[tie.second]
            if one and two:
                _check(starts, tie)
            elif one:
                starts[tie.second] = None if known is None or tie.distance is None else known + tie.distance
            else:
                starts[tie.first] = None if known is None or tie.distance is None else known - tie.distance
        pending = rest
    return starts


def _check(starts: Mapping[str, int | None], tie: _Tie) -> None:
    first, second = starts[tie.first], starts[tie.second]
    if first is None or second is None or tie.distance is None:
        return
    if second - first != tie.distance:
        raise InputError(
            f"this EQUIVALENCE puts `{tie.second}` at two places of `{tie.first}`'s storage; remove one", tie.span
        )
