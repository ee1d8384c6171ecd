"""The statements of a file as fparser reads them, the whole file at once."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from fparser.common.readfortran import FortranStringReader
from fparser.common.sourceinfo import FortranFormat
from fparser.two import Fortran2003
from fparser.two.parser import ParserFactory
from fparser.two.utils import Base, FortranSyntaxError, StmtBase, walk

from benchmarks.fparser_judge.trees import Read, Tree, name, reference

logging.disable(logging.CRITICAL)

KINDS = {
    "Assignment_Stmt": "assign", "Pointer_Assignment_Stmt": "pointer", "If_Then_Stmt": "if-then", "If_Stmt": "if",
    "Else_If_Stmt": "else if", "Arithmetic_If_Stmt": "arithmetic if", "Computed_Goto_Stmt": "computed goto",
    "Select_Case_Stmt": "select case", "Select_Type_Stmt": "select type", "Type_Guard_Stmt": "guard",
    "Where_Construct_Stmt": "where-construct", "Masked_Elsewhere_Stmt": "elsewhere", "Error_Stop_Stmt": "stop",
    "Forall_Construct_Stmt": "forall-construct", "Type_Declaration_Stmt": "declaration",
    "Data_Component_Def_Stmt": "declaration", "Derived_Type_Stmt": "derived type",
    "Procedure_Declaration_Stmt": "procedure", "Proc_Component_Def_Stmt": "procedure", "Procedure_Stmt": "procedure",
    "Specific_Binding": "procedure", "Generic_Binding": "generic", "Final_Binding": "final",
    "Access_Stmt": "access", "Private_Components_Stmt": "access", "Binding_Private_Stmt": "access",
    "Parameter_Stmt": "parameter", "Block_Data_Stmt": "block data", "Mp_Subprogram_Stmt": "procedure",
    "Enum_Def_Stmt": "enum", "Enumerator_Def_Stmt": "enumerator",
    "Stmt_Function_Stmt": "assign", "Endfile_Stmt": "endfile",
}  # fmt: skip
_INNER = frozenset(("if", "where", "forall"))
_WITH_TREES = _INNER | frozenset((
    "assign", "pointer", "if-then", "else if", "do while", "arithmetic if", "select case", "return", "stop", "do",
    "where-construct", "elsewhere", "forall-construct", "do concurrent", "computed goto", "call", "case", "allocate",
    "deallocate", "nullify", "declaration", "read", "write", "print", "open", "close", "inquire", "rewind",
    "backspace", "endfile", "flush", "wait",
))  # fmt: skip


class _Lines(list[str]):
    """fparser looks through all lines for comments after every failed match: the first one it sees ends that."""

    def __iter__(self) -> Iterator[str]:
        yield "end"
        yield from list.__iter__(self)


def statements(text: str, free: bool) -> list[tuple[int, Read]]:
    """(first line, statement) of all of a file. Raises FortranSyntaxError."""
    ParserFactory().create(std="f2008")
    reader = FortranStringReader(text, ignore_comments=True)
    reader.set_format(FortranFormat(free, False))
    reader.source_lines = _Lines(reader.source_lines)
    tree = Fortran2003.Program(reader)
    if tree is None:
        raise FortranSyntaxError(reader, "nothing was read")
    found = []
    for node in walk(tree, StmtBase):
        item = getattr(node, "item", None)
        if item is not None and type(node).__name__ not in ("Include_Stmt", "Comment", "Directive"):
            found.append((int(item.span[0]), statement(node)))
    return found


def statement(node: Base) -> Read:
    """One of fparser's statements, an inner one included."""
    kind = _kind(node)
    if kind not in _WITH_TREES:
        return Read(kind)
    items = list(node.items)
    inner = None
    if kind in _INNER:
        inner = statement(items.pop())
    elif kind == "declaration":
        return Read(kind, tuple(_declaration(node)))
    elif kind == "call":
        return Read(kind, (_call(items[0], items[1]),))
    return Read(kind, tuple(_trees(items)), inner)


def _kind(node: Base) -> str:
    name_ = type(node).__name__
    if name_.startswith("End_") and name_ != "Endfile_Stmt":
        return "end"
    if name_ in ("Nonlabel_Do_Stmt", "Label_Do_Stmt"):
        control = node.items[-1]
        if not isinstance(control, Base):
            return "do forever"
        if type(control).__name__ == "Loop_Control" and len(control.items) == 4 and control.items[3] is not None:
            return "do concurrent"
        return "do while" if control.items[0] is not None else "do"
    return KINDS.get(name_, name_.removesuffix("_Stmt").replace("_", " ").lower())


