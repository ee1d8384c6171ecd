"""What is proved of the messages in a head's parts, as remarks: SN601 instead of SN110 where a second run is wrong,
nothing where every message is wholly inside, SN110 as before where nothing is proved; and what is wrong by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from snapset.analysis.incremental.query_engine import QueryOwner, derived, query
from snapset.analysis.messages.mpi_calls import known_call
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.rules import diagnostic

if TYPE_CHECKING:  # much code, which only programs that communicate need
    from snapset.analysis.messages.static_verdicts import StaticMessages, StaticVerdict

_CURE = {
    "right-tight": "its second run may send again what is wholly inside, if all else that it receives is logged",
    "not right-tight": "its second run must send nothing again, and all that it receives be logged",
}

_REQUESTS = "start it, complete it, or set it to MPI_REQUEST_NULL"
_REMEDY = {"SN605": "touch it behind the wait, or communicate a copy"}


class MessageHazards(QueryOwner):
    """The verdicts on the parts of one head."""

    def __init__(self, models: Models, root: str) -> None:
        super().__init__(models.engine)
        self.models = models
        self.root = root

    @query("value")
    def talks(self, key: str) -> bool:
        """Does a procedure communicate by itself?"""
        self.models.statements(key)
        return any(known_call(one) is not None for one in statements(self.models.program.procedures[key].body))

    @query("live")
    def rank_names(self) -> tuple[str, ...]:
        """Of variables that hold something of each rank's own; what the text of all units says."""
        return tuple(sorted(self.models.program.rank_names))

    @query("file")
    def found(self) -> StaticMessages:
        """What is proved, from the statements of all procedures: also of those that the head does not reach, which may
        be where each rank learns its number."""
        from snapset.analysis.messages.static_verdicts import static_messages

        for key in self.models.program.procedures:
            self.models.statements(key)
        self.rank_names()
        for key in self.models.component:
            self.models.place(key)
        return static_messages(self.models.program, self.root)

    @query("value")
    def any(self) -> bool:
        """Does anything communicate? A question of its own: whoever asks it depends on the answer, and not on what each
        procedure answers."""
        return any(self.talks(key) for key in self.models.component)

    def verdict(self, procedure: str, stmt: ir.Stmt) -> StaticVerdict | None:
        """What is proved of a part; None where nothing is."""
        return self.found().parts.get((procedure, stmt.id))

    def no_proof(self) -> tuple[str, ...]:
        """Why nothing is proved."""
        found = self.found()
        place = f" at {found.unknown_at.file}:{found.unknown_at.line}" if found.unknown_at else ""
        return (f"{found.unknown}{place}",) if found.unknown else ()

    @derived
    def speakers(self) -> frozenset[str]:
        """The procedures that communicate, or call one that does."""
        from snapset.analysis.messages.skeleton.skeleton_program import talking

        for key in self.models.component:
            self.models.statements(key)
        return talking(self.models.program, asking=False)

    @derived
    def receives_started(self) -> tuple[tuple[str, str], ...]:
        """Where receives are started: the procedure and the place."""
        for key in self.models.component:
            self.models.place(key)
        found = ((key, one) for key in self.models.component
                 for one in statements(self.models.program.procedures[key].body))
        return tuple((key, f"{one.span.file}:{one.span.line}") for key, one in found
                     if (call := known_call(one)) is not None and call.name == "mpi_irecv")

    def speaks(self, key: str) -> bool:
        """Does a procedure communicate, or what it calls?"""
        return key in self.speakers()

    def faults(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the program's own messages."""
        if not self.any():
            return ()
        said = (diagnostic(code, f"{text}: {_REMEDY.get(code, _REQUESTS)}", span)
                for code, span, text in self.found().said)
        return (*said, *self.foreign())

    def foreign(self) -> Iterator[Diagnostic]:
        """Messages started where their buffer is not seen: what that costs, and how it is avoided."""
        found = self.models.foreign_starts()
        for key, spans in found.places:
            for span in spans if key in found.leading else ():
                yield diagnostic("SN602", f"this may start a message prepared elsewhere, of {_few(found.buffers)}: "
                                 "calls that lead to it are taken to read and write all there is; start it where it "
                                 "is prepared, or keep its buffer in a module", span)

    def judged(self, procedure: str, stmt: ir.Stmt | None, said: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """The remarks of a part, what it communicates being judged by what is proved."""
        passing = [one for one in said if one.code == "SN110" and one.message.startswith(("MPI_", "PMPI_"))]
        if not passing or stmt is None:
            return said
        verdict = self.found().parts.get((procedure, stmt.id))
        if verdict is None:
            return said
        rest = tuple(one for one in said if one not in passing)
        if verdict.assumed and verdict.verdict in ("silent", "self-contained"):
            return said
        return rest if verdict.verdict in ("silent", "self-contained") else (*rest, _wrong(verdict, passing[0]))


def _few(names: tuple[str, ...]) -> str:
    """The first of a list, and how many more."""
    more = len(names) - 2
    return ", ".join(names[:2]) + (f" and {more} more" if more > 0 else "")


def _wrong(verdict: StaticVerdict, first: Diagnostic) -> Diagnostic:
    """SN601, at the first call of the part that communicates."""
    sizes = ", ".join(map(str, verdict.sizes))
    reasons = "; ".join(verdict.reasons[:2])
    return diagnostic("SN601", f"run twice, the part around this communicates wrongly ({verdict.verdict}, proved for "
                      f"{sizes} ranks): {reasons}; {_CURE[verdict.verdict]}", first.span)
