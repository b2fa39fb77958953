"""How many entries operators hold, how large they are, and what they cost."""
