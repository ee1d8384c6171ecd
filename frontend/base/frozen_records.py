"""Frozen dataclasses with slots that are quick to define and to make: snapset has hundreds, and starts often.

    @frozen
    class Place:
        line: int
        column: int = 0

is `@dataclass(frozen=True, slots=True)` in all that a user sees: fields, `replace`, `match`, equality, hash, order, its
text it prints as, FrozenInstanceError. What differs is where the methods come from. The standard decorator writes and
compiles Python text for seven of them, class by class: half of the time that snapset took to start. Here `__init__`
alone is compiled, which sets the slots directly; the others are closures over the fields' names. Fields are found here,
too, where each annotation is plain; what is not (`ClassVar`, a mutable default) is the standard decorator's.

`@frozen(quick=True)` is for records that are made by the ten thousand: msgspec makes, compares and hashes them in C, an
eighth of the time. They have no bases, and `isinstance` takes longer to say no of their class; so what is told apart by
its class is no quick record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from operator import attrgetter, ge, gt, le, lt
from reprlib import recursive_repr
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any, Final, TypeVar, cast, dataclass_transform, overload

_C = TypeVar("_C", bound=type[Any])
_R = TypeVar("_R")
_Values = Callable[[Any], tuple[Any, ...]]

VALUES = "__values__"
"""The attribute of a record that gives the values of all its fields, in order, as a tuple."""

_OF_A_CLASS = ("__dict__", "__weakref__")


@overload
def frozen(kind: _C, /) -> _C: ...
@overload
def frozen(*, eq: bool = True, order: bool = False, kw_only: bool = False,
           quick: bool = False) -> Callable[[_C], _C]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field, Field))
def frozen(kind: Any = None, /, *, eq: bool = True, order: bool = False, kw_only: bool = False,
           quick: bool = False) -> Any:
    """The class as a frozen dataclass with slots. ``eq``, ``order``, ``kw_only``: as :func:`dataclasses.dataclass`."""
    if quick:
        return lambda one: _quick(one, eq, order, kw_only)
    if kind is None:
        return lambda one: _frozen(one, eq, order, kw_only)
    return _frozen(kind, eq, order, kw_only)


def _frozen(kind: type[Any], eq: bool, order: bool, kw_only: bool) -> type[Any]:
    written = kind.__dict__
    hashed = written.get("__hash__") is not None  # a class with an __eq__ of its own is given None by Python
    if kind.__doc__ is None:
        kind.__doc__ = kind.__name__  # else dataclass works out a signature
    own, made = _laid_out(kind, kw_only)
    put = [getattr(made, one.name).__set__ for one in own]
    given = [one.name for one in own if one.init]
    made.__given__ = given, _values(given)
    every = _values([one.name for one in own])
    setattr(made, VALUES, property(every))
    compared = _values([one.name for one in own if one.compare])
    methods: dict[str, Any] = {"__repr__": _repr, "__setattr__": _no_set, "__delattr__": _no_delete,
                               "__getstate__": lambda one: every(one), "__setstate__": _restoring(put)}  # fmt: skip
    made.__by_place__ = False
    if "__init__" not in written:
        methods["__init__"] = _init(made, own, put)
        made.__by_place__ = not hasattr(made, "__post_init__") and all(one.init and not one.kw_only for one in own)
    if eq:
        methods["__eq__"] = _equal(compared)
        if not hashed:
            made.__hash__ = _hash(compared)
    if order:
        methods |= {f"__{one.__name__}__": _compare(one, compared) for one in (lt, le, gt, ge)}
    for name, method in methods.items():
        if name not in written:
            setattr(made, name, method)
    return made  # type: ignore[no-any-return]


@dataclass(init=False, repr=False, eq=False, slots=True)
class _Sample:
    """What the standard decorator writes on a class and its fields."""

    one: int


_SAMPLE: Final[Any] = fields(_Sample)[0]._field_type  # type: ignore[attr-defined]
_DECORATED: Final[Any] = _Sample.__dataclass_params__  # type: ignore[attr-defined]
_SPECIAL: Final = ("ClassVar", "InitVar", "KW_ONLY")


def _laid_out(kind: type[Any], kw_only: bool) -> tuple[tuple[Field[Any], ...], Any]:
    """A class's fields, and the class with a slot for each, as the standard decorator makes both."""
    new = _own_fields(kind, kw_only)
    if new is None:
        made = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(kind)
        return fields(made), made
    every: dict[str, Field[Any]] = {}
    taken: set[str] = set()
    for base in kind.__mro__[-2:0:-1]:
        every |= getattr(base, "__dataclass_fields__", {})
        slots = base.__dict__.get("__slots__", ())
        taken.update((slots,) if isinstance(slots, str) else slots)
    every |= new
    own = tuple(one for one in every.values() if one._field_type is _SAMPLE)  # type: ignore[attr-defined]
    names = {one.name for one in own}
    body = {name: one for name, one in kind.__dict__.items() if name not in names and name not in _OF_A_CLASS}
    body["__slots__"] = tuple(one.name for one in own if one.name not in taken)
    body["__dataclass_fields__"], body["__dataclass_params__"] = every, _DECORATED
    body.setdefault("__match_args__", tuple(one.name for one in own if one.init and not one.kw_only))
    meta: Any = type(kind)
    made = meta(kind.__name__, kind.__bases__, body)
    made.__qualname__ = kind.__qualname__
    return own, made


