"""How far the input has come, and what becomes certain or due by that."""
