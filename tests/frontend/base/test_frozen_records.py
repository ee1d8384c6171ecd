"""`frozen` against the standard decorator: the same class twice, asked the same questions."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from inspect import signature
from typing import Any, ClassVar

import pytest
from snapset.analysis.dataflow.bitsets import May, Must
from snapset.analysis.procedures.effect_sets import Effect
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.frozen_records import replace as replaced
from snapset.frontend.ir import INTEGER, Literal_, PartRef
from snapset.frontend.persistence.serialization import dumps, loads


class Loud:
    __slots__ = ()

    def __hash__(self) -> int:
        return 7


def _standard(**options: bool) -> Callable[[Any], Any]:
    return dataclass(frozen=True, slots=True, **options)


def _classes(make: Callable[..., Callable[[Any], Any]]) -> dict[str, Any]:
    @make()
    class Plain:
        a: int
        b: str = "x"
        c: list[int] = field(default_factory=list, compare=False)

    @make(order=True)
    class Ordered:
        a: int
        b: int = field(default=0, repr=False)

    @make(kw_only=True)
    class Keywords:
        a: int
        b: int = 2

    @make(eq=False)
    class Identity:
        a: int

    @make()
    class Nothing:
        pass

    @make()
    class Derived(Plain):
        d: float = 0.5
        twice: float = field(init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "twice", 2 * self.d)

    @make()
    class OwnHash(Loud):
        a: int

        def __hash__(self) -> int:
            return 3

        def __repr__(self) -> str:
            return "own"

    @make()
    class OwnEquality:
        a: int

        def __eq__(self, other: object) -> bool:
            return True

    return {one.__name__: one for one in (Plain, Ordered, Keywords, Identity, Nothing, Derived, OwnHash, OwnEquality)}


OURS, THEIRS = _classes(lambda **options: frozen(**options)), _classes(_standard)


def _answer(asked: Callable[[], object]) -> object:
    try:
        return asked()
    except (TypeError, FrozenInstanceError) as error:
        return type(error)


QUESTIONS: list[Callable[[dict[str, Any]], object]] = [
    lambda of: repr(of["Plain"](1)).replace("_classes.<locals>.", ""),
    lambda of: repr([of["Ordered"](1, 2), of["Nothing"](), of["OwnHash"](1), of["Derived"](1)]),
    lambda of: of["Plain"](1, c=[1]) == of["Plain"](1),
    lambda of: of["Plain"](1) == of["Plain"](2),
    lambda of: of["Plain"](1) == of["Derived"](1),
    lambda of: of["Plain"](1) == 1,
    lambda of: len({of["Plain"](1), of["Plain"](1, c=[2]), of["Plain"](2)}),
    lambda of: hash(of["Plain"](1, "b")),
    lambda of: hash(of["Nothing"]()),
    lambda of: hash(of["OwnHash"](1)),
    lambda of: hash(of["OwnEquality"](1)) == hash(of["OwnEquality"](1)),
    lambda of: of["OwnEquality"](1) == of["OwnEquality"](2),
    lambda of: of["Identity"](1) == of["Identity"](1),
    lambda of: [one.a for one in sorted(map(of["Ordered"], (3, 1, 2)))],
    lambda of: of["Ordered"](1, 2) >= of["Ordered"](1, 3),
    lambda of: of["Ordered"](1) < 1,
    lambda of: of["Plain"](1) < of["Plain"](2),
    lambda of: of["Plain"](),
    lambda of: of["Keywords"](1),
    lambda of: of["Keywords"](a=1).b,
    lambda of: of["Plain"](1).c is of["Plain"](1).c,
    lambda of: setattr(of["Plain"](1), "a", 2),
    lambda of: delattr(of["Plain"](1), "a"),
    lambda of: hasattr(of["Plain"](1), "__dict__"),
    lambda of: (replace(of["Derived"](1), d=2.0).twice, [one.name for one in fields(of["Derived"])]),
    lambda of: (of["Keywords"].__match_args__, of["Derived"].__match_args__),
    lambda of: [one.a for one in (copy.copy(of["Plain"](4)), copy.deepcopy(of["Plain"](5, c=[1])))],
    lambda of: of["Plain"].__doc__ is not None,
    lambda of: str(signature(of["Keywords"])),
    lambda of: str(signature(of["Ordered"])),
]


@pytest.mark.parametrize("number", range(len(QUESTIONS)))
def test_as_the_standard_decorator(number: int) -> None:
    ask = QUESTIONS[number]
    assert _answer(lambda: ask(OURS)) == _answer(lambda: ask(THEIRS))


@frozen
class Sent:
    """Pickled as its class's name says."""

    a: int
    b: tuple[int, ...] = ()


def test_pickle_gives_it_back() -> None:
    assert pickle.loads(pickle.dumps(Sent(1, (2, 3)))) == Sent(1, (2, 3))


def _of_classes(make: Callable[..., Callable[[Any], Any]]) -> Any:
    @make(eq=False)
    class Base:
        said: ClassVar[str]
        a: int

    @make(eq=False)
    class Derived(Base):
        said = "again"  # no field, though one of the base is called so
        b: int = 2
        a: int = 1

    return Derived


@pytest.mark.parametrize("make", [lambda **options: frozen(**options), _standard])
def test_a_variable_of_the_class_is_no_field(make: Callable[..., Callable[[Any], Any]]) -> None:
    derived = _of_classes(make)
    assert [(one.name, one.default) for one in fields(derived)] == [("a", 1), ("b", 2)]
    assert derived.said == derived(5).said == "again"
    assert (derived(5).a, derived(5).b, derived.__match_args__) == (5, 2, ("a", "b"))


