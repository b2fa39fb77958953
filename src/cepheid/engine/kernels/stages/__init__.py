"""Operators over columns that scan, choose, and look for what is absent or collected."""
