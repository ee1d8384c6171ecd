"""One procedure and what it does to its caller's memory: use, out, kill, arrays written whole, liveness, allocation."""
