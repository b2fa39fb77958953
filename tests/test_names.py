"""Every public name is in one place; those that were at the top of `cepheid` once are still found there."""

import subprocess
import sys
from importlib import import_module

import pytest

import cepheid as c
from cepheid.names import NAMESPACES
from cepheid.names import __all__ as top

MOST_AT_THE_TOP = 30


def test_names_stand_in_one_place_each() -> None:
    everywhere = [*top, *NAMESPACES, *(name for inside in NAMESPACES.values() for name in inside)]
    assert sorted(set(everywhere)) == sorted(everywhere)
    assert len(top) <= MOST_AT_THE_TOP


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_a_namespace_has_the_names_that_are_listed(namespace: str) -> None:
    module = import_module(f"cepheid.{namespace}")
    assert getattr(c, namespace) is module
    own = set(module.__all__) - set(NAMESPACES[namespace])
    assert set(module.__all__) >= set(NAMESPACES[namespace])
    assert own == set() or namespace in ("dbapi", "esql", "pipes")
    assert module.__doc__ is not None


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_a_name_in_a_namespace_is_still_found_at_the_top_and_not_shown_there(namespace: str) -> None:
    for name in NAMESPACES[namespace]:
        assert getattr(c, name) is getattr(getattr(c, namespace), name)
        assert name not in dir(c)


def test_what_is_shown_at_the_top_is_what_is_meant_for_it() -> None:
    shown = {name for name in dir(c) if not name.startswith("__")}
    assert shown == set(import_module("cepheid").__all__) == {*top, *NAMESPACES}
    assert all(hasattr(c, name) for name in shown)


def test_types_are_known_in_both_places() -> None:
    price = c.event("Price")
    new: c.terms.Term = c.agg.avg(price.value)  # mypy reads this file
    old: c.Term = c.avg(price.value)
    assert repr(new) == repr(old)


def test_a_name_that_is_none_is_said_to_be_none() -> None:
    with pytest.raises(AttributeError, match="module `cepheid` has no attribute `evnt`"):
        _ = c.evnt


def test_who_builds_a_query_loads_nothing_that_runs_one() -> None:
    program = (
        "import sys, cepheid as c\n"
        "a, b = c.event('A'), c.event('B')\n"
        "c.query((a >> b).within('1 s'), values={'n': c.terms.coalesce(a.n, 0)})\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {"numpy", "pyarrow", "numba", "cepheid.engine", "cepheid.connectors"} & set(done.stdout.split()) == set()
