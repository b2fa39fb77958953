"""Events, their order, the values they carry and the time they live in."""

from cepheid.events.arithmetic import (
    absolute,
    add,
    divide,
    floor_divide,
    modulo,
    multiply,
    negate,
    power,
    subtract,
)
from cepheid.events.casts import cast_bool, cast_float, cast_int, cast_string
from cepheid.events.clock import Clock, SystemClock
from cepheid.events.disorder import Arrival, Disorder
from cepheid.events.durations import Duration
from cepheid.events.event import Event, EventId, interval, point
from cepheid.events.frontier import Frontier, Frontiers
from cepheid.events.order import id_key, order_key, positions, sort_events
from cepheid.events.schema import (
    Attribute,
    Kind,
    Schema,
    StreamSchema,
    infer_schema,
    infer_stream_schema,
)
from cepheid.events.sources import Batch, Sink, Source
from cepheid.events.ticks import MAX_TIME, MIN_TIME, is_time
from cepheid.events.time import TIME_FORMS, TimeForm, format_time, parse_time
from cepheid.events.values import (
    GREATEST_INTEGER,
    LEAST_INTEGER,
    Mark,
    Value,
    and_,
    equal,
    integer,
    is_nan,
    is_number,
    key_of,
    less,
    not_,
    or_,
    sort_key,
)

__all__ = [
    "GREATEST_INTEGER",
    "LEAST_INTEGER",
    "MAX_TIME",
    "MIN_TIME",
    "TIME_FORMS",
    "Arrival",
    "Attribute",
    "Batch",
    "Clock",
    "Disorder",
    "Duration",
    "Event",
    "EventId",
    "Frontier",
    "Frontiers",
    "Kind",
    "Mark",
    "Schema",
    "Sink",
    "Source",
    "StreamSchema",
    "SystemClock",
    "TimeForm",
    "Value",
    "absolute",
    "add",
    "and_",
    "cast_bool",
    "cast_float",
    "cast_int",
    "cast_string",
    "divide",
    "equal",
    "floor_divide",
    "format_time",
    "id_key",
    "infer_schema",
    "infer_stream_schema",
    "integer",
    "interval",
    "is_nan",
    "is_number",
    "is_time",
    "key_of",
    "less",
    "modulo",
    "multiply",
    "negate",
    "not_",
    "or_",
    "order_key",
    "parse_time",
    "point",
    "positions",
    "power",
    "sort_events",
    "sort_key",
    "subtract",
]
