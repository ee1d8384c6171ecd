"""Tables 1 to 5 of high-level checkpointing, action by action, from our printer."""

from __future__ import annotations

import re

import pytest
from snapset.analysis.schedules.abstract_machine import recount
from snapset.analysis.schedules.actions import Adjoint, Advance, Content, Load, Schedule, StorageLevel
from snapset.analysis.schedules.basic_schedules import all_in_memory, periodic
from snapset.analysis.schedules.best_schedule import best_schedule
from snapset.analysis.schedules.package_schedules import multistage
from snapset.analysis.schedules.paper_printer import paper_actions

from tests.analysis.schedules.published import rows

DISK = StorageLevel.DISK
SCHEDULES = {
    "2": all_in_memory(4),
    "3": periodic(4, 2),
    "4": multistage(4, 0, 2, longest=False),
    "5": best_schedule(steps=4, restart=1, dependencies=1, budget=2, where=DISK).schedule,
}


@pytest.mark.parametrize(("table", "actions", "forward"), [("2", 5, 4), ("3", 22, 8), ("4", 35, 8), ("5", 30, 6)])
def test_tables_of_maddison(table: str, actions: int, forward: int) -> None:
    printed = [str(row).split("\t") for row in paper_actions(SCHEDULES[table])]
    published = [[row["index"], row["action"], *(row[state].replace("ightarrow", "->").replace("  ", " ")
                                                 for state in ("forward_state", "adjoint_state"))]
                 for row in rows("schedule-tables") if row["table"] == table]
    assert printed == published
    assert sum(row[0] != "-" for row in printed) == actions
    assert recount(SCHEDULES[table]).forward == forward


def test_table_1_is_table_4_in_revolve_s_words() -> None:
    published = [row["action"] for row in rows("schedule-tables") if row["table"] == "1"]
    assert in_revolve_s_words(SCHEDULES["4"]) == published
    assert len(published) == 13


def in_revolve_s_words(schedule: Schedule) -> list[str]:
    """takeshot, advance, firsturn, restore, youturn (Griewank and Walther); checkpoints are numbered as a stack."""
    said: list[str] = []
    stack: list[int] = []
    for action in schedule:
        if isinstance(action, Advance) and action.store is Content.RESTART:
            said.append(f"takeshot({action.i}, {len(stack)}, False)")
            stack.append(action.i)
        if isinstance(action, Advance) and action.store is not Content.DEPENDENCIES:
            said.append(f"advance({action.i}, {action.j})")
        if isinstance(action, Load):
            said.append(f"restore({action.i}, {stack.index(action.i)}, False)")
            if not action.keep:
                stack.remove(action.i)
        if isinstance(action, Adjoint):
            said.append("firsturn()" if not any("turn" in word for word in said) else "youturn()")
    return [*said, "terminate()"]


def test_what_is_freed_is_deleted_in_print() -> None:
    from snapset.analysis.schedules.package_schedules import freed, two_level

    text = "\n".join(map(str, paper_actions(freed(two_level(5, 2, 1)))))
    assert len(re.findall(r"Read\(4, disk, False\)\t-> 4\t-\n\d+\tClear\(True, True\)\t-\t-\n\d+\tDelete\(4, disk\)",
                          text)) == 1
