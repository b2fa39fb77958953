"""Logs that many programs write: their lines, the types of their events, and how their times are written.

`apache` reads the common and the combined form, `syslog` the old form and that of RFC 5424, `openssh` what sshd says in
either. A line of a syslog that is none of sshd's own is an event of the type `Other`.
"""

from dataclasses import dataclass
from typing import Final

from cepheid.connectors.logs.named_patterns import HTTP_DATE, SYSLOG_DATE
from cepheid.connectors.written_times import ISO


@dataclass(frozen=True, slots=True)
class Preset:
    """Patterns with the type of what they find, the first that fits counts; and how times are written."""

    patterns: tuple[tuple[str, str], ...]
    time_formats: tuple[str, ...]


_STAMP = r"^(?:<[0-9]+>)?(?:%{SYSLOGTIMESTAMP:time}|(?:1 )?%{TIMESTAMP_ISO8601:time})"
_HEAD = rf"{_STAMP} %{{SYSLOGHOST:host}} %{{SYSLOGPROG}}"
_SYSLOG = rf"{_HEAD}:? ?%{{GREEDYDATA:message}}$"
_SSHD = rf"{_STAMP} %{{SYSLOGHOST:host}} sshd(?:-session)?(?:\[%{{INT:pid}}\])?:? "
_FROM = r"from %{IPORHOST:ip}(?: port %{INT:port})?"
_USER = r"(?P<user>\S*)"
_WHOSE = rf"(?:(?:(?:authenticating|invalid) )?user {_USER} )?"
_AT = r"%{IP:ip}(?: port %{INT:port})?"

PRESETS: Final[dict[str, Preset]] = {
    "apache": Preset(
        (("Request", r"^%{COMBINEDAPACHELOG}"), ("Request", r"^%{COMMONAPACHELOG}")),
        (HTTP_DATE,),
    ),
    "syslog": Preset((("Message", _SYSLOG),), (SYSLOG_DATE, ISO)),
    "openssh": Preset(
        (
            ("Failed", rf"{_SSHD}Failed %{{NOTSPACE:method}} for (?:invalid user )?{_USER} {_FROM}"),
            ("Accepted", rf"{_SSHD}Accepted %{{NOTSPACE:method}} for {_USER} {_FROM}"),
            ("InvalidUser", rf"{_SSHD}Invalid user {_USER} {_FROM}"),
            ("Closed", rf"{_SSHD}Connection (?:closed|reset) by {_WHOSE}{_AT}"),
            ("Disconnected", rf"{_SSHD}(?:Received disconnect {_FROM}|Disconnected from {_WHOSE}{_AT})"),
            ("Other", _SYSLOG),
        ),
        (SYSLOG_DATE, ISO),
    ),
}
