"""Default initialisation as statements: what a type's own start values do to a new object.

    type state
      real(8) :: p = 1.0d0
      real(8), allocatable :: w(:)
    end type
    subroutine s(c)
      type(state), intent(out) :: c

begins with ``c%p = 1.0d0``, and ``c%w`` is deallocated if it is allocated. So do local variables and function results
when a procedure is entered, a BLOCK's variables when it is, and what ALLOCATE makes. The analyses and the machine see
assignments, and nothing else need know of it. A pointer that begins as NULL() or with a procedure is associated so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.intrinsic_table import IS_OF_TYPE


@frozen
class Defaults:
    """What default initialisation needs of the derived types.

    ``types``: by key; ``children``: the types that extend one directly.
    """

    types: Mapping[str, ir.DerivedType]
    children: Mapping[str, tuple[str, ...]]

    # ------------------------------------------------------------ where objects begin

    def on_entry(self, key: str, formals: tuple[str, ...], variables: Mapping[str, ir.Variable]) -> Iterator[ir.Stmt]:
        """What entering a procedure does: to INTENT(OUT) arguments, to its own variables and its result."""
        for name, variable in variables.items():
            area = variable.area
            if area.owner != key or variable.value is not None or variable.pointer or variable.initialised:
                continue
            if name in formals and variable.intent == "out":
                yield from self._argument(variable)
            elif area.kind == "local" and not variable.allocatable and name.isidentifier():
                yield from self.initial(_whole(variable), variable, variable.span)

    def _argument(self, variable: ir.Variable) -> Iterator[ir.Stmt]:
        """An INTENT(OUT) argument, if it is present."""
        ref, span = _whole(variable), variable.span
        if variable.allocatable:
            found: tuple[ir.Stmt, ...] = (ir.Deallocate(span=span, objects=(ref,), automatic=True),)
        else:
            found = (*self._deallocated(ref, variable.type, span), *self.initial(ref, variable, span))
        if variable.optional and found:
            present = ir.Intrinsic("present", (ir.Argument(ref),), ir.LOGICAL)
            found = (ir.If(span=span, cond=present, then=found),)
        yield from found

    @deep
    def _deallocated(self, ref: ir.Ref, type_: ir.Type, span: Span) -> list[ir.Stmt]:
        """The allocatable components of an object that is to be undefined."""
        found: list[ir.Stmt] = []
        for component in self._components(type_):
            inner = _component(ref, component)
            if component.allocatable:
                found.append(ir.Deallocate(span=span, objects=(inner,), automatic=True))
            elif not component.pointer:
                found += self._deallocated(inner, component.type, span)
        return found

    # ------------------------------------------------------------ what they begin with

    def initial(self, ref: ir.Ref, variable: ir.Variable, span: Span) -> Iterator[ir.Stmt]:
        """The assignments to a new object ``ref``; of a CLASS object perhaps those of a type that extends its own."""
        yield from self._initial(ref, variable.type, span)
        if variable.polymorphic and variable.type.derived is not None:
            own = {component.name for component in self._components(variable.type)}
            for key in self._extending(variable.type.derived):
                type_ = ir.Type("derived", derived=key)
                more = [stmt for component in self._components(type_) if component.name not in own
                        for stmt in self._of(_component(ref, component), component, span)]
                if more:
                    yield ir.If(span=span, cond=_is_of(ref, type_), then=tuple(more))

    def of_type(self, ref: ir.Ref, type_: ir.Type, span: Span) -> Iterator[ir.Stmt]:
        """The assignments to a new object ``ref`` that is of exactly this type."""
        yield from self._initial(ref, type_, span)

    @deep
    def _initial(self, ref: ir.Ref, type_: ir.Type, span: Span) -> list[ir.Stmt]:
        return [stmt for component in self._components(type_)
                for stmt in self._of(_component(ref, component), component, span)]

    def _of(self, ref: ir.Ref, component: ir.Variable, span: Span) -> Iterator[ir.Stmt]:
        if component.pointer:
            if component.initialised and not isinstance(component.start, ir.OpaqueExpr):
                null = ir.Intrinsic("null", (), ir.UNKNOWN)
                yield ir.PointerAssign(span=span, target=ref, value=component.start or null)
            return
        if component.allocatable or component.type.kind == "procedure":
            return
        if component.initialised:
            start = component.start or ir.Literal_(None, component.type)
            yield ir.Assign(span=span, target=ref, value=start)
        else:
            yield from self._initial(ref, component.type, span)

    def _components(self, type_: ir.Type) -> tuple[ir.Variable, ...]:
        found = self.types.get(type_.derived or "")
        return () if found is None else found.components

    def _extending(self, key: str) -> Iterator[str]:
        pending = list(self.children.get(key, ()))
        while pending:
            child = pending.pop(0)
            yield child
            pending[:0] = self.children.get(child, ())


def _is_of(ref: ir.Ref, type_: ir.Type) -> ir.Expr:
    """Is the object of exactly this type?"""
    asked = ir.Argument(ir.Literal_(type_.derived, ir.Type("character", len(type_.derived or ""))))
    return ir.Intrinsic(IS_OF_TYPE, (ir.Argument(ref), asked), ir.LOGICAL)


def _whole(variable: ir.Variable) -> ir.Ref:
    return ir.Ref((ir.PartRef(variable.name),), variable.type, variable.shape.rank)


def _component(ref: ir.Ref, component: ir.Variable) -> ir.Ref:
    return ir.Ref((*ref.parts, ir.PartRef(component.name)), component.type, ref.rank + component.shape.rank)
