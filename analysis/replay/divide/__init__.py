"""Divide and conquer on the machine: a run interrupted at any step, capsules of what is live, adjoints of intervals."""
