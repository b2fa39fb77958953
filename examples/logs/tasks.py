"""The five questions of this folder in Python.

    python examples/logs/tasks.py

`cepheid run guessed.cep --input auth.log --input-format openssh --year 2024` and its like answer the same by command.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cepheid as c
from cepheid.algebra.builder import Query, QueryProgram

HERE = Path(__file__).parent
SSH: Mapping[str, Any] = {"events": HERE / "auth.log", "input_format": "openssh", "year": 2024}
WEB: Mapping[str, Any] = {"events": HERE / "access.log", "input_format": "apache"}
SENSORS: Mapping[str, Any] = {"events": HERE / "sensors.csv", "type": "Reading"}


def guessed() -> Query:
    """A login that succeeds after five failures or more from the same address in the ten minutes before."""
    ok, f = c.event("Accepted", name="ok"), c.event("Failed", name="f")
    failures = c.collect(
        ok,
        f,
        relation=lambda login, failure: (login.end - failure.start).between(0, c.Duration.parse("10 min")),
        on=ok.ip == f.ip,
        values={"count": c.agg.count()},
    )
    values = {"ip": ok.ip, "user": ok.user, "failures": failures.count}
    return c.query(failures.where(failures.count >= 5), name="Guessed", values=values)


def abandoned() -> Query:
    """A product, the cart and the checkout in half an hour, and no payment in the half hour after that."""
    a, b, checkout, d = (c.event("Request", name=name) for name in "abcd")
    steps = c.then(
        a.where(a.path == "/product"), b.where(b.path == "/cart"), checkout.where(checkout.path == "/checkout")
    )
    funnel = steps.within("30 min").on(a.ip == b.ip, b.ip == checkout.ip)
    left = funnel.unless(d.where(d.path == "/paid"), after="30 min", on=checkout.ip == d.ip)
    return c.query(left, name="Abandoned", values={"ip": a.ip})


def sessions() -> Query:
    """Requests of one address with at most half an hour between two of them."""
    r = c.event("Request", name="r")
    visit = c.repeat(
        r,
        gap=lambda one, other: other.start - one.end <= "30 min",
        within="1 d",
        per=r.ip,
        values={"count": c.agg.count(), "ip": c.agg.first(r.ip)},
    )
    return c.query(visit, name="Session", values={"ip": visit.ip, "requests": visit.count})


def cooled() -> QueryProgram:
    """An average of an hour above 26 degrees, and within half an hour a drop by five or more."""
    r, s, d, h = (
        c.event("Reading", name="r"),
        c.event("Reading", name="s"),
        c.event("Reading", name="d"),
        c.event("Hot", name="h"),
    )
    hour = c.collect(
        r,
        s,
        relation=lambda now, before: (now.end - before.start).between(0, c.Duration.parse("1 h")),
        on=r.sensor == s.sensor,
        values={"average": c.agg.avg(s.temperature)},
    )
    hot = c.query(
        hour.where(hour.average > 26.03), name="Hot", values={"sensor": r.sensor, "temperature": r.temperature}
    )
    drop = c.then(h, d).within("30 min").on(h.sensor == d.sensor).where(d.temperature <= h.temperature - 5)
    values = {"sensor": h.sensor, "from": h.temperature, "to": d.temperature}
    return c.program(hot, c.query(drop, name="Cooled", values=values))


def silent() -> Query:
    """A thermometer that says nothing for a quarter of an hour."""
    r, s = c.event("Reading", name="r"), c.event("Reading", name="s")
    return c.query(r.unless(s, after="15 min", on=r.sensor == s.sensor), name="Silent", values={"sensor": r.sensor})


TASKS: Mapping[str, tuple[Query | QueryProgram, Mapping[str, Any]]] = {
    "Guessed": (guessed(), SSH),
    "Abandoned": (abandoned(), WEB),
    "Session": (sessions(), WEB),
    "Cooled": (cooled(), SENSORS),
    "Silent": (silent(), SENSORS),
}


def main() -> None:
    for name, (query, given) in TASKS.items():
        options = dict(given)
        run = c.compile(query, ties="arrival").run(options.pop("events"), **options)
        matches = [match for match in run if match.name == name]
        print(f"{name}: {len(matches)}, the first {matches[0].end} {dict(matches[0].values)}")


if __name__ == "__main__":
    main()
