"""Chains of known functions over tuples, in columns: Arrow in, Arrow out."""

from cepheid.engine.pipes.columns.running import in_columns, is_arrow, rows_of

__all__ = ["in_columns", "is_arrow", "rows_of"]
