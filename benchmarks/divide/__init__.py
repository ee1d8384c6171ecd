"""Divided runs measured: the adaptive grid against its length and beside its closed form, what counting costs, what
capsules hold."""
