"""What a run holds, beside what was promised."""
