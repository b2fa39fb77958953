"""What takes in events and emits matches, in which tier."""
