"""The operator over columns that follows chains."""
