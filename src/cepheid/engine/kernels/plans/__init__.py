"""A rule as operators over columns: what each of them is told."""
