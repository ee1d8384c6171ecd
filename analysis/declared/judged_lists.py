"""What declared lists lack, and what they hold for nothing: remarks SN701, SN702, SN703.

A location must be saved before a part if no choice of DH (1) that tapes everything else keeps it, (4) and (5) say:

    missing      out(C) ∩ (use(C̄) ∪ Req)  \\  declared
    superfluous  declared  \\  ((out(C) ∪ out(D̄)) ∩ use(C̄))  \\  ((out(C) ∪ out(D̄) ∪ out(C̄)) ∩ Req)

What only D̄ overwrites may be taped there instead (Opt₃), so that a list need not have it. Of Req is missing only what
no ``CADJ STORE`` behind the statement that gave the value holds (:mod:`stored_values`). At a place where no part
begins nothing can be missing, since an adjoint may tape or compute again what it needs behind it. There a location is
stored for nothing if no adjoint reads the value it has: it is not in use(D̄) ∪ Req.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from snapset.analysis.dataflow.bitsets import EMPTY, May, members, singleton, union
from snapset.analysis.declared.list_places import Beginning, PlacedList, placed
from snapset.analysis.declared.section_cover import Cover, Selection, covers, selection_of, with_numbers
from snapset.analysis.declared.stored_values import required_of_lists
from snapset.analysis.evidence.evidence_finder import chain
from snapset.analysis.evidence.search import Search
from snapset.analysis.evidence.steps import EvidenceStep
from snapset.analysis.memory.byte_sizes import location_bytes, piece_bytes, total
from snapset.analysis.memory.locations import Space
from snapset.analysis.memory.subscript_intervals import constants
from snapset.analysis.recording.strategies import Place
from snapset.analysis.recording.to_be_recorded import PartRecord
from snapset.analysis.results import Bytes
from snapset.analysis.sections.written_sections import all_of
from snapset.analysis.symbolic.fortran_text import source
from snapset.frontend import ir
from snapset.frontend.base.declared_saves import SaveList
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.rules import diagnostic

FEW = 4
_HARM: Mapping[str, str] = {"SAVES": "the gradient is wrong",
                            "STORE": "the gradient is wrong, unless TAF computes it again"}
_DOES: Mapping[str, str] = {"overwrites": "overwrites it", "adjoint reads": "has an adjoint that reads it",
                            "reads": "reads it", "ends": "ends it",
                            "again": "is computed again from it"}


def remarks(search: Search, order: Sequence[str], parts: Mapping[Place, Beginning],
            declared: Iterable[SaveList]) -> tuple[Diagnostic, ...]:
    """What is to be said of a head's lists. ``order``: its adjoint codes; ``parts``: all parts, outer before inner;
    ``search``: by which evidence is found."""
    found: dict[Diagnostic, None] = {}
    lists = placed(search.adjoints, order, parts, declared)
    stores = tuple(one for one in lists if one.lists[0].form == "STORE")
    for one in lists:
        found.update(dict.fromkeys(_Judge(search, one, parts, stores).remarks()))
    return tuple(found)


@frozen
class _Entry:
    """One name of a list."""

    list: SaveList
    selection: Selection


@dataclass(frozen=True)
class _Judge:
    search: Search
    placed: PlacedList
    parts: Mapping[Place, Beginning]
    stores: Sequence[PlacedList] = ()  # all of the program

    def remarks(self) -> Iterator[Diagnostic]:
        """Those of the lists before one statement."""
        if not self.placed.parts and not self.placed.points and not self.placed.inside:
            return
        first = self.placed.lists[0]
        if not self.placed.parts and first.form == "SAVES":
            yield self._not_judged(first.span, "SAVES stands before no checkpointed part; put it right before "
                                               "CHECKPOINT-START or a call")
            return
        if not self.placed.parts and not self.placed.points:
            return
        entries = list(self._entries())
        for one in self.placed.lists:
            for text in one.items:
                if selection_of(text) is None:
                    yield self._not_judged(one.span, f"`{text}` is no variable")
        for place in self.placed.parts:
            yield from self._missing(place, entries)
        for entry in entries:
            yield from self._superfluous(entry)

    def _entries(self) -> Iterator[_Entry]:
        code = (self.placed.parts or self.placed.points)[0][0]
        for one in self.placed.lists:
            for text in one.items:
                found = self._selection(text, code)
                if found is not None:
                    yield _Entry(one, found)

    def _selection(self, text: str, code: str) -> Selection | None:
        """What a list of a code's procedure names, PARAMETERs as numbers."""
        found, variables = selection_of(text), self.search.adjoints.by_key[code].model.procedure.variables
        if found is None or not any(found.dims):
            return found
        constant, variable = constants(variables), variables.get(found.name)
        numbers = {name: number for name, one in variables.items() if (number := constant(one.value)) is not None}
        bounds = () if variable is None else tuple(
            (1 if dim.lower is None else constant(dim.lower), constant(dim.upper)) for dim in variable.shape.dims)
        return with_numbers(found, numbers, bounds)

    def _not_judged(self, span: Span, message: str) -> Diagnostic:
        return diagnostic("SN703", message, span)

    # ------------------------------------------------------------ missing

    def _missing(self, place: Place, entries: Sequence[_Entry]) -> Iterator[Diagnostic]:
        record, space, first = self._record(place), self._space(place), self.placed.lists[0]
        kept = record.choice.snp | record.choice.sbk  # without what is computed again
        doubtful: dict[str, list[str]] = {}
        req = self._required(place, record, loosely=False)
        for index in members(record.sets.out_c & (record.sets.use_cbar | req) & kept):
            info = space.infos[index]
            needed = _needed(space, index, record)
            found = [[_held(entry.selection, info.name, one) for one in needed] for entry in entries]
            holds = {_best(covers) for covers in zip(*found, strict=True)} if found else {"no"}
            if holds == {"yes"}:
                continue
            given = ", ".join(entry.selection.text for entry, covers in zip(entries, found, strict=True)
                              if covers[0] is not None)
            text = ", ".join(info.name if one is None else one.text for one in needed)
            if "no" not in holds:
                yield self._not_judged(first.span, f"{first.form} has {given}, and {text} must be kept at "
                                                   f"{self.parts[place].id}: whether that is all of it is not known; "
                                                   "name the whole variable")
                continue
            if not singleton(index) & (record.sets.use_cbar | self._required(place, record, loosely=True)):
                yield self._not_judged(first.span, f"{first.form} lacks {text} at {self.parts[place].id}; whether what "
                                                   "other lists store of it is all that must be kept is not known")
                continue
            steps = self._steps(place, index, record)
            unknown = next((step for step in steps if step.role == "unknown"), None)
            if unknown is not None:
                doubtful.setdefault(f"{unknown.file}:{unknown.line}", []).append(info.name)
                continue
            lacks = f"{first.form} has {given}, which is not all that must be kept: {text}" if given else (
                f"{first.form} lacks {text}")
            piece = record.pieces.get(index)
            size = location_bytes(info) if piece is None else piece_bytes(info, piece)
            yield diagnostic("SN701", f"{lacks}, {_bytes(size)}, at {self.parts[place].id}: {_HARM[first.form]}; "
                                      f"{', '.join(dict.fromkeys(map(_said, steps)))}", first.span)
        for where, names in doubtful.items():
            yield self._not_judged(first.span, f"{first.form} lacks {_some(names)} at {self.parts[place].id}, which "
                                               f"must be kept only if what is not known at {where} touches it")

    def _required(self, place: Place, record: PartRecord, loosely: bool) -> May:
        """Req before a part, without what lists elsewhere store. ``loosely``: as if sections were all of it."""
        key, level, _ = place
        found = self.search.solved.to_be_recorded((key, level), self.search.records[key].entering)
        lists: dict[int, May] = {}
        for one in self.stores if found is not None else ():
            held = [s for text in (text for list_ in one.lists for text in list_.items)
                    if (s := self._selection(text, key)) is not None and (loosely or s.whole)]
            for at in (*one.parts, *one.points):
                if at[:2] == (key, level):
                    lists[at[2]] = lists.get(at[2], EMPTY) | self._of(at, held)
        if found is None or not lists:
            return record.sets.req
        return record.sets.req & required_of_lists(found, lists, place[2])

    def _of(self, place: Place, held: Sequence[Selection]) -> May:
        """The locations of some selections."""
        return union(singleton(index) for index, info in enumerate(self._space(place).infos)
                     if any(_is_of(info.name, one.name) for one in held))

    def _steps(self, place: Place, index: int, record: PartRecord) -> list[EvidenceStep]:
        """The statements that say so: what overwrites it, and what reads the value it had."""
        reader = "use(C̄)" if record.sets.use_cbar & singleton(index) else "Req"
        every = [chain(self.search, name, place, index).steps for name in ("out(C)", reader)]
        return [steps[-1] for steps in every if steps]

    # ------------------------------------------------------------ superfluous

    def _superfluous(self, entry: _Entry) -> Iterator[Diagnostic]:
        known, needless = False, True
        size: Bytes | None = None
        place = (self.placed.parts or self.placed.points)[0]
        names: set[str] = set()
        for at in self.placed.parts or self.placed.points:
            space = self._space(at)
            bits = union(singleton(i) for i, info in enumerate(space.infos) if _is_of(info.name, entry.selection.name))
            names |= {info.name for info in space.infos}
            known |= bool(bits)
            needless &= not bits & (self._kept(at) if self.placed.parts else self._read(at))
            if bits and size is None:
                size = total(location_bytes(space.infos[i]) for i in members(bits))
        if not known:
            declared = self.search.adjoints.by_key[place[0]].model.procedure.variables
            if entry.selection.name.split("%")[0] in declared:
                yield self._for_nothing(entry, "", "nothing in this procedure touches it")
            else:
                yield self._not_judged(entry.list.span, f"nothing is called {entry.selection.name} here"
                                                        f"{nearest(entry.selection.name, names)}")
        elif needless:
            of = "" if entry.selection.whole else " at most"
            why = "no adjoint reads the value that it has here"
            if self.placed.parts:
                why += ", or nothing overwrites it before that"
            yield self._for_nothing(entry, f",{of} {_bytes(size)}", why)

    def _for_nothing(self, entry: _Entry, amount: str, why: str) -> Diagnostic:
        message = f"{entry.list.form} has {entry.selection.text}{amount}, which need not be saved: {why}"
        return diagnostic("SN702", message, entry.list.span)

    def _kept(self, place: Place) -> May:
        """What some choice must keep: Snp, Sbk, Req_D or Req_C."""
        record, sets = self._record(place), self._record(place).sets
        lost = sets.out_c | sets.out_dbar
        return (lost & sets.use_cbar) | ((lost | sets.out_cbar) & sets.req) | record.choice.snp | record.choice.sbk

    def _read(self, place: Place) -> May:
        """The locations of which some adjoint reads the value that they have where a statement begins."""
        key, level, node = place
        entering = self.search.records[key].entering if level == 0 else EMPTY
        solved = self.search.solved
        return solved.used((key, level), node) | solved.kept_for((key, level), node, entering, behind=False)

    # ------------------------------------------------------------ what it stands on

    def _record(self, place: Place) -> PartRecord:
        return self.search.records[place[0]].levels[place[1]].solved[place[2]]

    def _space(self, place: Place) -> Space:
        return self.search.adjoints.by_key[place[0]].model.space



