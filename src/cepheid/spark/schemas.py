"""Schemas of Arrow as Spark's."""

from typing import Any

from pyspark.sql import types as T
from pyspark.sql.pandas.types import from_arrow_schema


def spark_schema(schema: Any) -> T.StructType:  # pyarrow has no types: a schema
    """Return the Spark schema of an Arrow schema; times have the session's zone."""
    return from_arrow_schema(schema)
