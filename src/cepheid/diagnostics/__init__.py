"""Errors that show the place, the reason and the way out."""
