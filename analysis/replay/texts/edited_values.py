"""Values as text: what one edit descriptor, or list-directed output, makes of a number, as gfortran has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.texts.edit_descriptors import Edit

_BASES = {"b": "b", "o": "o", "z": "X"}
_LISTED = {1: 4, 2: 6, 4: 11, 8: 20}  # the width of an integer by its bytes
_SHOWN = {4: (9, 16, 2), 8: (17, 25, 3)}  # of a real: digits that count, width, digits of the exponent


@dataclass(slots=True)
class EditModes:
    """What P, SP, SS and BZ set for what follows. ``scale``: P's factor; ``plus``: of SP; ``zeros``: of BZ."""

    scale: int = 0
    plus: bool = False
    zeros: bool = False

    def set(self, edit: Edit) -> None:
        match edit.kind:
            case "p":
                self.scale = edit.width
            case "sp" | "ss" | "s":
                self.plus = edit.kind == "sp"
            case "bn" | "bz":
                self.zeros = edit.kind == "bz"


# ---------------------------------------------------------------- with a format


def edited(value: Any, edit: Edit, modes: EditModes) -> str:
    """The field of one value. Raises ReplayError where the descriptor is for other types."""
    if isinstance(value, bytes):
        return _characters(value.decode("latin-1"), edit)
    if isinstance(value, bool | np.bool_):
        if edit.kind not in ("l", "g"):
            raise ReplayError(f"a logical value is written with the edit descriptor {edit.kind.upper()}")
        return ("T" if value else "F").rjust(edit.width or 1)
    kind = edit.kind
    if kind == "g":
        text = _general(value, edit, modes) if isinstance(value, np.floating) else _integer(
            int(value), Edit("i", edit.width), modes)
    elif isinstance(value, np.floating) != (kind in ("f", "e", "en", "es", "d")):
        raise ReplayError(f"a number is written with the edit descriptor {kind.upper()}, which is for another type")
    else:
        text = _real(float(value), edit, modes) if isinstance(value, np.floating) else _integer(
            int(value), edit, modes, value.dtype.itemsize)
    return text.rjust(edit.width) if len(text) <= edit.width or not edit.width else "*" * edit.width


def _characters(text: str, edit: Edit) -> str:
    if edit.kind not in ("a", "g"):
        raise ReplayError(f"characters are written with the edit descriptor {edit.kind.upper()}")
    return text[:edit.width].rjust(edit.width) if edit.width else text


def _integer(value: int, edit: Edit, modes: EditModes, size: int = 8) -> str:
    if edit.kind in _BASES:
        digits = format(value % (1 << 8 * size), _BASES[edit.kind])
        return "" if value == 0 and edit.digits == 0 else digits.rjust(edit.digits or 1, "0")
    if edit.digits == 0 and value == 0:
        return ""
    sign = "-" if value < 0 else "+" if modes.plus else ""
    return sign + str(abs(value)).rjust(edit.digits or 1, "0")


def _real(value: float, edit: Edit, modes: EditModes) -> str:
    """F, E, D, EN and ES."""
    if not np.isfinite(value):
        return _not_finite(value, edit.width, modes)
    digits = edit.digits or 0
    match edit.kind:
        case "f":
            text = _fixed(value, digits, modes.scale)
        case "en":
            text = _engineering(value, edit)
        case "es":
            text = _scientific(value, edit, digits, 1)
        case _:
            text = _scaled(value, edit, digits, modes.scale)
    if modes.plus and not text.startswith("-"):
        text = f"+{text}"
    bare = text.replace("0.", ".", 1) if text.lstrip("+-").startswith("0.") else text
    if edit.kind in ("f", "e", "d") and bare != "." and (len(text) > edit.width > 0 or (
            edit.width == 0 and edit.kind == "f")) and bare.strip("+-.") != "":
        return bare
    return text


def _not_finite(value: float, width: int, modes: EditModes) -> str:
    if np.isnan(value):
        return "NaN"
    sign = "-" if value < 0 else "+" if modes.plus else ""
    return f"{sign}{'Infinity' if width >= 8 + len(sign) or not width else 'Inf'}"


def _fixed(value: float, digits: int, scale: int) -> str:
    if scale == 0:
        text = f"{value:.{digits}f}"
    else:  # the decimal point moves, exactly
        from decimal import Decimal  # most programs have no P

        text = f"{Decimal(value).scaleb(scale):.{digits}f}"
    return text + ("." if digits == 0 else "")


