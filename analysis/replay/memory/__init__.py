"""The machine's memory: slots, frames, associations, derived values, random numbers and clock."""
