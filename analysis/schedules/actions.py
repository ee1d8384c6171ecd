"""The actions of a checkpointing schedule: a small vocabulary that every schedule is written in.

Steps are numbered from 0; step k leads from state k to state k + 1. For two steps and room for one restart::

    Advance(0, 1, Content.RESTART, StorageLevel.MEMORY)      store state 0, run step 0 plainly
    Advance(1, 2, Content.DEPENDENCIES, StorageLevel.WORK)   run step 1 and record what its adjoint reads
    EndForward()
    Adjoint(2, 1)                                     the adjoint of step 1 uses up the record
    Load(0, StorageLevel.MEMORY, keep=False)                 the forward is at state 0 again; the place is free
    Advance(0, 1, Content.DEPENDENCIES, StorageLevel.WORK)
    Adjoint(1, 0)
    EndReverse()

Source: Maddison, high-level checkpointing, section 3; his Configure, Forward, Write and Clear are one ``Advance``
here (:mod:`snapset.analysis.schedules.paper_printer` prints his).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from snapset.frontend.base.frozen_records import frozen


class Content(Enum):
    """What an ``Advance`` stores, and what a checkpoint holds."""

    NOTHING = "nothing"
    RESTART = "restart"
    DEPENDENCIES = "dependencies"


class StorageLevel(Enum):
    """Where data is kept.

    ``WORK`` is the working storage that the adjoint of a step reads from (the tape's stack); ``MEMORY`` and ``DISK``
    hold checkpoints.
    """

    WORK = "work"
    MEMORY = "memory"
    DISK = "disk"

    __hash__ = object.__hash__  # a member is one object; that of Enum is a Python function, asked for each action


@frozen
class Advance:
    """Run the forward from state ``i`` to state ``j``.

    RESTART stores, before step i, what is needed to run again from state i; how far it will be run is
    :attr:`~snapset.analysis.schedules.abstract_machine.Checkpoint.span`. DEPENDENCIES records each of the steps
    i .. j-1; each becomes a checkpoint of its own at ``where``, or is left in the working storage.
    """

    i: int
    j: int
    store: Content = Content.NOTHING
    where: StorageLevel = StorageLevel.WORK


@frozen
class Load:
    """Read the checkpoint of step ``i``; unless ``keep``, its place is free afterwards.

    Restart data puts the forward at state i. Dependencies come into the working storage, and the forward is nowhere:
    in general they do not suffice to restart.
    """

    i: int
    where: StorageLevel
    keep: bool


@frozen
class Free:
    """Forget the checkpoint of step ``i`` without reading it."""

    i: int
    where: StorageLevel


@frozen
class Adjoint:
    """Run the adjoint of the steps j-1 .. i, which uses up their dependencies in the working storage.

    The forward is nowhere afterwards: the adjoint has taken its variables.
    """

    j: int
    i: int


@frozen
class EndForward:
    """All steps have been run once; the adjoint may start."""


@frozen
class EndReverse:
    """The adjoint is at state 0: nothing follows."""


Action = Advance | Load | Free | Adjoint | EndForward | EndReverse


@frozen
class Schedule:
    """A name and the actions for a number of ``steps``; iterating goes through the actions.

    ``online``: while it runs forward, it need not know how many steps there are. ``repeatable``: what it leaves behind
    serves for another adjoint.
    """

    name: str
    steps: int
    actions: tuple[Action, ...]
    online: bool = False
    repeatable: bool = False

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)
