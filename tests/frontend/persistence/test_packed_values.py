"""Values packed for the cache: they come back as they were, and nothing that was not packed here is unpacked."""

from __future__ import annotations

import os
import pickle

import pytest
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.persistence.entry_seal import ForeignError, Seal
from snapset.frontend.persistence.serialization import DamagedError, dumps, loads, pack, read_only, unpack

from tests.frontend.persistence.test_cache import KEY


def test_values_come_back_as_they_were() -> None:
    value = {"span": Span("a.f90", 1, 2), "view": read_only({"x": frozenset({1})}), "list": [Span("b", 3, 3)] * 2}
    assert loads(dumps(value)) == value
    assert unpack(pack(value)) == value


class _Harm:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("true",)


@pytest.mark.parametrize("data", [
    pickle.dumps(_Harm()),
    b"csnapset.frontend.sources.preprocessor\nsubprocess.Popen\n.",
    b"csnapset.frontend.sources.preprocessor\nPath\n.",
    b"cbuiltins\neval\n.",
    b"",
])  # fmt: skip
def test_what_snapset_has_not_packed_is_refused(data: bytes) -> None:
    with pytest.raises((pickle.UnpicklingError, EOFError, AttributeError)):
        loads(data)


def test_a_wrong_checksum() -> None:
    seal = Seal(b"s" * 32)
    sealed = seal.close(KEY, pack((1, 2)))
    assert unpack(seal.open(KEY, sealed)) == (1, 2)
    for at in range(len(sealed)):
        with pytest.raises(ForeignError):
            seal.open(KEY, sealed[:at] + bytes((sealed[at] ^ 255,)) + sealed[at + 1 :])


@pytest.mark.parametrize("cut", [0, 1, 10, -1])
def test_what_is_not_packed_is_damaged(cut: int) -> None:
    with pytest.raises(DamagedError):
        unpack(pack((1, 2))[:cut])