# ---------------------------------------------------------------- expressions


def _trees(items: Any) -> Iterator[Tree]:
    """The expressions in what a statement holds, in the order of the text; labels, keywords and formats are none."""
    if isinstance(items, list | tuple):
        for one in items:
            yield from _trees(one)
    elif isinstance(items, Base):
        kind = type(items).__name__
        if kind == "Format" and isinstance((getattr(items, "items", None) or [None])[0], Base):
            yield from _trees(items.items)
        elif kind in ("Label", "Format") or str(items) == "*":
            return
        elif kind == "Stop_Code":
            yield _literal(str(items))
        elif kind in _CONTAINERS or kind.endswith("_List"):
            yield from _trees([one for one in items.items if not isinstance(one, str)])
        elif kind == "Io_Control_Spec" and str(items.items[0]).upper() in ("ERR", "END", "EOR", "NML"):
            return
        elif kind == "Allocation":
            yield _allocation(items)
        elif kind not in ("Type_Name", "Intrinsic_Type_Spec", "Derived_Type_Spec", "Declaration_Type_Spec"):
            yield tree(items)


_CONTAINERS = frozenset((
    "Loop_Control", "Forall_Header", "Forall_Triplet_Spec", "Case_Selector", "Case_Value_Range",
    "Alloc_Opt", "Io_Control_Spec", "Connect_Spec", "Close_Spec", "Inquire_Spec",
    "Position_Spec", "Flush_Spec", "Wait_Spec", "Dealloc_Opt", "Explicit_Shape_Spec", "Assumed_Shape_Spec",
    "Deferred_Shape_Spec", "Assumed_Size_Spec", "Initialization", "Component_Initialization", "Char_Length",
    "Pointer_Assignment", "Bounds_Remapping", "Bounds_Spec", "Concurrent_Header", "Dimension_Attr_Spec",
    "Dimension_Component_Attr_Spec", "Pointer_Initialization",
))  # fmt: skip


def _allocation(node: Base) -> Tree:
    what, shape = node.items
    bounds = [] if shape is None else [[None if one is None else tree(one) for one in dim.items]
                                       for dim in _items(shape)]
    given = tuple((None, upper if lower is None else ("range", lower, upper, None)) for lower, upper in bounds)
    *before, (word, first, _) = tree(what)[1:]
    return reference((*before, (word, given or first, None)))


def _declaration(node: Base) -> Iterator[Tree]:
    _, attributes, entities = node.items
    words = attributes.items if isinstance(attributes, Base) else ()
    yield from sorted(_word(one) for one in words)
    for one in words:
        if type(one).__name__.startswith("Dimension"):
            yield from _trees(one)
    for one in entities.items if isinstance(entities, Base) else ():
        yield name(str(one.items[0]))
        yield from _trees(one.items[1:])


def _word(attribute: Base) -> str:
    return str(attribute).split("(")[0].strip().lower()


def _call(what: Base, arguments: Base | None) -> Tree:
    links = [list(link) for link in tree(what)[1:]]
    if arguments is not None:
        given = [one for one in _items(arguments) if type(one).__name__ != "Alt_Return_Spec"]
        labels = len(_items(arguments)) - len(given)
        links[-1][1] = (*map(_argument, given),) if not labels else tuple(map(_argument_or_label, _items(arguments)))
    links[-1][1] = links[-1][1] or None  # to fparser `call f()` is `call f`
    return reference(tuple((a, b, c) for a, b, c in links))


def _argument_or_label(one: Base) -> Tree:
    return (None, _literal(str(one).lstrip("*"))) if type(one).__name__ == "Alt_Return_Spec" else _argument(one)


