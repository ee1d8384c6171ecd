"""A divided run as JSON: the schema ``snapset.divide/1`` of docs/json.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from snapset.documents.divide_documents import (
    ActiveLoopDocument,
    ActiveProcedureDocument,
    CapsuleDocument,
    CapsuleViewDocument,
    DivideDocument,
    DividedRunDocument,
    DivisionDocument,
    LoopScheduleDocument,
    NamedBytesDocument,
    StoppingRuleDocument,
    StoredAllDocument,
    TooLargeDocument,
    TreeLeafDocument,
    TreeSplitDocument,
)
from snapset.documents.json_text import plain
from snapset.render.records.replay_json import difference, used_input
from snapset.render.records.report_json import diagnostic

if TYPE_CHECKING:
    from snapset.analysis.replay.divide.divide_results import (
        ActiveProcedure,
        CapsuleSize,
        CapsuleView,
        DivideComparison,
        DividedResult,
        DividePlan,
        LoopScheduleResult,
    )


def divide_document(result: DivideComparison) -> dict[str, Any]:
    """Plain dictionaries, lists, strings and numbers; None (null) for what is not known."""
    return plain(document(result))


def document(result: DivideComparison) -> DivideDocument:
    """What :func:`divide_document` makes plain."""
    runs = {run.mid: run for run in result.runs}
    reference = result.reference
    return DivideDocument(
        head=result.head, inputs=[used_input(one) for one in result.inputs], unit=result.unit,
        driver="treeverse" if result.driver == "treeverse" else "binary", steps=result.steps,
        reference=None if reference is None else StoredAllDocument(peak_bytes=reference.peak_bytes,
                                                                   steps=reference.steps),
        loop=None if result.loop is None else _loop(result.loop),
        divisions=[_division(plan, runs.get(plan.mid)) for plan in result.plans], capsule=None,
        too_large=[TooLargeDocument(mid=mid, least_bytes=least)  # type: ignore[arg-type]
                   for mid, least in result.too_large],
        leaf_plan=result.leaf_plan, why_store_all=result.why_store_all or None,
        diagnostics=[diagnostic(one) for one in result.diagnostics])


def capsule_document(view: CapsuleView) -> DivideDocument:
    """One capsule."""
    found = CapsuleViewDocument(size=_capsule(view.size), procedures=[_active(one) for one in view.procedures])
    return DivideDocument(head=view.head, inputs=[], unit=view.unit, driver=None, steps=view.steps, reference=None,
                          loop=None, divisions=[], too_large=[], leaf_plan=False, why_store_all=None, capsule=found,
                          diagnostics=[])


def _division(plan: DividePlan, run: DividedResult | None) -> DivisionDocument:
    tree, rule = plan.tree, plan.rule
    return DivisionDocument(
        mid=plan.mid,  # type: ignore[arg-type]
        rule=StoppingRuleDocument(snapshots=rule.d, reruns=rule.t, leaf_steps=rule.alpha, given=rule.stop),
        leaves=[TreeLeafDocument(first=one.sigma, end=one.phi, level=one.level, tape_bytes=tape)
                for one, tape in zip(tree.leaves, plan.tapes, strict=True)],
        splits=[TreeSplitDocument(first=one.sigma, at=one.kappa, end=one.phi, level=one.level) for one in tree.splits],
        live=tree.live, recomputed_steps=tree.recomputed, most_reruns=tree.most, start=_capsule(plan.start),
        capsules=[_capsule(one) for _, one in sorted(plan.capsules.items())], predicted_peak_bytes=plan.peak_bytes,
        run=None if run is None else _run(run))


def _loop(one: LoopScheduleResult) -> LoopScheduleDocument:
    return LoopScheduleDocument(
        line=one.line, snapshots=one.snapshots, iterations=one.iterations, equal=one.equal, peak_bytes=one.peak_bytes,
        tape_bytes=one.tape_bytes, capsules=one.capsules, capsule_bytes=one.capsule_bytes,
        largest_capsule_bytes=one.largest_bytes, recomputed_steps=one.recomputed_steps, slowdown=one.slowdown)


def _capsule(one: CapsuleSize) -> CapsuleDocument:
    return CapsuleDocument(at=one.at, bytes=one.bytes, data_bytes=one.data, control_bytes=one.control,
                           live_to_end_bytes=one.to_end, state_bytes=one.state, where=one.where,
                           active_procedures=one.depth, variables=list(one.variables))


def _run(run: DividedResult) -> DividedRunDocument:
    return DividedRunDocument(
        equal=run.equal, error=run.error, differences=[difference(one) for one in run.differences],
        peak_bytes=run.peak_bytes, tape_bytes=run.tape_bytes, capsule_bytes=run.capsule_bytes,
        largest_capsule_bytes=run.largest_bytes, recomputed_steps=run.recomputed_steps, slowdown=run.slowdown)


def _active(one: ActiveProcedure) -> ActiveProcedureDocument:
    return ActiveProcedureDocument(
        procedure=one.procedure, file=one.file, line=one.line, entered=one.entered,
        loops=[ActiveLoopDocument(line=line, left=left) for line, left in one.loops],
        live=[NamedBytesDocument(name=name, bytes=size, why=None) for name, size in one.live],
        dead=[NamedBytesDocument(name=name, bytes=size, why=why) for name, size, why in one.dead])
