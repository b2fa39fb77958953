"""Cepheid on Spark: the same query over batch and streaming frames, with the same matches."""

from cepheid.spark.detecting import detect

__all__ = ["detect"]
