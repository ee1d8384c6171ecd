"""What generated code knows by name: NumPy's functions and the machine's own. No name of the program is among them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from snapset.analysis.replay.codegen.actual_arguments import (
    begun,
    component,
    copied,
    evaluated,
    nothing,
    pointing,
    temporary,
)
from snapset.analysis.replay.codegen.elemental_calls import elementwise
from snapset.analysis.replay.codegen.forall import settle
from snapset.analysis.replay.memory import array_intrinsics, associations, dynamic_types, element_copies, frames
from snapset.analysis.replay.memory.runtime_support import NAMES, ReplayError, Slot
from snapset.analysis.replay.statements import allocation, internal_files, message_calls
from snapset.analysis.replay.texts import character_values
from snapset.analysis.replay.texts.record_reader import RecordReader
from snapset.analysis.replay.texts.record_writer import RecordWriter, TransferError

KNOWN: Mapping[str, object] = MappingProxyType({
    **NAMES, **array_intrinsics.NAMES, **character_values.NAMES,
    **allocation.NAMES, **message_calls.NAMES,
    "Writer": RecordWriter, "Reader": RecordReader, "TransferError": TransferError, **internal_files.NAMES,
    "store_whole": element_copies.store_whole, "copy_whole": element_copies.copy_whole,
    "Slot": Slot, "fresh": frames.fresh, "ReplayError": ReplayError,
    "temporary": temporary, "component": component, "begun": begun, "evaluated": evaluated,
    "settle": settle,
    "procedure": frames.procedure, "gone": frames.gone, "Bound": frames.Bound,
    "pointing": pointing, "nothing": nothing, "copied": copied,
    "elementwise": elementwise,
    **associations.NAMES, **dynamic_types.NAMES, **element_copies.NAMES,
})
