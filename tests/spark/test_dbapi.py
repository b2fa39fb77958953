"""Frames of Spark are tables of a connection."""

from pyspark.sql import SparkSession

from cepheid import dbapi


def test_a_frame_of_spark_is_a_table(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("A", 3), ("B", 5), ("A", 7)], "symbol string, price long")
    cursor = dbapi.connect({"stocks": frame, "names": [{"symbol": "A", "name": "Alpha"}]}).cursor()
    cursor.execute("SELECT symbol, price FROM stocks WHERE price > ?", [4])
    assert cursor.fetchall() == [("B", 5), ("A", 7)]
    cursor.execute(
        "SELECT n.name, SUM(s.price) AS total FROM stocks AS s JOIN names AS n USING (symbol) GROUP BY n.name"
    )
    assert cursor.fetchall() == [("Alpha", 10)]
