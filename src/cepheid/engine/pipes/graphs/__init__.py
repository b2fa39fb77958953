"""Processors that run in this process: graphs over any kind of event."""

from cepheid.engine.pipes.graphs import bodies, claims, recent, simple
from cepheid.engine.pipes.graphs.runner import GraphRunner

__all__ = ["GraphRunner", "bodies", "claims", "recent", "simple"]
