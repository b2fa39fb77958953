"""Cepheid on Spark: the same query over batch and streaming frames, with the same matches; and pipes over them."""

from importlib import import_module
from typing import TYPE_CHECKING

from cepheid.diagnostics import missing_package

if TYPE_CHECKING:
    from cepheid.spark.detecting import detect
    from cepheid.spark.pipes.running import pipe

__all__ = ["detect", "pipe"]
_PLACES = {"detect": "cepheid.spark.detecting", "pipe": "cepheid.spark.pipes.running"}


def __getattr__(name: str) -> object:
    """Return a name when it is first asked for: a process of Spark that needs one module alone loads no more."""
    if name not in __all__:
        raise AttributeError(f"module `cepheid.spark` has no attribute `{name}`")
    try:
        return getattr(import_module(_PLACES[name]), name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("pyspark", "py4j"):
            raise
        raise missing_package("pyspark", "spark") from None
