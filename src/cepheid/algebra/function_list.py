"""Every function that a condition can call, with a sentence about it and an example; tests run the examples."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Described:
    """How a function is called, what it answers, and an example with its value."""

    usage: str
    about: str
    example: str
    value: str

    @property
    def name(self) -> str:
        return self.usage.partition("(")[0]


_NUMBERS = (
    Described("abs(x)", "the number without its sign", "abs(-2)", "2"),
    Described("avg(x, y, ...)", "the mean of its arguments", "avg(1, 2)", "1.5"),
    Described("ceil(x)", "the least whole number that is not below", "ceil(1.2)", "2"),
    Described("exp(x)", "e to the power of a number", "exp(0)", "1.0"),
    Described("floor(x)", "the greatest whole number that is not above", "floor(1.8)", "1"),
    Described("log(x)", "the natural logarithm", "log(1)", "0.0"),
    Described("max(x, y, ...)", "the greatest of its arguments", "max(1, 2)", "2"),
    Described("min(x, y, ...)", "the least of its arguments", "min(1, 2)", "1"),
    Described("pow(x, y)", "a number to the power of another", "pow(2, 10)", "1024"),
    Described(
        "round(x, digits)", "the nearest number with so many digits; without them a whole one", "round(2.6)", "3"
    ),
    Described("sqrt(x)", "the square root", "sqrt(4)", "2.0"),
)
_TEXTS = (
    Described("contains(text, part)", "whether a text has another in it", 'contains("sshd", "ssh")', "true"),
    Described("ends_with(text, end)", "whether a text ends with another", 'ends_with("a.php", ".php")', "true"),
    Described(
        "extract(text, pattern, group)",
        "what a regular expression finds first: a group by its number or name, else its first group, else all of it",
        'extract("port 22", "port ([0-9]+)")',
        '"22"',
    ),
    Described("length(text)", "how many characters a text has, or a list items", 'length("root")', "4"),
    Described("lower(text)", "the text in small letters", 'lower("Root")', '"root"'),
    Described(
        "matches(text, pattern)",
        "whether a regular expression is found in a text",
        'matches("GET /a", "^GET ")',
        "true",
    ),
    Described("replace(text, old, new)", "the text with every `old` replaced", 'replace("a-b-c", "-", "/")', '"a/b/c"'),
    Described(
        "split_part(text, separator, n)",
        "one of the parts between separators, counted from 1, or from the end with -1",
        'split_part("/shop/cart", "/", 2)',
        '"shop"',
    ),
    Described("starts_with(text, start)", "whether a text starts with another", 'starts_with("/admin", "/")', "true"),
    Described(
        "substring(text, first, count)", "some characters of a text, the first is 0", 'substring("abcd", 1, 2)', '"bc"'
    ),
    Described("trim(text)", "the text without spaces at its ends", 'trim(" a ")', '"a"'),
    Described("upper(text)", "the text in capital letters", 'upper("get")', '"GET"'),
)
_TIME = "2024-05-17T08:30:00Z"
_TIMES = (
    Described("date(time, zone)", "the day as a text", f'date("{_TIME}")', '"2024-05-17"'),
    Described("day(time, zone)", "the day of the month", f'day("{_TIME}")', "17"),
    Described("hour(time, zone)", "the hour, 0 to 23", f'hour("{_TIME}", "Europe/Berlin")', "10"),
    Described("minute(time, zone)", "the minute, 0 to 59", f'minute("{_TIME}")', "30"),
    Described("month(time, zone)", "the month, 1 to 12", f'month("{_TIME}")', "5"),
    Described("second(time, zone)", "the second, 0 to 59", f'second("{_TIME}")', "0"),
    Described(
        "timestamp(text)",
        "the microseconds since 1970 of a time in ISO 8601",
        f'timestamp("{_TIME}")',
        "1715934600000000",
    ),
    Described("weekday(time, zone)", "the day of the week, 1 is Monday and 7 is Sunday", f'weekday("{_TIME}")', "5"),
    Described("year(time, zone)", "the year", f'year("{_TIME}")', "2024"),
)
_NETWORK = (
    Described(
        "cidr_contains(network, ip)",
        "whether an address lies in a network",
        'cidr_contains("10.0.0.0/8", "10.1.2.3")',
        "true",
    ),
    Described("is_ip(text)", "whether a text is an address, of version 4 or 6", 'is_ip("::1")', "true"),
    Described("is_private(ip)", "whether the internet does not route an address", 'is_private("192.168.0.9")', "true"),
)
_OTHERS = (
    Described("bool(x)", "a text or a number as true or false", 'bool("true")', "true"),
    Described("coalesce(x, y, ...)", "the first argument that is not null", "coalesce(null, 1)", "1"),
    Described("float(x)", "a text or a number as a decimal number", 'float("1.5")', "1.5"),
    Described("get(x, key)", "the field of a record, or the item of a list, the first is 0", "get(list(7, 8), 1)", "8"),
    Described("if(condition, x, y)", "`x` where the condition is true, else `y`", "if(1 < 2, 3, 4)", "3"),
    Described("int(x)", "a text or a number as a whole number", 'int("22")', "22"),
    Described("is_null(x)", "whether there is no value", "is_null(null)", "true"),
    Described("list(x, ...)", "a list of its arguments", "length(list(1, 2))", "2"),
    Described("record(name, x, ...)", "a record of names and values", 'get(record("a", 1), "a")', "1"),
    Described("string(x)", "a value as a text", "string(22)", '"22"'),
)

FUNCTION_GROUPS: Final[dict[str, tuple[Described, ...]]] = {
    "Texts": _TEXTS,
    "Times": _TIMES,
    "Network": _NETWORK,
    "Numbers": _NUMBERS,
    "Values": _OTHERS,
}


def listed_functions() -> str:
    """Return all functions, group by group, with their examples."""
    groups = []
    for title, functions in FUNCTION_GROUPS.items():
        usages = [f"  {one.usage:32} {one.about}\n  {'':32} {one.example} is {one.value}" for one in functions]
        groups.append("\n".join([title, *usages]))
    notes = (
        'A time is `end(a)` or `start(a)` of an event, or a text in ISO 8601; a zone such as "Europe/Berlin" may be '
        "left out, and is UTC then."
    )
    null = "What a function cannot answer is null, and a condition that is null does not hold."
    return "\n\n".join([*groups, f"{notes}\n{null}"]) + "\n"
