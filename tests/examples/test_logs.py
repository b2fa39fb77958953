"""The five questions to three logs: every language answers as DuckDB does, which reads the files by itself."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

import cepheid as c
from examples.logs import make_logs, tasks

HERE = Path(tasks.__file__).parent
LINES = "read_csv('{path}', columns={{'line': 'VARCHAR'}}, delim='\x01', header=false, quote='', escape='')"
SSH = f"""
SELECT strptime('2024 ' || substr(line, 1, 15), '%Y %b %d %H:%M:%S') AS time,
    regexp_extract(line, ' from (\\S+)', 1) AS ip,
    regexp_extract(line, 'for (?:invalid user )?(\\S+) from', 1) AS user, line LIKE '%: Accepted %' AS ok
FROM {LINES.format(path=HERE / "auth.log")} WHERE line LIKE '%: Accepted %' OR line LIKE '%: Failed %'
"""
WEB = f"""
SELECT row_number() OVER () AS id,
    strptime(regexp_extract(line, '\\[([^\\]]+)', 1), '%d/%b/%Y:%H:%M:%S %z') AT TIME ZONE 'UTC' AS time,
    split_part(line, ' ', 1) AS ip, split_part(split_part(line, '"', 2), ' ', 2) AS path
FROM {LINES.format(path=HERE / "access.log")}
"""
SENSORS = f"""
SELECT time::TIMESTAMP AS time, sensor, temperature FROM read_csv('{HERE / "sensors.csv"}', types={{'time': 'VARCHAR'}})
"""
ANSWERS = {
    "Guessed": f"""
        WITH log AS ({SSH})
        SELECT s.time, s.ip, s.user, count(*) FROM log s JOIN log f ON f.ip = s.ip AND s.ok AND NOT f.ok
            AND f.time BETWEEN s.time - INTERVAL 10 MINUTE AND s.time
        GROUP BY ALL HAVING count(*) >= 5
    """,
    "Abandoned": f"""
        WITH log AS ({WEB})
        SELECT c.time, a.ip, a.id, b.id, c.id FROM log a JOIN log b USING (ip) JOIN log c USING (ip)
        WHERE a.path = '/product' AND b.path = '/cart' AND c.path = '/checkout' AND a.time < b.time AND b.time < c.time
            AND c.time <= a.time + INTERVAL 30 MINUTE AND NOT EXISTS (FROM log d WHERE d.ip = a.ip AND d.path = '/paid'
                AND d.time > c.time AND d.time <= c.time + INTERVAL 30 MINUTE)
    """,
    "Session": f"""
        WITH marked AS (SELECT *, coalesce(time - lag(time) OVER w > INTERVAL 30 MINUTE, true) AS first FROM ({WEB})
            WINDOW w AS (PARTITION BY ip ORDER BY time, id)),
        numbered AS (SELECT *, sum(first::INT) OVER (PARTITION BY ip ORDER BY time, id) AS number FROM marked)
        SELECT max(time), ip, count(*) FROM numbered GROUP BY ip, number
    """,
    "Cooled": f"""
        WITH hot AS (SELECT * FROM (SELECT *, avg(temperature) OVER (PARTITION BY sensor ORDER BY time
            RANGE BETWEEN INTERVAL 1 HOUR PRECEDING AND CURRENT ROW) AS average FROM ({SENSORS})) WHERE average > 26.03)
        SELECT d.time, h.sensor, h.temperature, d.temperature FROM hot h JOIN ({SENSORS}) d USING (sensor)
        WHERE d.time > h.time AND d.time <= h.time + INTERVAL 30 MINUTE AND d.temperature <= h.temperature - 5
    """,
    "Silent": f"""
        SELECT time, sensor
        FROM (SELECT *, lead(time) OVER (PARTITION BY sensor ORDER BY time) AS next FROM ({SENSORS}))
        WHERE coalesce(next - time > INTERVAL 15 MINUTE, true)
    """,
}
FILES = {
    "Guessed": ["guessed.cep", "guessed.hbl"],
    "Abandoned": ["abandoned.cep", "abandoned.parte"],
    "Session": ["sessions.cep", "sessions.parte"],
    "Cooled": ["cooled.cep", "cooled.parte"],
    "Silent": ["silent.cep", "silent.parte"],
}


def by_duckdb(name: str) -> Counter[tuple[object, ...]]:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return Counter((row[0].replace(tzinfo=UTC), *row[1:]) for row in connection.execute(ANSWERS[name]).fetchall())


def answered(name: str, query: c.CompiledQuery) -> Counter[tuple[object, ...]]:
    """The ends and the values of all matches; of the funnel also the rows."""
    given: dict[str, Any] = dict(tasks.TASKS[name][1])
    run = query.run(given.pop("events"), **given)
    found = [match for match in run if match.name == name]
    rows = [match.evidence if name == "Abandoned" else () for match in found]
    assert run.warnings == []
    return Counter((_time(match.end), *match.values.values(), *row) for match, row in zip(found, rows, strict=True))


def _time(shown: object) -> datetime:
    return datetime.fromisoformat(str(shown))


@pytest.mark.parametrize("name", tasks.TASKS)
def test_python_answers_as_duckdb_does(name: str) -> None:
    wanted = by_duckdb(name)
    assert len(wanted) >= 5
    assert answered(name, c.compile(tasks.TASKS[name][0], ties="arrival")) == wanted


@pytest.mark.parametrize(("name", "file"), [(name, file) for name, files in FILES.items() for file in files])
def test_every_language_answers_as_duckdb_does(name: str, file: str) -> None:
    text, language = (HERE / file).read_text(encoding="utf-8"), Path(file).suffix[1:]
    found, wanted = answered(name, c.compile(text, language=language)), by_duckdb(name)
    if file == "guessed.hbl":  # which does not count further failures
        wanted = Counter({row[:3]: count for row, count in wanted.items()})
    assert found == wanted


def test_every_question_is_answered_in_two_languages_and_in_python() -> None:
    assert FILES.keys() == ANSWERS.keys() == tasks.TASKS.keys()
    assert all({Path(file).suffix for file in files} > {".cep"} for files in FILES.values())
    assert sorted(file for files in FILES.values() for file in files) == sorted(
        path.name for path in HERE.iterdir() if path.suffix in {".cep", ".parte", ".hbl", ".etalis", ".alg"}
    )


@pytest.mark.parametrize("name", ["auth.log", "access.log", "sensors.csv"])
def test_the_logs_are_those_that_the_program_writes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make_logs, "HERE", tmp_path)
    make_logs.main()
    assert (tmp_path / name).read_bytes() == (HERE / name).read_bytes()
