"""Operators over columns that join."""