def _needed(space: Space, index: int, record: PartRecord) -> tuple[Selection | None, ...]:
    """What of a location must be kept, each of it; None where its bounds are not known."""
    info, piece = space.infos[index], record.pieces.get(index)
    if piece is None:
        dims = info.dims()
        if not dims:
            return (None,)
        piece = (ir.Ref((ir.PartRef(info.name, tuple(all_of(dim) for dim in dims)),), info.type),)
    texts = [source(ref) for ref in piece]
    return tuple(None if text is None else selection_of("".join(text.split())) for text in texts)


def _best(covers: Iterable[Cover | None]) -> Cover:
    """What several entries together say of one selection."""
    found = set(covers)
    return "yes" if "yes" in found else "not known" if "not known" in found else "no"


def _held(declared: Selection, name: str, needed: Selection | None) -> Cover | None:
    """Does an entry hold what is needed of a location? None: it is about another one."""
    if not _is_of(name, declared.name):
        return None
    if declared.whole:
        return "yes"
    if needed is None or declared.name != needed.name:
        return "not known"
    return covers(declared, needed)


def _is_of(name: str, declared: str) -> bool:
    """Is a location, by its name, the declared variable, a component of it, its allocation or association?"""
    plain = name.removesuffix("[]").removesuffix("=>")
    return plain == declared or plain.startswith((declared + "%", declared + "[]%", declared + "=>%"))


def _said(one: EvidenceStep) -> str:
    note = f" ({one.note})" if one.note else ""
    return f"{one.file}:{one.line} {_DOES.get(one.role, one.role)}{note}"


def _some(names: Sequence[str]) -> str:
    """The first few, and how many more."""
    return ", ".join(names[:FEW]) + (f" and {len(names) - FEW} more" if len(names) > FEW else "")


def _bytes(size: Bytes | None) -> str:
    return "bytes not known" if size is None else f"{size} bytes"
