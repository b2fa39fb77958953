"""What is drawn of a pipeline beside an error has no secret in it, however that is written."""

import pytest

from cepheid.diagnostics import Source
from cepheid.spark.pipelines.secrets import without_secrets
from cepheid.spark.pipelines.toml_places import KeyPlaces

KEYS = ("secret", "password", '"sasl.password"', '"ssl.key.pem"', '"fs.azure.account.key.shop"', '"sasl.jaas.config"')
WRITTEN = (
    '"hidden"',
    "'hidden'",
    '"""hidden"""',
    "'''hidden'''",
    '"""\nhidden\nhidden\n"""',
    '"""hidden',
    '"hidden',
    "hidden",
    "hidden # hidden",
    '"a" hidden',
    '["hidden", "hidden"]',
    '{ vault = "hidden" }',
)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("written", WRITTEN)
def test_a_secret_is_hidden_however_it_is_written(key: str, written: str) -> None:
    text = f'[sinks.hook]\nformat = "webhook"\n{key} = {written}\nattempts = 3\n'
    shown = without_secrets(text)
    assert "hidden" not in shown
    assert shown.count("\n") == text.count("\n")
    if not written.endswith('"""hidden'):  # all that follows is in it
        assert shown.endswith("\nattempts = 3\n")
        assert str(KeyPlaces(Source("p.toml", shown)).of("sinks", "hook", "attempts")) == (
            f"p.toml:{4 + written.count(chr(10))}:1"
        )


@pytest.mark.parametrize("between", [" = ", " ", ": ", " == "])
def test_a_secret_is_hidden_without_the_sign_before_it(between: str) -> None:
    assert "hidden" not in without_secrets(f'secret{between}"hidden"\n')


def test_what_is_no_secret_stays() -> None:
    text = (
        '[sources.orders]\nformat = "kafka"\nschema = "type string, key string"\n'
        'secret = { env = "HOOK" }\noptions = { "sasl.password" = { file = "password" } }\n'
        '[queries.pair]\ntext = "(a:A ; b:B where a.key == b.key) within 1 s"\n'
    )
    assert without_secrets(text) == text
