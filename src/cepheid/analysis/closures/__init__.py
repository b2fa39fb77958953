"""How far apart the parts of a pattern can be."""
