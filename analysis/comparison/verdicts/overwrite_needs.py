"""What the source's own analysis needs of what one of its statements overwrites: which location, and for which line.

    h(i) = h(i) - dt*f(i)       tapes h, for the derivatives of lines that read h before, or in an earlier turn

Locations are whole arrays. So what is overwritten is not needed where an assignment has given the same element its
value on all ways that lead there, and nothing has read it since, nor where what reads it is another element in all
turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from snapset.analysis.comparison.verdicts.backward_reads import Path, alike, path, plain_subscripts
from snapset.analysis.comparison.verdicts.element_history import readers_before
from snapset.analysis.comparison.verdicts.source_needs import SourceNeeds
from snapset.analysis.results import Part
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements


class Occurrence(NamedTuple):
    """The how manieth of as many, from 0 on."""

    number: int
    of: int


@frozen
class Need:
    """``location`` of the source is overwritten in ``line``; the derivative of the line ``reader`` reads it, of a part
    itself if that is its own."""

    location: str
    line: int
    reader: int
    own: bool


@dataclass(frozen=True)
class OverwriteNeeds:
    """Of a procedure, with its parts."""

    source: ir.Procedure
    needs: SourceNeeds
    parts: Sequence[Part]

    def of_assignment(self, stmt: ir.Assign, same: Occurrence, to_same: Occurrence) -> Iterator[Need]:
        """``stmt`` of the adjoint: the how manieth of those that say the ``same``, and of those to that target."""
        lines = self._lines(stmt, same, to_same)
        name = path(stmt.target)
        for location, taped in self.needs.taped.items():
            if not alike(location_path(location), name) or not lines or not set(lines) <= set(taped):
                continue
            for line in lines[:1]:
                reader = self._reader(location, line, stmt.target)
                if reader is not None and not self._in_marked(line):
                    yield Need(location, line, reader, location in self.needs.read.get(line, ()))

    def of_part(self, part: Part, place: ir.Ref, reads_itself: bool) -> Iterator[Need]:
        """``reads_itself``: may the part's adjoint read the place itself?"""
        line = part.first_line
        for location in part.sets.out_c if not self._in_marked(line) else ():
            itself = location in part.sets.use_cbar
            if alike(location_path(location), path(place)) and (itself or location in part.sets.req):
                reader = line if itself and reads_itself else self._reader(location, line, place, part)
                if reader is not None:
                    yield Need(location, line, reader, itself)

    def knows(self, name: str) -> bool:
        return name in self.source.variables

    def _lines(self, stmt: ir.Assign, same: Occurrence, to_same: Occurrence) -> Sequence[int]:
        """Where the source has that assignment; one that a tool has written in another way, e = EXP(-(dt/result1)) for
        e = exp(-dt/look(v)), goes by its target: where both have as many, the how manieth it is."""
        equal = [one.span.line for one in self._assignments if (one.target, one.value) == (stmt.target, stmt.value)]
        if len(equal) == same.of:
            return equal[same.number:same.number + 1]
        by_target = [one.span.line for one in self._assignments if one.target.parts == stmt.target.parts]
        if not equal and len(by_target) == to_same.of:
            return by_target[to_same.number:to_same.number + 1]
        return equal or by_target

    @cached_property
    def _assignments(self) -> Sequence[ir.Assign]:
        return [one for one in statements(self.source.body) if isinstance(one, ir.Assign)]

    @cached_property
    def _loops(self) -> Sequence[tuple[range, ir.Do | ir.While]]:
        return [(range(one.span.line, one.end.line + 1), one) for one in statements(self.source.body)
                if isinstance(one, ir.Do | ir.While)]

    def _in_marked(self, line: int) -> bool:
        return any(one.kind != "call" and one.first_line <= line <= one.last_line for one in self.parts)

    def _reader(self, location: str, line: int, place: ir.Ref, but: Part | None = None) -> int | None:
        """A line that may read it before this one overwrites it."""
        lines = [one for one, read in self.needs.read.items() if location in read]
        lines += [one.first_line for one in self.parts
                  if one.kind == "call" and one != but and location in one.sets.use_cbar]
        return next((one for one in sorted(self._before(lines, line, place)) if self._precedes(one, line, place)), None)

    def _before(self, readers: Collection[int], line: int, place: ir.Ref) -> Collection[int]:
        """Those of these lines that may read what the line overwrites: it does, if it reads it itself, and what reads
        the element once it has been given the value."""
        model = self.needs.model
        starts = [node.index for node in ([] if model is None else model.flow.nodes) if node.span.line == line and (
            node.kind == "call" or (isinstance(node.stmt, ir.Assign) and node.stmt.target.parts == place.parts))]
        if model is None or not starts:
            return readers
        nodes = [node for node in model.flow.nodes if node.stmt is not None and node.span.line in readers]
        found = {one for start in starts for one in readers_before(model, start, place, {node.index for node in nodes})}
        return {node.span.line for node in nodes if node.index in found} | ({line} & set(readers))

    def _precedes(self, reader: int, line: int, place: ir.Ref) -> bool:
        if reader <= line:
            return True
        around = [loop for lines, loop in self._loops if reader in lines and line in lines]
        return bool(around) and not (self._same_element(reader, place) and all(
            isinstance(one, ir.Do) and one.var.name in plain_subscripts(place) for one in around))

    def _same_element(self, reader: int, place: ir.Ref) -> bool:
        """Does a line read nothing else of an array than what is written there in the same turn?"""
        refs = [ref for one in self._assignments if one.span.line == reader for ref in walk(one.value)
                if isinstance(ref, ir.Ref) and path(ref) == path(place)]
        return bool(refs) and all(one.parts == place.parts for one in refs)


def location_path(location: str) -> Path:
    """``c%h`` of ``mesh::c%h(:, 2)``, of ``c%h[]`` and of ``/block/c%h``."""
    name = location.rpartition("::")[2].rpartition("/")[2] if location.startswith("/") else location.rpartition("::")[2]
    return tuple(part.split("(")[0].rstrip("[]=>") for part in name.split("%"))
