"""The list of all data-flow problems: what the dump prints, what docs/dataflow.md and its test hold."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from snapset.analysis.activity.activity import EverVaried, Useful, Varied
from snapset.analysis.activity.dependence_cut import Influences, ReachingTheEnd
from snapset.analysis.adjoint.adjoint_liveness import AdjointLiveness, SplitSweep
from snapset.analysis.adjoint.available_expressions import AvailableAssignments
from snapset.analysis.adjoint.recomputation import OverwrittenLater, RequiredAnyway
from snapset.analysis.adjoint.relied_upon import ReliedUpon
from snapset.analysis.allocation.allocation_changes import AllocationStatus
from snapset.analysis.dataflow.framework import DataFlowProblem
from snapset.analysis.declared.stored_values import RequiredOfLists, StoredValues
from snapset.analysis.procedures.equal_shapes import SameShape
from snapset.analysis.procedures.live_code import CertainWrites, ExposedReads, LiveCode
from snapset.analysis.recording.to_be_recorded import ToBeRecorded
from snapset.analysis.reversal.weighed_requirements import RoughlyRequired
from snapset.analysis.sections.lost_values import EntryReads
from snapset.analysis.sections.rewritten_elements import UnneededElements

_ALL: tuple[type[DataFlowProblem[Any]], ...] = (
    ExposedReads, CertainWrites, SameShape, AllocationStatus, Varied, Useful, EverVaried, Influences, ReachingTheEnd,
    AdjointLiveness, SplitSweep, LiveCode, EntryReads, RoughlyRequired, AvailableAssignments, OverwrittenLater,
    RequiredAnyway, UnneededElements, ToBeRecorded, ReliedUpon, StoredValues, RequiredOfLists,
)
PROBLEMS: Mapping[str, type[DataFlowProblem[Any]]] = MappingProxyType({problem.name: problem for problem in _ALL})
