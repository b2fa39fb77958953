"""Pipelines: sources, queries and sinks in a file, run on Spark as one stream."""

from cepheid.spark.pipelines.beginnings import check_topics
from cepheid.spark.pipelines.broken_rates import check_rates
from cepheid.spark.pipelines.declared import DeclaredQuery, DeclaredSink, DeclaredSource, Pipeline
from cepheid.spark.pipelines.figures import BatchFigures
from cepheid.spark.pipelines.reading import read_pipeline, read_pipeline_file
from cepheid.spark.pipelines.running import ReadyPipeline, check_sinks, ready, session_for, start, stop, watch
from cepheid.spark.pipelines.sinks import remarks_on_sinks, sinks_of

__all__ = [
    "BatchFigures",
    "DeclaredQuery",
    "DeclaredSink",
    "DeclaredSource",
    "Pipeline",
    "ReadyPipeline",
    "check_rates",
    "check_sinks",
    "check_topics",
    "read_pipeline",
    "read_pipeline_file",
    "ready",
    "remarks_on_sinks",
    "session_for",
    "sinks_of",
    "start",
    "stop",
    "watch",
]
