"""What names mean: scopes, use and host association, derived types, shared storage."""
