"""Lines of text: named patterns, presets for logs that many programs write, logfmt, and what is not like them."""

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid
from cepheid.connectors.logs.grok import line_pattern
from cepheid.connectors.logs.logfmt import read_logfmt
from cepheid.connectors.logs.named_patterns import NAMED
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import CepheidError
from cepheid.events import Value

SSHD = """\
Dec 31 23:59:50 web1 sshd[411]: Failed password for invalid user admin from 203.0.113.5 port 4022 ssh2
Dec 31 23:59:55 web1 sshd[412]: Failed password for root from 2001:db8::5 port 4023 ssh2
Jan  1 00:00:05 web1 sshd[413]: Accepted publickey for ann from 198.51.100.4 port 5000 ssh2: ED25519 SHA256:x
Jan  1 00:00:06 web1 CRON[99]: pam_unix(cron:session): session opened for user root
Jan  1 00:00:07 web1 sshd[414]: Invalid user guest from 203.0.113.5 port 4024
Jan  1 00:00:08 web1 sshd[413]: Received disconnect from 198.51.100.4 port 5000:11: disconnected by user
Jan  1 00:00:09 web1 sshd[415]: Connection closed by authenticating user bob 203.0.113.6 port 4025 [preauth]
"""
APACHE = """\
203.0.113.5 - ann [17/May/2024:08:30:00 +0200] "GET /cart?id=7 HTTP/1.1" 200 5120 "http://a.test/" "Mozilla/5.0 (X11)"
2001:db8::7 - - [17/May/2024:08:30:01 +0200] "POST /pay HTTP/1.1" 302 -
203.0.113.9 - - [17/May/2024:08:30:02 +0200] "\\x16\\x03\\x01" 400 226 "-" "-"
"""


def written(path: Path, text: str) -> str:
    path.write_text(text)
    os.utime(path, (1704153600, 1704153600))  # the second day of 2024
    return str(path)


def rows(path: str, *fields: str, **options: object) -> list[dict[str, Value]]:
    """Some fields of all events."""
    a = cepheid.any_event(name="a")
    values = {name.replace(".", "_"): a[name] for name in fields}
    run = cepheid.compile(cepheid.query(a, values=values)).run(path, **options)  # type: ignore[arg-type]
    return [dict(match.values) for match in run]


def test_openssh_has_types_of_its_own_and_years_that_follow_each_other(tmp_path: Path) -> None:
    path = written(tmp_path / "auth.log", SSHD)
    a = cepheid.any_event(name="a")
    query = cepheid.compile(cepheid.query(a, values={"type": a["$type"], "ip": a.ip, "user": a.user}))
    run = query.run(path, input_format="openssh")
    assert [(match.end, *match.values.values()) for match in run] == [
        ("2023-12-31T23:59:50Z", "Failed", "203.0.113.5", "admin"),
        ("2023-12-31T23:59:55Z", "Failed", "2001:db8::5", "root"),
        ("2024-01-01T00:00:05Z", "Accepted", "198.51.100.4", "ann"),
        ("2024-01-01T00:00:06Z", "Other", None, None),
        ("2024-01-01T00:00:07Z", "InvalidUser", "203.0.113.5", "guest"),
        ("2024-01-01T00:00:08Z", "Disconnected", "198.51.100.4", None),
        ("2024-01-01T00:00:09Z", "Closed", "203.0.113.6", "bob"),
    ]
    assert run.summary.rejected == 0


def test_apache_is_read_in_both_forms(tmp_path: Path) -> None:
    path = written(tmp_path / "access.log", APACHE)
    found = rows(path, "ip", "user", "method", "path", "status", "bytes", "agent", input_format="apache")
    assert found == [
        {
            "ip": "203.0.113.5",
            "user": "ann",
            "method": "GET",
            "path": "/cart?id=7",
            "status": 200,
            "bytes": 5120,
            "agent": "Mozilla/5.0 (X11)",
        },
        {
            "ip": "2001:db8::7",
            "user": "-",
            "method": "POST",
            "path": "/pay",
            "status": 302,
            "bytes": None,
            "agent": None,
        },
        {"ip": "203.0.113.9", "user": "-", "method": None, "path": None, "status": 400, "bytes": 226, "agent": "-"},
    ]


