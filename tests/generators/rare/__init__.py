"""Constructs that few programs have: written beside those of `constructs`, each as a feature of random programs."""

from __future__ import annotations

from tests.generators.constructs.programs import FEATURES
from tests.generators.rare import (
    bound_procedures,
    final_objects,
    function_values,
    kept_state,
    made_elsewhere,
    object_sections,
    old_control,
    open_arguments,
    shared_state,
    turning_planes,
)

RARE = (*open_arguments.FEATURES, *shared_state.FEATURES, *old_control.FEATURES, *function_values.FEATURES,
        *kept_state.FEATURES, *turning_planes.FEATURES, *object_sections.FEATURES, *final_objects.FEATURES,
        *bound_procedures.FEATURES, *made_elsewhere.FEATURES)
EVERY = (*FEATURES, *RARE)
