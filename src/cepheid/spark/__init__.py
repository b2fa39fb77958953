"""Runs a plan on PySpark. The only room that imports pyspark."""
