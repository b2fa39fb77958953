"""Pipes over frames of Spark: what keeps nothing runs everywhere, slices by their keys, the rest in one partition."""
