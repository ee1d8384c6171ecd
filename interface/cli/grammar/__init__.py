"""What each command takes: options, help, examples."""
