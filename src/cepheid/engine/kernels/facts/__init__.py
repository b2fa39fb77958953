"""What a rule asks of single events and of times, and what is declined."""