def tree(node: Base) -> Tree:
    """An expression."""
    kind, items = type(node).__name__, getattr(node, "items", ())
    if kind in ("Name", "Type_Name", "Intrinsic_Name", "Procedure_Name"):
        return name(str(node))
    if kind == "Parenthesis":
        return tree(items[1])
    if kind in _LITERALS or kind.startswith("Signed_"):
        return _literal(str(node))
    if kind == "Complex_Literal_Constant":
        return ("complex", *map(tree, items))
    if kind in ("Array_Constructor",):
        return ("list", *_values(items[1]))
    if kind in ("Ac_Spec",):
        return ("list", *_values(items[1]))
    if kind in ("Io_Implied_Do", "Ac_Implied_Do", "Data_Implied_Do"):
        return _implied(items)
    if kind in ("Data_Ref", "Proc_Component_Ref", "Procedure_Designator"):
        parts = [one for one in items if isinstance(one, Base)]
        return reference(tuple(link for one in parts for link in tree(one)[1:]))
    if kind in ("Part_Ref", "Structure_Constructor", "Function_Reference", "Intrinsic_Function_Reference"):
        return _with(tree(items[0]), items[1], 1)
    if kind in ("Array_Section", "Substring"):
        return _with(tree(items[0]), items[1], 2 if tree(items[0])[-1][1] is not None else 1)
    if len(items) == 2 and isinstance(items[0], str):
        return ("op", _operator(items[0]), tree(items[1]))
    if len(items) == 3 and items[1] == "%":  # the target of a pointer assignment
        return reference((*tree(items[0])[1:], *tree(items[2])[1:]))
    if len(items) == 3 and isinstance(items[1], str):
        return ("op", _operator(items[1]), tree(items[0]), tree(items[2]))
    return ("?", kind, str(node))


_LITERALS = frozenset((
    "Int_Literal_Constant", "Real_Literal_Constant", "Char_Literal_Constant", "Logical_Literal_Constant",
    "Hex_Constant", "Octal_Constant", "Binary_Constant", "Level_1_Literal",
))  # fmt: skip
_SYMBOLS = {".eq.": "==", ".ne.": "/=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">="}


def _operator(text: str) -> str:
    word = "".join(text.split()).lower()
    return _SYMBOLS.get(word, word)


def _with(what: Tree, arguments: Any, place: int) -> Tree:
    *before, (word, first, more) = what[1:]
    kind = type(arguments).__name__
    given: Tree = ()
    if kind == "Substring_Range":
        given = ((None, ("range", *(None if one is None else tree(one) for one in arguments.items), None)),)
    elif arguments is not None:
        given = tuple(map(_argument, _items(arguments)))
    return reference((*before, (word, given, more) if place == 1 else (word, first, given)))


def _items(node: Base) -> Sequence[Base]:
    """A list's items; one item stands for itself."""
    found: Sequence[Base] = node.items if type(node).__name__.endswith("_List") else (node,)
    return found


def _argument(node: Base) -> Tree:
    kind, items = type(node).__name__, getattr(node, "items", ())
    if kind in ("Actual_Arg_Spec", "Component_Spec") and len(items) == 2:
        return (None if items[0] is None else str(items[0]).lower(), _argument(items[1])[1])
    if kind == "Subscript_Triplet":
        return (None, ("range", *(None if one is None else tree(one) for one in items)))
    if kind == "Parenthesis":
        inside = items[1]
        while type(inside).__name__ == "Parenthesis":
            inside = inside.items[1]
        found = tree(inside)
        return (None, ("op", "+", found) if found[0] == "ref" else found)
    return (None, tree(node))


def _values(node: Any) -> Iterator[Tree]:
    if type(node).__name__ == "Ac_Spec":
        node = node.items[1]
    yield from (tree(one) for one in _items(node))


def _implied(items: Sequence[Any]) -> Tree:
    inside, control = items[0], items[1]
    variable, bounds = control.items[0], control.items[1:]
    flat_bounds = [one for bound in bounds for one in (bound if isinstance(bound, list | tuple) else [bound])]
    return ("implied", *(tree(one) for one in _items(inside)), str(variable).lower(),
            *(tree(one) for one in flat_bounds if one is not None))


def _literal(text: str) -> Tree:
    """A constant by its value: ``1.0D0`` is 1.0, double."""
    low = text.lower().replace(" ", "") if text[:1] not in "'\"" else text
    if low[:1] in "+-":
        return ("op", low[0], _literal(low[1:]))
    if low.startswith((".true.", ".false.")):
        return ("number", low.startswith(".t"), low.partition("_")[2] or None, False)
    if "'" in low or '"' in low:
        if low[:2] in ("z'", 'z"', "o'", 'o"', "b'", 'b"', "x'", 'x"') or low[-1:] in "zobx":
            return ("number", None, None, False)
        quote = text[-1]
        return ("string", text[text.index(quote) + 1 : -1].replace(quote * 2, quote))
    digits, _, kind = low.partition("_")
    if digits.isdecimal():
        return ("number", int(digits), kind or None, False)
    return ("number", float(digits.replace("d", "e").replace("q", "e")), kind or None, "d" in digits)
