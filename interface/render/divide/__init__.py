"""What ``snapset divide`` prints: text for people, and its JSON."""
