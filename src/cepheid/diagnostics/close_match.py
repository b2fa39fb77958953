"""What a user probably meant by a name that does not exist."""

from collections.abc import Iterable
from difflib import get_close_matches


def close_match(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that is spelled most like `name`, or None where none comes near; case does not count.

    >>> close_match("Longin", ["logout", "login"])
    'login'
    >>> close_match("refund", ["logout", "login"]) is None
    True
    """
    by_folded_name = {candidate.casefold(): candidate for candidate in sorted(candidates)}
    closest = get_close_matches(name.casefold(), sorted(by_folded_name), n=1)
    return by_folded_name[closest[0]] if closest else None
