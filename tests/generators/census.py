"""Which constructs the frontend accepts, and which of them each generator writes: both read off the code.

    python -m tests.generators.census                what no generator writes, and who writes what is rare
    python -m tests.generators.census --programs 300 --generator general
    python -m tests.generators.census --counts --generator privates,rows --first 8500000 --programs 900
                                                     in how many of the programs each construct stands
    python -m tests.generators.census --few              few programs that write all: WITNESSES in test_census.py

*Accepted* is what the classes of the IR can say: every statement and expression class, every field that may be left
out, be true, or be one of several words (``Do.kind=concurrent``, ``Call.alternates``, ``Variable.pointer``); every kind
of statement that lowering takes, every intrinsic of the table, every operator, every element type of the machine. A
class, a field, a record that is added is accepted from then on, and test_census.py fails until a generator writes it or
the list there says why none does. *Written* is what stands in the IR of random programs, found by the same rule.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from snapset.analysis.replay.memory.variable_slots import DTYPES
from snapset.frontend import ir
from snapset.frontend.base.source_model import Line, ReadOptions, Unit
from snapset.frontend.ir import expressions, statements
from snapset.frontend.ir.intrinsic_table import FUNCTIONS
from snapset.frontend.ir.intrinsics import STOPPING, SUBROUTINES
from snapset.frontend.load import load_text
from snapset.frontend.lowering.procedure import CONSTRUCTS
from snapset.frontend.lowering.simple_statements import SIMPLE
from snapset.frontend.parsing.operator_precedence import INTRINSIC_OPERATORS
from snapset.frontend.parsing.statement_classifier import IO_ACTIONS, classify
from snapset.frontend.reading.read import text_units

from tests.generators import fuzz
from tests.generators.constructs import programs as constructs
from tests.generators.further import FURTHER
from tests.generators.messages import random_objects, random_requests, random_spmd
from tests.generators.rare import RARE
from tests.generators.sections import random_sections

PLACES = frozenset(("span", "id", "end", "name", "key", "parts", "bytes", "offset", "area", "lower", "upper", "text"))
"""Fields that every object has, or that say where it stands: no constructs."""
OUTSIDE = frozenset((ir.Program, ir.Stmt))


def generators() -> Mapping[str, Callable[[int], str]]:
    """By name, what gives the text of a program for a number."""
    found: dict[str, Callable[[int], str]] = {
        kind: lambda number, module=module: module.program(Random(number)) for kind, module in fuzz.KINDS.items()}
    found["constructs"] = lambda number: constructs.program(number).text
    found["rare"] = lambda number: constructs.program(number, RARE).text
    found["further"] = lambda number: constructs.program(number, FURTHER).text
    found["sections"] = lambda number: random_sections.program(Random(number))
    found["objects"] = random_objects.random_objects
    found["spmd"] = lambda number: random_spmd.random_spmd(number)[0]
    found["requests"] = lambda number: random_requests.random_requests(number).called
    return MappingProxyType(found)


# ---------------------------------------------------------------- accepted


@cache
def accepted() -> frozenset[str]:
    """Every construct that can be told from others in a program's IR or its statements."""
    found: set[str] = set()
    for kind in ir_classes():
        found.add(kind.__name__)
        for one, meaning in of_class(kind):
            found |= {f"{owner(kind, one)}.{one.name}{word}" for word in words(meaning, one)}
    found |= {f"statement {kind}" for kind in (*CONSTRUCTS, *SIMPLE, *IO_ACTIONS, "format", "namelist")}
    found |= {f"intrinsic {name}" for name in FUNCTIONS} | {f"intrinsic {name}" for name in (*SUBROUTINES, *STOPPING)}
    found |= {f"operator {op}" for op in (*INTRINSIC_OPERATORS, "**")}
    found |= {f"type {kind}({size})" for kind, size in DTYPES} | {f"area {kind}" for kind in get_args(ir.AreaKind)}
    return frozenset(found)


def ir_classes() -> list[type[Any]]:
    """The classes of the IR, but for those that only hold others."""
    made = (*vars(statements).values(), *vars(expressions).values())
    return sorted({one for one in made if isinstance(one, type) and is_dataclass(one) and one not in OUTSIDE
                   and one.__module__ in (statements.__name__, expressions.__name__)}, key=lambda one: one.__name__)


@cache
def of_class(kind: type[Any]) -> tuple[tuple[Field[Any], Any], ...]:
    """The fields of a class that may hold a construct, with their types."""
    if not is_dataclass(kind):
        return ()
    hints = get_type_hints(kind, {**vars(statements), **vars(expressions)})
    return tuple((one, hints[one.name]) for one in fields(kind) if one.name not in PLACES)


def owner(kind: type[Any], one: Field[Any]) -> str:
    """The class that a field comes from: a label is one construct, not one for each statement."""
    return next(base.__name__ for base in reversed(kind.__mro__)
                if is_dataclass(base) and one.name in {own.name for own in fields(base)})


def words(meaning: Any, one: Field[Any]) -> Iterator[str]:
    """What a field's type lets it say: a word of several, or that there is something."""
    if get_origin(meaning) is Literal:
        yield from (f"={word}" for word in get_args(meaning))
        return
    inner = [arg for arg in get_args(meaning) if get_origin(arg) is Literal]
    if type(None) in get_args(meaning) and inner:
        yield from (f"={word}" for word in get_args(inner[0]))
    elif may_lack(meaning, one):
        yield ""


