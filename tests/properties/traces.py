"""Random histories: few types, few instants, many coincidences, since that is where definitions differ."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from cepheid.events import Event, Value, interval

TYPES = "abc"
Fields = Mapping[str, st.SearchStrategy[Value]]

KEYS: st.SearchStrategy[Value] = st.sampled_from([1, 1, 2, 2, None])
NUMBERS: st.SearchStrategy[Value] = st.sampled_from([0, 1, 2, 3, None])
KEYED: Fields = {"k": KEYS, "v": NUMBERS}


def traces(
    types: str = TYPES,
    most: int = 7,
    latest: int = 7,
    longest: int = 0,
    fields: Fields | None = None,
    least: int = 0,
) -> st.SearchStrategy[list[Event]]:
    """Events that end up to `latest` and last up to `longest`; ids are numbers in no particular order of time."""
    rows = st.tuples(
        st.sampled_from(types),
        st.integers(0, latest),
        st.integers(0, longest),
        st.fixed_dictionaries(dict(fields or {})),
    )
    return st.lists(rows, min_size=least, max_size=most).map(_numbered)


def _numbered(rows: Sequence[tuple[str, int, int, Mapping[str, Value]]]) -> list[Event]:
    return [
        interval(event_type, end - lasting, end, number, fields)
        for number, (event_type, end, lasting, fields) in enumerate(rows)
    ]


def sparse_traces(types: str = TYPES, latest: int = 4) -> st.SearchStrategy[list[Event]]:
    """Point events, at most one of each type at each instant."""
    places = st.tuples(st.integers(0, latest), st.sampled_from(types))
    return st.lists(places, min_size=2, max_size=9, unique=True).map(
        lambda rows: [interval(event_type, time, time, number) for number, (time, event_type) in enumerate(rows)]
    )