def _own_fields(kind: type[Any], kw_only: bool) -> dict[str, Field[Any]] | None:
    """The fields that the body of a class declares; None where the standard decorator has to look at it: annotations
    that are no field, mutable defaults, fields without an annotation, slots or no field at all."""
    written = kind.__dict__
    annotations: dict[str, Any] | None = written.get("__annotations__")
    if annotations is None or "__slots__" in written:
        return None
    found: dict[str, Any] = {}
    for name, written_type in annotations.items():
        if not isinstance(written_type, str) or any(special in written_type for special in _SPECIAL):
            return None
        default = getattr(kind, name, MISSING)
        one: Any = default if isinstance(default, Field) else field(
            default=MISSING if isinstance(default, MemberDescriptorType) else default)
        if one.default.__class__.__hash__ is None:
            return None
        one.name, one.type, one._field_type = name, written_type, _SAMPLE
        if one.kw_only is MISSING:
            one.kw_only = kw_only
        found[name] = one
    undeclared = any(isinstance(one, Field) and name not in found for name, one in written.items())
    return None if undeclared else found


def _quick(kind: type[Any], eq: bool, order: bool, kw_only: bool) -> type[Any]:
    import msgspec

    if kind.__bases__ != (object,):
        raise TypeError(f"{kind.__qualname__}: a quick record has no bases")
    written: dict[str, Any] = {name: one for name, one in vars(kind).items() if name not in _OF_A_CLASS}
    own, laid_out = _laid_out(kind, kw_only)
    for one in own:
        if not (one.init and one.compare and one.repr and bool(one.kw_only) == kw_only):
            raise TypeError(f"{kind.__qualname__}.{one.name}: a field of a quick record has no options")
        if one.default_factory is not MISSING:
            written[one.name] = msgspec.field(default_factory=one.default_factory)
    every = property(_values([one.name for one in own]))
    methods = {"__repr__": _repr, "__given__": msgspec.structs.replace, VALUES: every,
               "__dataclass_fields__": vars(laid_out)["__dataclass_fields__"]}
    make: Any = type(msgspec.Struct)
    made: type[Any] = make(kind.__name__, (msgspec.Struct,), {**methods, **written},
                           frozen=True, eq=eq, order=order, kw_only=kw_only)
    made.__setattr__, made.__delattr__ = _no_set, _no_delete  # type: ignore[assignment]
    return made


def is_quick(kind: type[Any]) -> bool:
    """Is it a class of quick records?"""
    return callable(getattr(kind, "__given__", None))


def takes_values(kind: type[Any]) -> bool:
    """Does calling the class with the values of all fields, in order, do nothing but put them there?"""
    return bool(kind.__dict__.get("__by_place__", False))


def replace(record: _R, /, **changes: Any) -> _R:
    """The record with other values of some fields, as :func:`dataclasses.replace`, in half the time."""
    given = record.__given__  # type: ignore[attr-defined]
    if callable(given):
        return given(record, **changes)  # type: ignore[no-any-return]
    names, values = given
    return record.__class__(**(dict(zip(names, values(record), strict=True)) | changes))


def _values(names: list[str]) -> _Values:
    """Gives the values of these attributes."""
    if not names:
        return lambda one: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda one: (get(one),)


def _init(made: type[Any], own: tuple[Field[Any], ...], put: list[Callable[[Any, Any], None]]) -> Any:
    """`def __init__(self, line, column=_default1): _put0(self, line); _put1(self, column)`: the code of another class
    with as many fields, and other names in it."""
    given = [one for one in own if one.init]
    if len(given) < len(own) and not all(one.init or (one.default is one.default_factory is MISSING) for one in own):
        return _written_init(made, own, put)
    setters = {one.name: setter if one.default_factory is MISSING else _making(setter, one.default_factory)
               for one, setter in zip(own, put, strict=True) if one.init}
    return _shared_init(made, given, setters)


