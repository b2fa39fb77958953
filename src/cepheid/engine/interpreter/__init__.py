"""Rules run operator by operator in plain Python, a machine for each key."""
