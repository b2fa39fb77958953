"""What operators keep: stores by key and deadline, and their form on disk."""
