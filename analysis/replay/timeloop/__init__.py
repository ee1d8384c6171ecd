"""Time loops executed under a schedule: restart data copied out and in, steps plain or recorded, bytes measured."""
