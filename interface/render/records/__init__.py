"""What programs read: the JSON documents, filled."""