@pytest.mark.parametrize("make", [lambda **options: frozen(**options), _standard])
def test_what_the_standard_decorator_refuses_is_refused(make: Callable[..., Callable[[Any], Any]]) -> None:
    with pytest.raises(ValueError, match="mutable default"):
        @make()
        class Mutable:
            a: list[int] = []  # noqa: RUF012

    with pytest.raises(TypeError, match="no type annotation"):
        @make()
        class Undeclared:
            a: int
            b = field(default=1)


def test_what_is_wrong_says_whose() -> None:
    with pytest.raises(TypeError, match=r"Sent\.__init__\(\) missing 1 required positional argument: 'a'"):
        Sent()  # type: ignore[call-arg]
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'a'"):
        Sent(1).a = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'other'"):
        Sent(1).other = 2  # type: ignore[attr-defined]


def test_a_field_without_a_default_comes_before_those_with_one() -> None:
    with pytest.raises(TypeError, match="without a default follows 'a'"):
        @frozen
        class Wrong:
            a: int = 1
            b: str


def test_a_record_is_copied_as_the_standard_replace_does() -> None:
    of = _classes(lambda **options: frozen(**options))
    plain, derived = of["Plain"](1, "y", [3]), of["Derived"](1)
    assert replaced(plain, b="z") == replace(plain, b="z")
    assert replaced(plain, b="z").c is plain.c
    assert replaced(derived, d=2.0).twice == replace(derived, d=2.0).twice
    with pytest.raises(TypeError):
        replaced(plain, e=1)


# ---------------------------------------------------------------- quick records


def _quick_classes(make: Callable[..., Callable[[Any], Any]]) -> dict[str, Any]:
    @make()
    class Plain:
        a: int
        b: str = "x"
        c: list[int] = field(default_factory=list)

        @property
        def twice(self) -> int:
            return 2 * self.a

    @make(order=True)
    class Ordered:
        a: int
        b: int = 0

    @make(kw_only=True)
    class Keywords:
        a: int
        b: int = 2

    @make(eq=False)
    class Identity:
        a: int

    @make()
    class Nothing:
        pass

    @make()
    class OwnEquality:
        """Said."""

        a: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 3

        def __repr__(self) -> str:
            return "own"

    return {one.__name__: one for one in (Plain, Ordered, Keywords, Identity, Nothing, OwnEquality)}


QUICK, THEIR_QUICK = _quick_classes(lambda **options: frozen(quick=True, **options)), _quick_classes(_standard)
QUICK_QUESTIONS: list[Callable[[dict[str, Any]], object]] = [
    lambda of: repr([of["Plain"](1), of["Nothing"](), of["OwnEquality"](1)]).replace("_quick_classes.<locals>.", ""),
    lambda of: of["Plain"](1, c=[1]) == of["Plain"](1),
    lambda of: of["Plain"](1) == of["Plain"](1),
    lambda of: of["Ordered"](1) == of["Keywords"](a=1, b=0),
    lambda of: of["Plain"](1) == 1,
    lambda of: len({of["Ordered"](1), of["Ordered"](1, 0), of["Ordered"](2)}),
    lambda of: hash(of["Plain"](1)),
    lambda of: len({of["Nothing"](), of["Nothing"]()}),
    lambda of: (hash(of["OwnEquality"](1)), of["OwnEquality"](1) == of["OwnEquality"](2)),
    lambda of: (of["Identity"](1) == of["Identity"](1), len({of["Identity"](1), of["Identity"](1)})),
    lambda of: [one.a for one in sorted(map(of["Ordered"], (3, 1, 2)))],
    lambda of: of["Ordered"](1) < 1,
    lambda of: of["Plain"](1) < of["Plain"](2),
    lambda of: of["Plain"](),
    lambda of: of["Plain"](1, d=2),
    lambda of: of["Keywords"](1),
    lambda of: of["Keywords"](a=1).b,
    lambda of: of["Plain"](1).c is of["Plain"](1).c,
    lambda of: of["Plain"](4).twice,
    lambda of: setattr(of["Plain"](1), "a", 2),
    lambda of: delattr(of["Plain"](1), "a"),
    lambda of: hasattr(of["Plain"](1), "__dict__"),
    lambda of: (replace(of["Plain"](1), b="y").b, [one.name for one in fields(of["Plain"])]),
    lambda of: (of["Keywords"].__match_args__, of["Plain"].__match_args__),
    lambda of: [one.a for one in (copy.copy(of["Plain"](4)), copy.deepcopy(of["Plain"](5, c=[1])))],
    lambda of: of["OwnEquality"].__doc__,
]


@pytest.mark.parametrize("number", range(len(QUICK_QUESTIONS)))
def test_quick_records_are_as_the_standard_decorator_makes_them(number: int) -> None:
    ask = QUICK_QUESTIONS[number]
    assert _answer(lambda: ask(QUICK)) == _answer(lambda: ask(THEIR_QUICK))


def test_a_quick_record_is_kept_in_the_cache_and_changed_like_others() -> None:
    part = PartRef("x", (Literal_(3, INTEGER),))
    effect = Effect(use=May(3), out=May(5), kill=Must(1))
    assert loads(dumps((part, effect))) == (part, effect)
    assert pickle.loads(pickle.dumps((part, effect))) == (part, effect)
    assert (replaced(effect, out=May(7)).out, replaced(effect, out=May(7)).use) == (7, 3)
    with pytest.raises(TypeError):
        replaced(effect, e=1)  # type: ignore[call-arg]


def test_what_no_quick_record_can_be_is_refused() -> None:
    with pytest.raises(TypeError, match="no bases"):
        @frozen(quick=True)
        class Inherits(Loud):
            a: int

    with pytest.raises(TypeError, match=r"Hidden\.a: .* no options"):
        @frozen(quick=True)
        class Hidden:
            a: int = field(compare=False)
