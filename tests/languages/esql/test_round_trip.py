"""What is printed is read as the same form again, whatever definitions are loaded."""

from random import Random

import pytest

from cepheid.diagnostics import CepheidError, Source
from cepheid.languages.esql.grammars.definitions import loaded
from cepheid.languages.esql.grammars.expanding import expanded
from cepheid.languages.esql.grammars.forest import value_of
from cepheid.languages.esql.grammars.printing import show, show_definition
from cepheid.languages.esql.grammars.reading import derived
from cepheid.languages.esql.grammars.reading import read as read_symbol
from cepheid.languages.esql.grammars.rules import SAME, Rule
from cepheid.languages.esql.grammars.tokens import tokens_of
from tests.languages.esql.texts import BASE, random_definitions, read, sentence, text_of

KNOWN = {"ambiguous-text", "too-deep", "too-large"}


@pytest.mark.parametrize("seed", range(300))
def test_a_printed_query_is_read_as_itself(seed: int) -> None:
    text = sentence(BASE.grammar, Random(seed), levels=6)
    query = read(text)
    assert query is not None
    printed = show(BASE.grammar, query)
    assert read(printed) == query
    assert show(BASE.grammar, query) == printed


@pytest.mark.parametrize("seed", range(100))
def test_so_is_one_with_random_definitions(seed: int) -> None:
    random = Random(seed)
    dictionary, _ = loaded(BASE, random_definitions(random, 8), "definitions")
    read_ones, codes = 0, list[str]()
    for _ in range(5):
        try:
            query = read(sentence(dictionary.grammar, random, levels=5), dictionary)
        except CepheidError as error:
            codes.append(error.diagnostics[0].code)
            continue
        read_ones += 1
        assert query is not None
        assert read(show(dictionary.grammar, query), dictionary) == query
        plain = expanded(query, dictionary.definitions)
        assert expanded(read(show(dictionary.grammar, plain), dictionary) or (), dictionary.definitions) == plain
    assert read_ones
    assert KNOWN.issuperset(codes)


@pytest.mark.parametrize("seed", range(30))
def test_printed_definitions_define_the_same(seed: int) -> None:
    dictionary, _ = loaded(BASE, random_definitions(Random(seed), 6), "definitions")
    rules = {rule.name: rule for rule in dictionary.grammar.rules}
    texts = [show_definition(dictionary.grammar, one, rules[one.name]) for one in dictionary.definitions.values()]
    again, _ = loaded(BASE, "\n".join(texts), "printed")
    assert again.definitions == dictionary.definitions


@pytest.mark.parametrize("rule", BASE.grammar.rules, ids=lambda rule: f"{rule.symbol[1:-1]}: {rule}")
def test_every_rule_of_every_table_reads_a_text_of_its_own(rule: Rule) -> None:
    text = text_of(BASE.grammar, rule, Random(0))
    source = Source("<query>", text)
    derivation = derived(BASE.grammar, rule.symbol, tokens_of(source), source)
    assert derivation.rule(derivation.root).name == rule.name
    value = value_of(derivation)
    if rule.name == SAME or rule.symbol == "<piped>":
        return  # what is only handed on is printed without it
    printed = Source("<query>", show(BASE.grammar, value, rule.symbol))
    assert read_symbol(BASE.grammar, rule.symbol, tokens_of(printed), printed) == value
