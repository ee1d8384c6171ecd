"""Constructs that came after those of `rare`, in a list of their own: the programs of a number stay what they were."""

from __future__ import annotations

from tests.generators.further import (
    asked_sizes,
    behind_links,
    common_members,
    handed_memory,
    masked_objects,
    moved_memory,
    named_parts,
    other_values,
    whole_objects,
)
from tests.generators.rare import EVERY

FURTHER = (*moved_memory.FEATURES, *masked_objects.FEATURES, *named_parts.FEATURES, *other_values.FEATURES,
           *handed_memory.FEATURES, *common_members.FEATURES)
LATER = (*whole_objects.FEATURES, *asked_sizes.FEATURES, *behind_links.FEATURES)
ALL_FEATURES = (*EVERY, *FURTHER, *LATER)
