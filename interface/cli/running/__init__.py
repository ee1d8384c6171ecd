"""What commands share while they run: the session of files and results, progress."""
