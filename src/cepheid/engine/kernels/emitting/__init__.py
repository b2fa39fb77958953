"""Matches in columns: their order, their ids, and the batches that go out."""
