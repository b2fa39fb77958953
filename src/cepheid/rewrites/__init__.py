"""The laws of the algebra as functions, one per file."""
