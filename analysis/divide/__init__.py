"""Divide and conquer at any execution point: where a run is split, in what order its parts are taken back."""