def _making(put: Callable[[Any, Any], None], make: Callable[[], Any]) -> Callable[[Any, Any], None]:
    """Sets a field that has a factory: what is given, else what that makes."""
    return lambda one, value: put(one, make() if value is MISSING else value)


def _written_init(made: type[Any], own: tuple[Field[Any], ...], put: list[Callable[[Any, Any], None]]) -> Any:
    """The same with a text of its own, where fields that are no parameters have values."""
    names: dict[str, Any] = {"_missing": MISSING}
    places: dict[bool, list[str]] = {False: [], True: []}
    body = []
    for number, one in enumerate(own):
        value, names[f"_put{number}"] = one.name, put[number]
        default = one.default is not MISSING or one.default_factory is not MISSING
        if one.default_factory is not MISSING:
            names[f"_make{number}"] = one.default_factory
            value = f"_make{number}() if {value} is _missing else {value}" if one.init else f"_make{number}()"
        elif default and not one.init:
            value = f"_default{number}"
        names[f"_default{number}"] = one.default
        if one.init:
            places[bool(one.kw_only)].append(f"{one.name}=_default{number}" if default else one.name)
        if one.init or default:
            body.append(f" _put{number}(self, {value})")
    if hasattr(made, "__post_init__"):
        body.append(" self.__post_init__()")
    parameters = ", ".join(("self", *places[False], *(("*", *places[True]) if places[True] else ())))
    exec("\n".join((f"def __init__({parameters}):", *(body or (" pass",)))), names)
    return _of_class(names["__init__"], made, [one for one in own if one.init])


def _shared_init(made: type[Any], own: list[Field[Any]], setters: dict[str, Callable[[Any, Any], None]]) -> Any:
    by_place, by_name = ([one for one in own if bool(one.kw_only) == named] for named in (False, True))
    defaults = [one.default for one in by_place if _optional(one)]
    for one in by_place[:len(by_place) - len(defaults)]:
        if _optional(one):
            raise TypeError(f"{made.__qualname__}: a field without a default follows {one.name!r}, which has one")
    code = _code(len(by_place), len(by_name), hasattr(made, "__post_init__"))
    ordered = (*by_place, *by_name)
    init = FunctionType(code.replace(co_varnames=("self", *(one.name for one in ordered))),
                        {f"_put{number}": setters[one.name] for number, one in enumerate(ordered)}, "__init__",
                        tuple(defaults) or None)
    init.__kwdefaults__ = {one.name: one.default for one in by_name if _optional(one)} or None
    return _of_class(init, made, own)


def _optional(one: Field[Any]) -> bool:
    return one.default is not MISSING or one.default_factory is not MISSING


@cache
def _code(by_place: int, by_name: int, post_init: bool) -> CodeType:
    """Compiled once for all classes with so many fields: half of the time that it took to define them."""
    parameters = [f"_{number}" for number in range(by_place + by_name)]
    if by_name:
        parameters.insert(by_place, "*")
    body = [f" _put{number}(self, _{number})" for number in range(by_place + by_name)]
    names: dict[str, Any] = {}
    exec("\n".join((f"def __init__({', '.join(('self', *parameters))}):", *body,
                    *([" self.__post_init__()"] if post_init else []), " return")), names)
    return cast("CodeType", names["__init__"].__code__)


def _of_class(init: Any, made: type[Any], own: list[Field[Any]]) -> Any:
    """A function as the method of a class."""
    init.__annotations__ = {one.name: one.type for one in own} | {"return": None}
    init.__qualname__, init.__module__ = f"{made.__qualname__}.__init__", made.__module__
    return init


def _equal(values: _Values) -> Any:
    def equal(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented
    return equal


def _compare(how: Callable[[Any, Any], Any], values: _Values) -> Any:
    def compare(self: Any, other: Any) -> Any:
        return how(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented
    return compare


def _hash(values: _Values) -> Any:
    return lambda self: hash(values(self))


def _restoring(put: list[Callable[[Any, Any], None]]) -> Any:
    """Unpickles what `__getstate__` gave."""
    def restore(self: Any, state: tuple[Any, ...]) -> None:
        for one, value in zip(put, state, strict=True):
            one(self, value)
    return restore


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _no_set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
