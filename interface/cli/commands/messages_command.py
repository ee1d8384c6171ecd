"""``snapset messages``, and ``snapset replay --ranks``: runs every head on simulated ranks, writes text, JSON, a
picture."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from snapset.cli.running.executed_program import program_to_run
from snapset.cli.running.progress import Progress
from snapset.config.unheard_names import notes
from snapset.frontend.base import visible_text
from snapset.frontend.base.diagnostics import InputError
from snapset.library import analysis
from snapset.library.replay import parse_inputs

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.ranked_plans import RankedComparison
    from snapset.analysis.replay.ranks.rank_events import TakenChoice
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program


def run(
    settings: Settings,
    parsed: Namespace,
    terminal: Callable[[], tuple[int, bool, bool]],
    no_head: Callable[[Program], Exception],
    whole: bool = True,
) -> tuple[str, int, tuple[str, ...]]:
    """What to print, the exit code: 1 if a plan is wrong, and what to say of names that nothing has. ``whole``: with
    the parts' verdicts.

    Raises InputError for whatever is unusable, nothing written then.
    """
    if getattr(parsed, "proved", False):
        return _proved(settings, parsed, terminal, no_head)
    results, said = _compared(settings, parsed, no_head)
    code = 0 if all(one.right for one in results) else 1
    if not parsed.ranks and not _is_speaker():
        return "", 0, ()  # mpiexec ends all as soon as one process ends otherwise
    if parsed.picture:
        from snapset.pictures import message_graph

        message_graph.save(parsed.picture, results[0])
    if parsed.format == "json":
        from snapset.documents.json_text import dumps
        from snapset.render.records import messages_json

        text = dumps([messages_json.document(one) for one in results])
    else:
        from snapset.render.pages import messages_text

        markup = parsed.format == "html"
        width, colour, plain = (80, False, False) if markup else terminal()
        pages = [messages_text.write_messages(one, whole=whole, width=width, colour=colour, ascii_only=plain,
                                              markup=markup) for one in results]
        if markup:
            from snapset.render.layout.page_frame import tables

            text = tables("Messages in checkpointed parts", pages)
        else:
            text = "\n".join(pages)
    return (text if parsed.ranks else _spoken(text, parsed.format)), code, said


def _proved(settings: Settings, parsed: Namespace, terminal: Callable[[], tuple[int, bool, bool]],
            no_head: Callable[[Program], Exception]) -> tuple[str, int, tuple[str, ...]]:
    """What is proved without a run; exit code 1 where it is proved of a part that doing all again is wrong."""
    from snapset.render.pages import messages_text

    with Progress(settings.quiet, piped=True) as progress:
        progress.stage("reading")
        heads = analysis.parse_heads(settings.heads)
        program = program_to_run(settings, heads, no_head)
        results = analysis.analyse_all(program, heads, settings.choices)
    wrong = any(one.messages is not None and one.messages.verdict in ("right-tight", "not right-tight")
                for result in results for one in result.parts)
    if parsed.format == "json":
        from snapset.documents.json_text import dumps
        from snapset.render.records import messages_json

        return dumps([messages_json.proved(one) for one in results]), int(wrong), notes(settings, program, None)
    markup = parsed.format == "html"
    width, colour, plain = (80, False, False) if markup else terminal()
    pages = [messages_text.write_proved(one, width=width, colour=colour, ascii_only=plain, markup=markup)
             for one in results]
    if markup:
        from snapset.render.layout.page_frame import tables

        return tables("What is proved of messages in parts", pages), int(wrong), notes(settings, program, None)
    return "\n".join(pages), int(wrong), notes(settings, program, None)


def _is_speaker() -> bool:
    """Of several processes one speaks; the others leave MPI, and so wait until it has."""
    from snapset.analysis.replay.ranks.real_exchange import finish, here

    if here()[1] == 0:
        return True
    finish()
    return False


def _spoken(text: str, form: str) -> str:
    """Print while MPI still passes on what is printed; nothing is left to print."""
    from snapset.analysis.replay.ranks.real_exchange import finish

    sys.stdout.write(visible_text.document(text) if form == "json" else visible_text.page(text))
    sys.stdout.flush()
    finish()
    return ""


def _compared(
    settings: Settings, parsed: Namespace, no_head: Callable[[Program], Exception]
) -> tuple[tuple[RankedComparison, ...], tuple[str, ...]]:
    # What is malformed is told before anything long begins.
    inputs = parse_inputs(parsed.set, parsed.seed)
    strategies = analysis.parse_strategies(settings.choices.strategies)
    heads = analysis.parse_heads(settings.heads)
    if parsed.picture:
        from snapset.pictures import stack_picture

        stack_picture.check(parsed.picture)
    from snapset.analysis.replay.experiment.compare_strategies import ROOM, ExperimentOptions
    from snapset.analysis.replay.experiment.ranked_plans import RankOptions, compare_ranks
    from snapset.analysis.replay.machine.primal import ENDLESS

    if getattr(parsed, "messages", None):
        return _recorded(settings, parsed, no_head)
    wanted = RankOptions(parsed.ranks, parsed.messages_plan, parsed.sends, parsed.nested_log, parsed.seed)
    if not parsed.ranks:
        from snapset.analysis.replay.ranks.real_exchange import here

        wanted = replace(wanted, ranks=here()[2], real=True)
    if getattr(parsed, "wildcards", None):
        wanted = replace(wanted, taken=_taken(parsed.wildcards, wanted.ranks, [one.text for one in heads]))
    experiment = ExperimentOptions(getattr(parsed, "poison", True), room=parsed.max_bytes or ROOM,
                                   limit=parsed.max_steps or ENDLESS)
    with Progress(settings.quiet, piped=True) as progress:
        progress.stage("reading")
        program = program_to_run(settings, heads, no_head)
        found = [compare_ranks(program, head, strategies, inputs, wanted, analysis.analysis_options(settings.choices),
                               experiment, progress.stage) for head in heads]
        return tuple(found), notes(settings, program, None)


def _taken(name: str, ranks: int, heads: Sequence[str]) -> tuple[TakenChoice, ...]:
    """What wildcards took in an earlier run, from its document."""
    import msgspec
    from snapset.analysis.replay.ranks.rank_events import TakenChoice
    from snapset.documents.message_documents import MessagesDocument

    try:
        found = msgspec.json.decode(Path(name).read_bytes(), type=MessagesDocument | list[MessagesDocument])
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"{name}: not what snapset messages --format json writes: {error}") from None
    one = found if isinstance(found, MessagesDocument) else found[0] if len(found) == 1 else None
    if one is None or [one.head] != list(heads) or one.ranks != ranks:
        text = "of several heads" if one is None else f"of {one.head} on {one.ranks} ranks"
        raise InputError(f"{name}: a run {text}; this one is of {', '.join(heads)} on {ranks}")
    return tuple(TakenChoice(each.rank, each.event, each.where,
                             tuple(each.took) if isinstance(each.took, list) else each.took) for each in one.taken)


def _recorded(
    settings: Settings, parsed: Namespace, no_head: Callable[[Program], Exception]
) -> tuple[tuple[RankedComparison, ...], tuple[str, ...]]:
    """What a real run has recorded, beside what is proved."""
    from snapset.analysis.messages.recorded_run import read_recorded_run
    from snapset.analysis.replay.experiment.ranked_plans import WORST, RankOptions
    from snapset.analysis.replay.experiment.recorded_ranks import recorded_comparison

    ranks = read_recorded_run(parsed.messages)
    wanted = RankOptions(len(ranks), parsed.messages_plan, parsed.sends, parsed.nested_log)
    with Progress(settings.quiet, piped=True) as progress:
        progress.stage("reading")
        heads = analysis.parse_heads(settings.heads)
        if len(heads) > 1:
            raise InputError("--messages: a record is of one head; name one")
        program = program_to_run(settings, heads, no_head)
        (result,) = analysis.analyse_all(program, heads, settings.choices)
    numbers = [one.id.partition("@")[2].partition("#")[0] for one in result.parts]
    ids = {number: one.id for number, one in zip(numbers, result.parts, strict=True) if numbers.count(number) == 1}
    proved = {one.id: one.messages for one in result.parts if one.messages is not None}
    found = recorded_comparison(result.head, ranks, ids, wanted)
    parts = []
    for one in found.parts:
        said = proved.get(one.id)
        known = said is not None and len(ranks) in said.sizes
        worse = said is not None and known and WORST.index(one.verdict) > WORST.index(said.verdict)
        text = said.verdict if said is not None and known else "unknown"
        parts.append(replace(one, proved=text, contradicts=worse))
    return (replace(found, parts=tuple(parts)),), notes(settings, program, None)
