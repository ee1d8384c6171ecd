"""What procedures without source do: declared by the user, or known of a library."""
