"""What people read: pages of text."""
