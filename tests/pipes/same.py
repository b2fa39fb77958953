"""Are two results the same, of the same kinds and down to the last bit?"""


def same(one: object, other: object) -> bool:
    """Say so; 1, 1.0 and True are three values here, and NaN is one."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    return repr(one) == repr(other) if isinstance(one, float) else bool(one == other)
