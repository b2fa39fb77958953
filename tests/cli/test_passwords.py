"""An address that somebody gives in the wrong place is said without its password, whatever says it."""

from functools import partial
from pathlib import Path

import pytest

import cepheid as library
from cepheid.diagnostics import CepheidError
from tests.cli.console import cepheid

ADDRESSES = [
    "postgresql://ann:hunter2@db/shop",
    "postgresql://ann:hun ter2@db/shop",
    "postgresql://ann:a@hunter2@db/shop",
    "postgresql://ann@db/shop?sslmode=on&password=hunter2",
    "postgresql:ann:hunter2@db",
    "jdbc:oracle:thin:ann/hunter2@db",
    "host=db user=ann password=hunter2",
    "https://host/events.csv?token=hunter2",
    "s3://key:hunter2@bucket/events.parquet",
    "postgresql://ann:hunter2@db/*.csv",
]
COMMANDS = [
    "run A -i ADDRESS",
    "run A -i rows.jsonl -o ADDRESS/out.jsonl",
    "run A -i rows.jsonl -o ADDRESS/out.parquet",
    "run A -i rows.jsonl --rejects ADDRESS/rejects.jsonl",
    "run ADDRESS/rule.cep -i rows.jsonl",
    "check ADDRESS/rule.cep",
    "draw A -o ADDRESS/a.svg",
    "format ADDRESS/rule.cep",
    "test ADDRESS",
    "pipeline check ADDRESS/pipeline.toml",
    "run QUERY --language esql -i rows.jsonl",
    "run SELECT --language esql -i t=ADDRESS",
]
# Here it could be taken for a text of another kind: it is seen to be an address by its slashes.
WITH_SLASHES = [
    "run ADDRESS -i rows.jsonl",
    "check ADDRESS",
    "run A ADDRESS",
    "ADDRESS",
    "run A --input-format ADDRESS",
]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.jsonl").write_text('{"type": "A", "time": 1}\n{"type": "A"}\n')


def said(command: str, address: str) -> str:
    texts = {"QUERY": f"SELECT a FROM THE TUPLES OF FILE '{address}'", "SELECT": "SELECT a FROM t"}
    arguments = [texts.get(word, word.replace("ADDRESS", address)) for word in command.split()]
    answer = cepheid(*arguments)
    assert answer.status == 2
    return answer.output + answer.said


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_says_a_password(command: str, address: str) -> None:
    found = said(command, address)
    assert "error" in found.lower()
    assert "ter2" not in found


@pytest.mark.parametrize("address", [ADDRESSES[0], ADDRESSES[2], ADDRESSES[3], ADDRESSES[7]])
@pytest.mark.parametrize("command", WITH_SLASHES)
def test_an_address_in_place_of_something_else_is_covered(command: str, address: str) -> None:
    assert "ter2" not in said(command, address)


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_function_says_a_password(address: str) -> None:
    query = library.compile("A", allow_unbounded=True)
    tries = [
        partial(list, query.run(address)),
        partial(list, query.run(Path(address))),
        partial(list, query.run([address, "rows.jsonl"])),
        partial(query.run("rows.jsonl").write, f"{address}/a.csv"),
        partial(library.compile, "A", tables={"t": address}),
    ]
    for one in tries:
        with pytest.raises(CepheidError) as raised:
            one()  # type: ignore[operator]  # each is a call
        assert "ter2" not in str(raised.value)
        assert "ter2" not in repr(raised.value)


def test_the_rest_of_an_address_is_said() -> None:
    assert "`postgresql:/ann:***@db/shop` cannot be read" in said("run A -i ADDRESS", ADDRESSES[0])


def test_the_carets_stay_where_they_are() -> None:
    rows = said("check ADDRESS", ADDRESSES[0]).splitlines()
    assert any("postgresql://ann:*******@db/shop" in row for row in rows)


def test_a_query_that_names_an_address_is_drawn_without_its_password() -> None:
    for address in (ADDRESSES[0], ADDRESSES[3], ADDRESSES[7]):
        with pytest.raises(CepheidError) as raised:
            library.compile(f'use "{address}"\nA')
        assert "ter2" not in str(raised.value)
