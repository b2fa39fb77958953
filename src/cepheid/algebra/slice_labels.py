"""The name that a slice has in the map of all slices: the text of its key.

    3 is `3`      "ann" is `ann`      ("ann", 3) is `["ann",3]`

Keys of different kinds may read alike (3 and "3"); the map then shows the slice that began last.
"""

import json

from cepheid.events import Value, casts


def label(key: Value) -> str:
    """Return the text of a key, whatever it is.

    >>> label("ann"), label(2.5), label(True), label(("ann", None))
    ('ann', '2.5', 'true', '["ann",null]')
    """
    text = casts.cast_string(key)
    return text if text is not None else json.dumps(key, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
