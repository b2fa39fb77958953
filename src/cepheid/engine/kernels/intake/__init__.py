"""Events on their way in: what is late, which keys they have, and the log they are in."""