def test_syslog_is_read_in_both_forms(tmp_path: Path) -> None:
    text = "<34>Oct 11 22:14:15 mymachine su: failed for lonvick\n"
    text += "<165>1 2003-10-11T22:14:15.003Z host.test evntslog - ID47 - An event\n"
    path = written(tmp_path / "syslog", text)
    found = rows(path, "host", "program", "message", input_format="syslog")
    assert found[0] == {"host": "host.test", "program": "evntslog", "message": "- ID47 - An event"}
    assert found[1] == {"host": "mymachine", "program": "su", "message": "failed for lonvick"}


@pytest.mark.parametrize(
    ("input_format", "text"), [("apache", APACHE), ("syslog", "Oct 11 22:14:15 mymachine su: no\n")]
)
def test_the_type_of_a_format_of_one_type_can_be_named(tmp_path: Path, input_format: str, text: str) -> None:
    path = written(tmp_path / "some.log", text)
    run = cepheid.compile("Hit", language="cep").run(path, input_format=input_format, type="Hit")
    assert run.count() == len(text.splitlines())
    assert run.warnings == []


def test_the_types_of_a_format_of_several_are_its_own(tmp_path: Path) -> None:
    path = written(tmp_path / "auth.log", "Oct 11 22:14:15 h sshd[1]: Invalid user x from 10.0.0.1\n")
    with pytest.raises(CepheidError) as caught:
        cepheid.compile("Hit", language="cep").run(path, input_format="openssh", type="Hit")
    assert str(caught.value) == (
        "error[conflicting-options]: lines of `openssh` have types of their own, and `--type` names another\n"
        "  = hint: leave out `--type`, and ask for one of theirs: `Failed`"
    )


def test_a_line_unlike_a_format_is_said_with_an_option_that_goes_with_formats(tmp_path: Path) -> None:
    path = written(tmp_path / "access.log", APACHE + "nonsense\n")
    run = cepheid.compile("Request", language="cep").run(path, input_format="apache")
    assert run.count() == 3
    [warning] = run.warnings
    assert "the first: this line is not like those of `apache`" in warning.message
    assert warning.hints == ("see them all: `--rejects rejects.jsonl`",)


def test_a_pattern_reads_several_files_packed_ones_too(tmp_path: Path) -> None:
    written(tmp_path / "a.log", "1 10.0.0.1 ok\n")
    (tmp_path / "a.log.1.gz").write_bytes(gzip.compress(b"2 10.0.0.2 ok\n3 nonsense\n"))
    seen: list[str] = []
    run = cepheid.compile("Line").run(
        str(tmp_path / "a.log*"),
        pattern=r"^%{INT:time} %{IP:ip} (?P<state>\w+)$",
        type="Line",
        on_reject=lambda reject: seen.append(f"{reject.diagnostic.message} {reject.diagnostic.place}"),
    )
    assert run.count() == 2
    assert seen == [f"this line is not like the pattern ({tmp_path / 'a.log.1.gz'}:2)"]


def test_the_first_line_that_does_not_fit_says_from_where_on(tmp_path: Path) -> None:
    path = written(tmp_path / "a.log", "1 somewhere ok\n")
    notes: list[tuple[str, ...]] = []
    run = cepheid.compile("Line").run(
        path,
        pattern=r"^%{INT:time} %{IP:ip} %{WORD:state}$",
        type="Line",
        on_reject=lambda reject: notes.append(reject.diagnostic.notes),
    )
    assert run.count() == 0
    assert notes == [("it is not like the beginning of the pattern, `^%{INT:time} %{IP:ip} `",)]


def test_a_pattern_can_name_the_type_and_the_kinds(tmp_path: Path) -> None:
    path = written(tmp_path / "a.log", "1 Up 7 1.5 8\n2 Down 9 2 x\n")
    pattern = r"%{INT:time} %{WORD:type} %{INT:a} %{NUMBER:b} %{NOTSPACE:c:int}"
    a = cepheid.event("Up", "Down", name="a")
    run = cepheid.compile(cepheid.query(a, values={"a": a.a, "b": a.b, "c": a.c})).run(path, pattern=pattern)
    assert [dict(match.values) for match in run] == [{"a": 7, "b": 1.5, "c": 8}, {"a": 9, "b": 2.0, "c": None}]


