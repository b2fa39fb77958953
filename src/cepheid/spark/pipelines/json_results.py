"""Results as JSON, each under a key: the id of the match, or a digest of what it says."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.spark.event_columns import quoted

KEY, VALUE, QUERY, ID, AT = "key", "value", "query", "id", "at"


def in_json(results: DataFrame) -> DataFrame:
    """Return the key, the JSON, the query, the id and the time of each result; what is no match has no id."""
    named = [F.col(quoted(one.name)) for one in results.schema.fields if one.dataType != T.StructType([])]
    told = results.select(F.to_json(F.struct(*named)).alias(VALUE), QUERY, ID, F.col("end").alias(AT))
    return told.withColumn(KEY, F.coalesce(F.col(ID), F.sha2(F.col(VALUE), 256)))
