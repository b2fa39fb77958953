"""All rows of a window in one list, which a SELECT can be asked about."""

from typing import Any

from cepheid.algebra.graphs import built_in
from cepheid.algebra.graphs.processors import Processor


def rows_so_far() -> Processor:
    """Return a processor that gives the list of all that came."""
    return built_in.cumulate(_more, ())


def _more(rows: Any, row: Any) -> Any:  # rows are any objects
    return (*rows, row)