@pytest.mark.parametrize(
    ("pattern", "message", "hint"),
    [
        ("%{IPP:ip}", "there is no pattern `%{IPP:ip}`", "write `%{IP:ip}`"),
        ("%{IPP:the ip:text}", "there is no pattern `%{IPP:the ip:text}`", "write `%{IP}`"),
        ("%{IPP:ip:text}", "there is no pattern `%{IPP:ip:text}`", "write `%{IP:ip}`"),
        ("%{IP:ip", "a `%{` has no end", "write it like `%{IP:ip}`"),
        ("%{IP:ip:number}", "nothing is read as `number`", "write `%{IP:ip:string}`"),
        ("(%{IP:ip}", "missing )", "put a backslash before a bracket that stands for itself, as in `sshd\\[`"),
    ],
)
def test_patterns_with_mistakes_are_refused(pattern: str, message: str, hint: str) -> None:
    with pytest.raises(cepheid.CepheidError) as error:
        cepheid.compile("A").run("-", pattern=pattern)
    assert str(error.value) == f"error[bad-pattern]: `{pattern}` cannot be searched for: {message}\n  = hint: {hint}"


@pytest.mark.parametrize("name", sorted(NAMED))
def test_every_named_pattern_is_one(name: str) -> None:
    assert line_pattern(f"%{{{name}:x}}").expression is not None


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("IP", ["10.0.0.1", "255.255.255.255", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8"], ["256.1.1.1", "10.0.0"]),
        ("NUMBER", ["1", "-1.5", ".5", "1e9"], ["one", "-"]),
        ("HTTPDATE", ["17/May/2024:08:30:00 +0200"], ["2024-05-17"]),
        ("SYSLOGTIMESTAMP", ["May 17 08:30:00", "Jan  1 00:00:01"], ["Foo 17 08:30:00"]),
        ("TIMESTAMP_ISO8601", ["2024-05-17T08:30:00Z", "2024-05-17 08:30:00.5+02:00"], ["17.5.2024"]),
        ("UUID", ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567"]),
        ("LOGLEVEL", ["WARN", "error", "Info"], ["loud"]),
        ("URI", ["http://a.test/b?c=d", "ftp://x"], ["/a/b"]),
        ("EMAILADDRESS", ["ann@example.test"], ["ann"]),
        ("QUOTEDSTRING", ['"a \\" b"'], ["'a'"]),
    ],
)
def test_named_patterns_find_what_they_are_called(name: str, good: list[str], bad: list[str]) -> None:
    expression = line_pattern(f"^%{{{name}}}$").expression
    assert [text for text in good if expression.search(text) is None] == []
    assert [text for text in bad if expression.search(text) is not None] == []


def test_logfmt() -> None:
    assert read_logfmt('at=info n=2 x=1.5 ok=true none= msg="a \\"b\\" c" cached path=/a?b=c') == {
        "at": "info",
        "n": 2,
        "x": 1.5,
        "ok": True,
        "none": None,
        "msg": 'a "b" c',
        "cached": True,
        "path": "/a?b=c",
    }
    assert isinstance(read_logfmt("just some words"), Refused)
    assert isinstance(read_logfmt('a="no end'), Refused)


@given(st.text())
def test_no_line_stops_logfmt(line: str) -> None:
    assert isinstance(read_logfmt(line), dict | Refused)


def test_logfmt_through_the_door(tmp_path: Path) -> None:
    path = written(tmp_path / "app.log", 'time=2024-05-17T08:30:00Z level=error msg="it broke" n=3\n')
    assert rows(path, "level", "n", input_format="logfmt", type="Line") == [{"level": "error", "n": 3}]


def test_a_pattern_and_a_format_are_one_too_many() -> None:
    with pytest.raises(cepheid.CepheidError, match="leave one of them out"):
        cepheid.compile("A").run("-", pattern="x", input_format="apache")


@pytest.mark.parametrize(
    ("line", "like"),
    [
        (SSHD, "openssh"),
        (APACHE, "apache"),
        ("time=1 level=info msg=x", "logfmt"),
        ("<1>Oct 11 22:14:15 h su: x", "syslog"),
    ],
)
def test_a_file_of_an_unknown_kind_says_what_it_looks_like(line: str, like: str, tmp_path: Path) -> None:
    path = written(tmp_path / "some.log", line)
    with pytest.raises(cepheid.CepheidError, match=f"add `--input-format {like}`"):
        cepheid.compile("A").run(path).count()