def may_lack(meaning: Any, one: Field[Any]) -> bool:
    """Is there something in this field in some programs, and not in others?"""
    return meaning is bool or type(None) in get_args(meaning) or one.default not in (MISSING, 0) or (
        one.default is MISSING and one.default_factory is MISSING and get_origin(meaning) is tuple) or (
        one.default == 0 and meaning is int)


# ---------------------------------------------------------------- written


def written(text: str) -> set[str]:
    """The constructs of one program."""
    found = {f"statement {kind}" for unit in text_units(text, "x.f90", ReadOptions())
             for item in lines(unit) for kind in kinds(item.text)}
    program = load_text(text)
    for one in objects((program.procedures, program.types, program.module_variables, program.commons)):
        found |= {type(one).__name__} | special(one)
        for field, name, said, lacking, default in told_by(type(one)):
            value = getattr(one, field)
            if isinstance(value, str) and value in said:
                found.add(f"{name}={value}")
            elif lacking and value is not None and value != () and value != default:
                found.add(name)
    return found & accepted()


@cache
def told_by(kind: type[Any]) -> tuple[tuple[str, str, frozenset[str], bool, Any], ...]:
    """The fields of a class that may hold a construct: each with the construct's name, the words that are constructs
    of their own, whether it may have nothing, and what it has by default. Looked up once, not for each object."""
    found = []
    for place, meaning in of_class(kind):
        name = f"{owner(kind, place)}.{place.name}"
        said = frozenset(one.partition("=")[2] for one in accepted() if one.startswith(f"{name}="))
        found.append((place.name, name, said, may_lack(meaning, place), place.default))
    return tuple(found)


def special(one: object) -> set[str]:
    """What the value of a field says that is no word of its type."""
    match one:
        case ir.Intrinsic(name=name):
            return {f"intrinsic {name}"}
        case ir.Call(name=name, intrinsic=True):
            return {f"intrinsic {name}"}
        case ir.Unary(op=op) | ir.Binary(op=op):
            return {f"operator {op}"}
        case ir.Type(kind=kind, bytes=size):
            return {f"type {kind}({size})"}
        case ir.Area(kind=kind):
            return {f"area {kind}"}
    return set()


def kinds(text: str) -> Iterator[str]:
    """What a line is: `if (c) exit` is two statements."""
    found = classify(text)
    yield found.kind
    if found.kind in ("if", "where", "forall"):
        yield from kinds(found.parts[-1])


def lines(unit: Unit) -> Iterator[Line]:
    """All statements of a program unit and those in it."""
    yield from (item for item in unit.items if isinstance(item, Line))
    for inner in unit.contains:
        yield from lines(inner)


def objects(value: object) -> Iterator[Any]:
    """Everything of the IR in something, each object once."""
    work, seen = [value], set[int]()
    while work:
        one = work.pop()
        if isinstance(one, Mapping):
            work += one.values()
            continue
        held = held_by(type(one))
        if held is None:
            if isinstance(one, tuple):
                work += one
        elif id(one) not in seen:
            seen.add(id(one))
            yield one
            work += (getattr(one, name) for name in held)


@cache
def held_by(kind: type[Any]) -> tuple[str, ...] | None:
    """The fields of objects of the IR; None: other values, which may be tuples of them."""
    if issubclass(kind, ir.Area):
        return ()
    if not issubclass(kind, tuple(ir_classes())):
        return None
    return tuple(place.name for place in fields(kind))


@cache
def census(generator: str, programs: int, first: int = 0) -> Counter[str]:
    """In how many of a generator's programs from ``first`` on each construct stands."""
    make = generators()[generator]
    return Counter(construct for number in range(first, first + programs) for construct in written(make(number)))


TURNS = 10
IN_A_TURN = {"constructs": 12, "rare": 22}  # programs; of each other generator one


def in_turns(turns: range) -> Iterator[tuple[str, int, set[str]]]:
    """What programs write, some of each generator in turn: the generator, the number, the constructs."""
    for turn in turns:
        for generator, make in generators().items():
            several = IN_A_TURN.get(generator, 1)
            yield from ((generator, number, written(make(number)))
                        for number in range(turn*several, (turn + 1)*several))


def few() -> Mapping[str, list[int]]:
    """Programs, by generator, that write all that those of all turns do: next is always the one that writes most of
    what is left."""
    every = list(in_turns(range(TURNS)))
    left, found = set[str]().union(*(constructs for _, _, constructs in every)), dict[str, list[int]]()
    while left:
        generator, number, constructs = max(every, key=lambda one: len(left & one[2]))
        found.setdefault(generator, []).append(number)
        left -= constructs
    return {generator: sorted(numbers) for generator, numbers in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100, metavar="N", help="of each generator")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--generator", default=",".join(generators()), metavar="NAME,...", help="default: all")
    parser.add_argument("--few", action="store_true", help="few programs that write what all do")
    parser.add_argument("--counts", action="store_true", help="in how many programs each construct stands")
    given = parser.parse_args()
    if given.few:
        print(few())
        return
    unknown = set(given.generator.split(",")) - generators().keys()
    if unknown:
        parser.error(f"no generator: {', '.join(sorted(unknown))}; there are {', '.join(generators())}")
    found = {one: census(one, given.programs, given.first) for one in given.generator.split(",")}
    if given.counts:
        total = sum(found.values(), Counter[str]())
        print("\n".join(f"{count:7} {construct}" for construct, count in total.most_common()))
        return
    for construct in sorted(accepted()):
        who = [f"{name} {counts[construct]}" for name, counts in found.items() if counts[construct]]
        if len(who) <= 1:
            print(f"{construct:40} {', '.join(who) or 'none'}")


if __name__ == "__main__":
    main()
