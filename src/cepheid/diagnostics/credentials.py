"""Addresses are shown without what opens them: who reads an error, or a log of it, learns no password."""

import re
from typing import Final

_STARS: Final = "***"
_SHOWN: Final = r"(?!\*\*\*(?:[@&\s`'\"]|$))"
# A path that was an address has one slash left.
_USERS: Final = re.compile(rf"(:/{{1,2}}[^/?#@\s:]*:){_SHOWN}\S*@")
_USERS_OF_ONE: Final = re.compile(rf"(:/{{1,2}}[^/?#@\s:]*:){_SHOWN}.*@", re.S)
_WITHOUT_SLASHES: Final = re.compile(r"^([a-z][\w+.-]+:(?!/)).*[:/].*@", re.S | re.I)
_OPENING: Final = r"[\w.-]*(?:password|passwd|secret|token|credential|signature|api[_-]?key)[\w.-]*"
_PARAMETERS: Final = re.compile(rf"([?&]{_OPENING}=){_SHOWN}[^\s&]+", re.I)
_PAIRS: Final = re.compile(rf"((?:^|[\s;?&]){_OPENING}\s*=\s*){_SHOWN}('(?:[^'\\]|\\.)*'|[^\s&;]+)", re.I)


def without_credentials(text: str) -> str:
    """Return a text without the passwords of the addresses in it.

    >>> without_credentials("`postgresql://ann:secret@db/shop` and `https://host/x?token=secret&day=1`")
    '`postgresql://ann:***@db/shop` and `https://host/x?token=***&day=1`'
    >>> without_credentials("`login.password = 'x'` never holds for `ann@host`")
    "`login.password = 'x'` never holds for `ann@host`"
    """
    if ":/" not in text:
        return text
    return _PARAMETERS.sub(rf"\1{_STARS}", _USERS.sub(rf"\1{_STARS}@", text))


def shown_address(name: str) -> str:
    """Return what somebody wrote to say where something is, without what may be a password in it.

    >>> shown_address("postgresql://ann:a b@c@db/shop"), shown_address("postgresql:ann:secret@db")
    ('postgresql://ann:***@db/shop', 'postgresql:***@db')
    >>> shown_address("host=db password='a b' user=ann"), shown_address("logs/12:30@home.csv")
    ('host=db password=*** user=ann', 'logs/12:30@home.csv')
    """
    whole = _WITHOUT_SLASHES.sub(rf"\1{_STARS}@", _USERS_OF_ONE.sub(rf"\1{_STARS}@", name))
    return _PAIRS.sub(rf"\1{_STARS}", whole)


def covered(line: str) -> str:
    """Return a line in which each character of a password is a star, so that all others stay where they are.

    >>> covered("-i postgresql://ann:secret@db")
    '-i postgresql://ann:******@db'
    """
    return _covered(_PARAMETERS, _covered(_USERS, line)) if ":/" in line else line


def _covered(secret: re.Pattern[str], line: str) -> str:
    def stars(found: re.Match[str]) -> str:
        end = "@" if found[0].endswith("@") else ""
        return found[1] + "*" * (len(found[0]) - len(found[1]) - len(end)) + end

    return secret.sub(stars, line)
