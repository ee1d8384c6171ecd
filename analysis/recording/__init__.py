"""To be recorded: what a strategy tapes and saves, what is computed again, minimal solutions."""
