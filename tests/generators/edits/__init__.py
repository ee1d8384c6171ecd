"""Programs that people wrote, edited at random: the same kind of code, in an order that nobody thought of."""