def _power(power: int, edit: Edit) -> str:
    """``E+05``, ``-120``, ``E+005`` by Ew.dE3. Raises ReplayError where the digits are too few."""
    letter, size = ("D" if edit.kind == "d" else "E"), edit.exponent
    if edit.exponent is None and edit.width == 0:
        size = 1
    if size is None:
        letter, size = (letter, 2) if abs(power) <= 99 else ("", 3)
    shown = f"{abs(power):0{max(1, size)}d}"
    if edit.exponent is not None and edit.exponent > 0 and len(shown) > edit.exponent:
        raise ReplayError("an exponent that does not fit its edit descriptor")
    return f"{letter}{'-' if power < 0 else '+'}{shown}"


def _mantissa(value: float, digits: int) -> tuple[str, str, int]:
    """Sign, so many digits, and the power of ten of the first one."""
    text, _, power = f"{abs(value):.{digits - 1}e}".partition("e")
    sign = "-" if np.signbit(value) else ""
    return sign, text.replace(".", ""), int(power)


def _scientific(value: float, edit: Edit, digits: int, before: int) -> str:
    """``before``: how many digits stand in front of the point."""
    sign, shown, power = _mantissa(value, digits + before)
    return f"{sign}{shown[:before]}.{shown[before:]}{_power(power - before + 1 if value else 0, edit)}"


def _engineering(value: float, edit: Edit) -> str:
    """The exponent is a multiple of three."""
    digits = edit.digits or 0
    before = 1
    for _ in range(2):  # rounding may make another power of it
        _, _, power = _mantissa(value, digits + before)
        before = power % 3 + 1 if value else 1
    return _scientific(value, edit, digits, before)


def _scaled(value: float, edit: Edit, digits: int, scale: int) -> str:
    """E and D, with a scale factor."""
    if scale > 0:
        return _scientific(value, edit, digits - scale + 1, scale)
    counted = digits + scale  # digits that count behind the zeros
    if counted <= 0:
        raise ReplayError("an edit descriptor of which a scale factor leaves no digit")
    sign, shown, power = _mantissa(value, counted)
    return f"{sign}0.{'0' * -scale}{shown}{_power(power + 1 - scale if value else 0, edit)}"


def _general(value: Any, edit: Edit, modes: EditModes) -> str:
    """G: as F where that shows all digits, else as E."""
    number, size = float(value), value.dtype.itemsize
    if not np.isfinite(number):
        return _not_finite(number, edit.width, modes)
    if edit.width == 0 and edit.digits is None:
        return ("+" if modes.plus and not np.signbit(number) else "") + _shown(number, size).strip()
    digits = edit.digits or 0
    _, _, power = _mantissa(number, max(1, digits))
    place = power + 1 if number else 1
    if digits == 0 or not 0 <= place <= digits:
        exponent = edit.exponent if edit.width or edit.exponent else 2
        return _real(number, Edit("e", edit.width, digits, exponent), modes)
    blanks = 0 if edit.width == 0 else 4 if edit.exponent is None else edit.exponent + 2
    inner = Edit("f", max(0, edit.width - blanks), digits - place)
    text = _fixed(number, digits - place, 0)
    if modes.plus and not text.startswith("-"):
        text = f"+{text}"
    if 0 < inner.width < len(text):
        text = text.replace("0.", ".", 1) if text.lstrip("+-").startswith("0.") else "*" * inner.width
    return text + " " * blanks


# ---------------------------------------------------------------- list-directed


def _shown(value: float, size: int) -> str:
    """A real as list-directed output has it, in its field, from the left."""
    digits, width, exponent = _SHOWN[size]
    if not np.isfinite(value):
        return _not_finite(value, width, EditModes()).rjust(width)
    _, _, power = _mantissa(value, digits)
    if value and not -1 <= power < digits:
        return _scientific(value, Edit("es", width, exponent=exponent), digits - 1, 1).rjust(width)
    text = _fixed(value, digits - 1 - (power if value else 0), 0)
    return (text + " " * (exponent + 2)).rjust(width)


def listed(value: Any, follows_characters: bool) -> str:
    """One item of a list-directed record with the blank before it; characters that follow characters have none."""
    if isinstance(value, bytes):
        return ("" if follows_characters else " ") + value.decode("latin-1")
    if isinstance(value, bool | np.bool_):
        return " T" if value else " F"
    size = value.dtype.itemsize
    if isinstance(value, np.complexfloating):
        width = 2 * _SHOWN[size // 2][1] + 3
        parts = ",".join(_shown(float(part), size // 2).strip() for part in (value.real, value.imag))
        return " " + f"({parts})".rjust(width)
    if isinstance(value, np.floating):
        return " " + _shown(float(value), size)
    return " " + str(int(value)).rjust(_LISTED[size])
