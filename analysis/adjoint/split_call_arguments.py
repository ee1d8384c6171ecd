"""Values that are passed to calls in split mode and are gone when the backward sweep needs them again.

    call f(2*n, n)     ! f overwrites n: on the way back 2*n would be another value

The backward sweep enters the callee with the arguments of the forward sweep. An expression among them is evaluated
again, which does not work where the callee overwrites what it reads. So the caller keeps such a value in a variable of
its own, one for each call, as AD tools do: ``n1 = 2*n; call f(n1, n)``. That variable is taped only where the call
runs again and overwrites it, and at the end of a caller that is in split mode itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from snapset.analysis.activity.adjoint_codes import Splitting
from snapset.analysis.incremental.query_engine import QueryOwner, query
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.interprocedural.lazy_procedures import changed as rewritten
from snapset.frontend.ir.argument_binding import places
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.statement_walk import with_blocks, with_ids

Places = Mapping[int, str]  # by place among a call's arguments, the dummy argument's name


class LostValues(QueryOwner):
    """What calls in split mode lose of what they are passed."""

    def __init__(self, splitting: Splitting) -> None:
        super().__init__(splitting.engine)
        self.splitting = splitting
        self.models = splitting.models

    @query("value")
    def of(self, key: str) -> tuple[tuple[int, tuple[tuple[int, str], ...]], ...]:
        """By call statement of a procedure, the arguments whose values are lost."""
        found = []
        for node in self.splitting.nodes(key):
            model = self.models.by_key[key]
            places = _lost(self.models, model, node)
            if places:
                found.append((model.calls[node].stmt.id, tuple(places.items())))
        return tuple(found)


def with_kept_values(lost: LostValues) -> ir.Program | None:
    """The program with an assignment before each such call; None where there is none."""
    program = lost.models.program
    changed: dict[str, ir.Procedure] = {}
    for key in lost.models.component:
        calls = {stmt: dict(places) for stmt, places in lost.of(key)}
        made = _Rewriter(program.procedures[key], calls).procedure() if calls else program.procedures[key]
        if len(made.variables) > len(program.procedures[key].variables):
            changed[key] = made
    if not changed:
        return None
    return replace(program, procedures=MappingProxyType({**program.procedures, **changed}))


def _lost(models: Models, model: ProcedureModel, node: int) -> Places:
    """The scalar expressions whose operands, or which themselves, the callee overwrites."""
    site, at = model.calls[node], model.flow.nodes[node]
    if at.masks or len(site.targets) != 1:
        return {}
    (target,) = site.targets
    callee = models.by_key[target.key]
    written, out = callee.written, model.effects[node].out
    found: dict[int, str] = {}
    formals = callee.procedure.formals
    positions = places(site.stmt.args, formals)
    for place, argument in enumerate(site.stmt.args):
        position = positions[place]
        name = argument.keyword or (formals[position] if position < len(formals) else "")
        formal = callee.procedure.variables.get(name)
        if formal is None or formal.by_value or formal.pointer or formal.target or not _is_plain(argument.value):
            continue
        if callee.formal(name) & written or model.refs.values(argument.value) & out:
            found[place] = name
    return found


def _is_plain(expr: ir.Expr) -> bool:
    """A scalar number or truth value that is computed."""
    if isinstance(expr, ir.Ref | ir.Literal_ | ir.ProcedureRef | ir.OpaqueExpr):
        return False
    type_ = type_of(expr)
    return rank_of(expr) == 0 and type_.kind in ("real", "integer", "logical") and type_.bytes is not None


class _Rewriter:
    """Rewrites the calls of a procedure. ``calls``: by the statement's id, which of its arguments are kept."""

    def __init__(self, original: ir.Procedure, calls: Mapping[int, Places]) -> None:
        self.original = original
        self.calls = calls
        self.variables = dict(original.variables)

    def procedure(self) -> ir.Procedure:
        body = with_ids(self.block(self.original.body))
        return rewritten(self.original, body, MappingProxyType(self.variables))

    def block(self, block: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, ir.Call) and stmt.id in self.calls:
                found += self.call(stmt, self.calls[stmt.id])
            elif isinstance(stmt, ir.Do) and stmt.kind != "do":  # its iterations share no variable
                found.append(stmt)
            else:
                found.append(with_blocks(stmt, self.block))
        return tuple(found)

    def call(self, stmt: ir.Call, places: Places) -> list[ir.Stmt]:
        args = list(stmt.args)
        before: list[ir.Stmt] = []
        for place, name in places.items():
            value = args[place].value
            kept = self.variable(f"{name}@{stmt.span.line}", type_of(value), stmt)
            before.append(ir.Assign(span=stmt.span, label=None if before else stmt.label, target=kept, value=value))
            args[place] = replace(args[place], value=kept)
        return [*before, replace(stmt, args=tuple(args), label=None)]

    def variable(self, stem: str, type_: ir.Type, stmt: ir.Call) -> ir.Ref:
        name, count = stem, 1
        while name in self.variables:
            count += 1
            name = f"{stem}.{count}"
        self.variables[name] = ir.Variable(name, type_, ir.Area("local", self.original.key, name), stmt.span)
        return ir.Ref((ir.PartRef(name),), type_)
