"""Facts about processors: what they keep, and how many values they give."""
