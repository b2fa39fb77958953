"""The operator over columns that repeats."""
