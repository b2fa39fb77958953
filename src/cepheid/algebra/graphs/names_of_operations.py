"""What users call an operation, by the name of its class: `KeepLast` is called `keep_last`."""

import re
from functools import cache


@cache
def call_name(name: str) -> str:
    """Return the name with which an operation is asked for.

    >>> call_name("KeepLast")
    'keep_last'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
