"""What modules that nobody gives the source of define, as far as programs name it: those of the language and MPI's.

``use iso_c_binding`` gives C_DOUBLE, 8, ``type(c_ptr)``, eight bytes, and C_NULL_CHAR, a character.

The values of MPI are MPICH's where that has some: another library's may differ, and nothing in the analysis rests on
them but that two of them differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from snapset.frontend import ir

MPI_HANDLES: Final = frozenset(f"mpi_{name}" for name in (
    "comm", "request", "datatype", "op", "group", "info", "errhandler", "message"))
"""The types of ``mpi_f08`` that hold nothing but a number: ``type(MPI_Request)`` is taken for an integer."""

MPI_STATUS: Final = "mpi_status"
STATUS_INDEX: Final = MappingProxyType({"mpi_source": 3, "mpi_tag": 4, "mpi_error": 5})
"""``type(MPI_Status)`` is taken for the array of five integers that a status is without ``mpi_f08``: ``s%MPI_TAG`` is
s(4), ``many(k)%MPI_TAG`` many(4,k)."""

MPI_CONSTANTS: Final[Mapping[str, int]] = MappingProxyType({
    "mpi_success": 0, "mpi_undefined": -32766, "mpi_proc_null": -1, "mpi_any_source": -2, "mpi_any_tag": -1,
    "mpi_root": -3, "mpi_status_size": 5, "mpi_source": 3, "mpi_tag": 4, "mpi_error": 5, "mpi_in_place": -11111,
    "mpi_bottom": -11112, "mpi_status_ignore": -11113, "mpi_statuses_ignore": -11114, "mpi_errcodes_ignore": -11115,
    "mpi_unweighted": -11116, "mpi_info_null": 469762048, "mpi_group_null": 134217728, "mpi_op_null": 402653184,
    "mpi_comm_world": 1140850688, "mpi_comm_self": 1140850689, "mpi_comm_null": 67108864,
    "mpi_request_null": 738197504, "mpi_datatype_null": 201326592, "mpi_message_null": 738197505,
    "mpi_integer": 1275069467, "mpi_real": 1275069468, "mpi_logical": 1275069469, "mpi_complex": 1275070494,
    "mpi_double_precision": 1275070495, "mpi_double_complex": 1275072546, "mpi_character": 1275068698,
    "mpi_byte": 1275068685, "mpi_packed": 1275068687, "mpi_2integer": 1275070496, "mpi_2real": 1275070497,
    "mpi_2double_precision": 1275072547, "mpi_integer1": 1275068717, "mpi_integer2": 1275068975,
    "mpi_integer4": 1275069488, "mpi_integer8": 1275070513, "mpi_real4": 1275069479, "mpi_real8": 1275070505,
    "mpi_complex8": 1275070504, "mpi_complex16": 1275072554, "mpi_max": 1476395009, "mpi_min": 1476395010,
    "mpi_sum": 1476395011, "mpi_prod": 1476395012, "mpi_land": 1476395013, "mpi_band": 1476395014,
    "mpi_lor": 1476395015, "mpi_bor": 1476395016, "mpi_lxor": 1476395017, "mpi_bxor": 1476395018,
    "mpi_minloc": 1476395019, "mpi_maxloc": 1476395020, "mpi_replace": 1476395021, "mpi_thread_single": 0,
    "mpi_thread_funneled": 1, "mpi_thread_serialized": 2, "mpi_thread_multiple": 3, "mpi_max_processor_name": 128,
    "mpi_max_error_string": 512, "mpi_max_object_name": 128, "mpi_tag_ub": 1681915906, "mpi_address_kind": 8,
    "mpi_offset_kind": 8, "mpi_integer_kind": 4, "mpi_order_fortran": 57, "mpi_order_c": 56, "mpi_ident": 0,
    "mpi_congruent": 1, "mpi_similar": 2, "mpi_unequal": 3, "mpi_comm_type_shared": 1,
    "mpi_errors_are_fatal": 1409286144, "mpi_errors_return": 1409286145, "mpi_mode_rdonly": 2, "mpi_mode_wronly": 4,
    "mpi_mode_create": 1,
})  # fmt: skip

ISO_FORTRAN_ENV: Final[Mapping[str, int]] = MappingProxyType({
    "int8": 1, "int16": 2, "int32": 4, "int64": 8, "real32": 4, "real64": 8, "real128": 16, "logical8": 1,
    "logical16": 2, "logical32": 4, "logical64": 8, "input_unit": 5, "output_unit": 6, "error_unit": 0,
    "character_storage_size": 8, "numeric_storage_size": 32, "file_storage_size": 8, "iostat_end": -1,
    "iostat_eor": -2, "iostat_inquire_internal_unit": 5018, "atomic_int_kind": 4, "atomic_logical_kind": 4,
})  # fmt: skip
ISO_C_BINDING: Final[Mapping[str, int]] = MappingProxyType({
    "c_int": 4, "c_short": 2, "c_long": 8, "c_long_long": 8, "c_signed_char": 1, "c_size_t": 8, "c_int8_t": 1,
    "c_int16_t": 2, "c_int32_t": 4, "c_int64_t": 8, "c_int_least8_t": 1, "c_int_least16_t": 2, "c_int_least32_t": 4,
    "c_int_least64_t": 8, "c_int_fast8_t": 1, "c_int_fast16_t": 8, "c_int_fast32_t": 8, "c_int_fast64_t": 8,
    "c_intmax_t": 8, "c_intptr_t": 8, "c_ptrdiff_t": 8, "c_float": 4, "c_double": 8, "c_long_double": 10,
    "c_float_complex": 4, "c_double_complex": 8, "c_long_double_complex": 10, "c_bool": 1, "c_char": 1,
})  # fmt: skip

HANDLES: Final = MappingProxyType({"c_ptr": 8, "c_funptr": 8})
"""The types of ISO_C_BINDING, which hold an address, and their sizes in bytes."""

_CHARACTERS: Final = MappingProxyType({
    "c_null_char": "\0", "c_alert": "\a", "c_backspace": "\b", "c_form_feed": "\f", "c_new_line": "\n",
    "c_carriage_return": "\r", "c_horizontal_tab": "\t", "c_vertical_tab": "\v",
})  # fmt: skip


def handle(name: str) -> ir.Type:
    """The type of an address: it might carry a derivative, as what stands there might."""
    return ir.Type("unknown", HANDLES[name])


def constants_of_c() -> dict[str, ir.Literal_]:
    """The named constants of ISO_C_BINDING that are no integers: ``C_NULL_CHAR``, ``C_NULL_PTR``."""
    found = {name: ir.Literal_(text, ir.Type("character", 1)) for name, text in _CHARACTERS.items()}
    return found | {name: ir.Literal_(0, handle(of)) for name, of in (("c_null_ptr", "c_ptr"),
                                                                    ("c_null_funptr", "c_funptr"))}
