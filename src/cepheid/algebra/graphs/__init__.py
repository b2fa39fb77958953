"""Processors over any object as values, how they are joined into graphs, and what they mean."""
