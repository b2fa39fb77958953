r"""Patterns that have a name, for use as `%{IP:ip}`: what each of them finds, and what kind of value that is.

They are regular expressions of RE2, and may use each other. A pattern of times knows how its times are written.
"""

from dataclasses import dataclass
from typing import Final

from cepheid.connectors.written_times import ISO

HTTP_DATE: Final = "%d/%b/%Y:%H:%M:%S %z"
SYSLOG_DATE: Final = "%b %d %H:%M:%S"


@dataclass(frozen=True, slots=True)
class Named:
    """A regular expression; `kind` is what its texts are read as, `time_format` how they say times."""

    expression: str
    kind: str = "string"
    time_format: str | None = None


_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_GROUP = r"[0-9A-Fa-f]{1,4}"

NAMED: Final[dict[str, Named]] = {
    # Words and texts
    "WORD": Named(r"\b\w+\b"),
    "NOTSPACE": Named(r"\S+"),
    "SPACE": Named(r"\s*"),
    "DATA": Named(r".*?"),
    "GREEDYDATA": Named(r".*"),
    "QUOTEDSTRING": Named(r'"(?:[^"\\]|\\.)*"'),
    "QS": Named(r"%{QUOTEDSTRING}"),
    "USERNAME": Named(r"[A-Za-z0-9._-]+"),
    "USER": Named(r"%{USERNAME}"),
    "UUID": Named(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"),
    "LOGLEVEL": Named(
        r"(?i:trace|debug|info(?:rmation)?|notice|warn(?:ing)?|err(?:or)?|crit(?:ical)?|alert|fatal|severe|emerg(?:ency)?)"
    ),
    # Numbers
    "INT": Named(r"[+-]?[0-9]+", "int"),
    "POSINT": Named(r"\b[1-9][0-9]*\b", "int"),
    "NONNEGINT": Named(r"\b[0-9]+\b", "int"),
    "NUMBER": Named(r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", "float"),
    "BASE10NUM": Named(r"%{NUMBER}", "float"),
    "BASE16NUM": Named(r"(?:0[xX])?[0-9A-Fa-f]+"),
    # Networks
    "IPV4": Named(rf"\b{_BYTE}(?:\.{_BYTE}){{3}}\b"),
    "IPV6": Named(rf"(?:{_GROUP}:){{7}}{_GROUP}|(?:{_GROUP}(?::{_GROUP}){{0,6}})?::(?:{_GROUP}(?::{_GROUP}){{0,6}})?"),
    "IP": Named(r"(?:%{IPV4}|%{IPV6})"),
    "HOSTNAME": Named(r"\b[0-9A-Za-z][0-9A-Za-z_-]{0,62}(?:\.[0-9A-Za-z][0-9A-Za-z_-]{0,62})*\.?"),
    "HOST": Named(r"%{HOSTNAME}"),
    "IPORHOST": Named(r"(?:%{IP}|%{HOSTNAME})"),
    "MAC": Named(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}"),
    "EMAILADDRESS": Named(r"[A-Za-z0-9._%+-]+@%{HOSTNAME}"),
    # Paths
    "UNIXPATH": Named(r"/[^\s:]*"),
    "PATH": Named(r"(?:%{UNIXPATH}|[A-Za-z]:\\\S*)"),
    "URIPROTO": Named(r"[A-Za-z][A-Za-z0-9+.-]*"),
    "URIPATH": Named(r"/[^\s?#]*"),
    "URIPARAM": Named(r"\?[^\s#]*"),
    "URIPATHPARAM": Named(r"%{URIPATH}(?:%{URIPARAM})?"),
    "URI": Named(r"%{URIPROTO}://[^\s/?#]*(?:%{URIPATHPARAM})?"),
    # Times
    "YEAR": Named(r"[0-9]{4}", "int"),
    "MONTH": Named(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b"),
    "MONTHNUM": Named(r"(?:0?[1-9]|1[0-2])", "int"),
    "MONTHDAY": Named(r"(?:0[1-9]|[12][0-9]|3[01]|[1-9])", "int"),
    "DAY": Named(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b"),
    "HOUR": Named(r"(?:2[0-3]|[01]?[0-9])", "int"),
    "MINUTE": Named(r"[0-5][0-9]", "int"),
    "SECOND": Named(r"(?:[0-5]?[0-9]|60)(?:[.,][0-9]+)?", "float"),
    "TIME": Named(r"%{HOUR}:%{MINUTE}(?::%{SECOND})?"),
    "ISO8601_TIMEZONE": Named(r"(?:Z|[+-]%{HOUR}(?::?%{MINUTE})?)"),
    "TIMESTAMP_ISO8601": Named(r"%{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{TIME}(?:%{ISO8601_TIMEZONE})?", time_format=ISO),
    "SYSLOGTIMESTAMP": Named(r"%{MONTH} +%{MONTHDAY} %{HOUR}:%{MINUTE}:[0-5][0-9]", time_format=SYSLOG_DATE),
    "HTTPDATE": Named(r"%{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} [+-][0-9]{4}", time_format=HTTP_DATE),
    # Parts of lines that have fields of their own
    "PROG": Named(r"[^\s\[\]:]+"),
    "SYSLOGPROG": Named(r"%{PROG:program}(?:\[%{INT:pid}\])?"),
    "SYSLOGHOST": Named(r"%{IPORHOST}"),
    "COMMONAPACHELOG": Named(
        r"%{IPORHOST:ip} %{NOTSPACE:ident} %{NOTSPACE:user} \[%{HTTPDATE:time}\] "
        r'"(?:%{WORD:method} %{NOTSPACE:path}(?: HTTP/%{NOTSPACE:version})?|%{DATA:request})" '
        r"%{INT:status} (?:%{INT:bytes}|-)"
    ),
    "COMBINEDAPACHELOG": Named(r'%{COMMONAPACHELOG} "(?P<referrer>(?:[^"\\]|\\.)*)" "(?P<agent>(?:[^"\\]|\\.)*)"'),
}
