"""Messages between ranks: which parts may run twice, what must be logged, what may be sent again."""
