"""`[pipeline.spark]`: any setting of Spark under the name that Spark has for it, and jars and packages as lists."""

import re
from collections.abc import Iterator, Mapping
from os.path import isfile

from cepheid.spark.pipelines.sections import Section

SPARK = "spark"
_COORDINATES = re.compile(r"[^\s:]+:[^\s:]+:[^\s:]+")
_LISTS = {"jars": "spark.jars", "packages": "spark.jars.packages"}


def spark_settings(head: Section) -> dict[str, str]:
    """Return the settings of Spark that a pipeline has; a key with dots may be written with quotes or without."""
    head.known.append(SPARK)
    table = head.table.get(SPARK, {})
    if not isinstance(table, dict):
        head.complain(f"`{SPARK}` is no table", "expected a table", SPARK, hint="write `[pipeline.spark]`")
        return {}
    path = (*head.path, SPARK)
    lists = Section(head.places, path, {key: table[key] for key in _LISTS if key in table}, head.problems)
    found = {_LISTS[key]: ",".join(some) for key, some in _listed(lists, head).items() if some}
    flat = dict(_flat("", {key: value for key, value in table.items() if key not in _LISTS}))
    for key in flat:
        if not key.startswith("spark."):
            hint = f'write `"spark.{key}" = "1g"`, `jars = ["udf.jar"]` or `packages = ["org.example:udf:1.0"]`'
            lists.complain(f"`{key}` is no setting of Spark", "it begins with `spark.`", key, hint=hint)
    section = Section(head.places, path, {SPARK: flat}, head.problems, head.directory)
    return {**found, **section.secrets(SPARK)}


def _listed(lists: Section, head: Section) -> dict[str, list[str]]:
    """Return what lists say: jars as they are seen from the file of the pipeline, and packages as they are called."""
    jars = [one if "://" in one else str(head.directory / one) for one in lists.texts("jars")]
    for jar in jars:
        if "://" not in jar and not isfile(jar):
            lists.complain(f"`{jar}` is no file", "of these jars", "jars", hint="name a file, or an address of one")
    packages = list(lists.texts("packages"))
    for one in packages:
        if not _COORDINATES.fullmatch(one):
            hint = 'write `packages = ["org.example:udf:1.0"]`'
            lists.complain(f"`{one}` names no package", "a group, a name and a version", "packages", hint=hint)
    return {"jars": jars, "packages": packages}


def _flat(before: str, table: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield settings under their whole names; a table that says where a secret is kept is the value of one."""
    for key, value in table.items():
        is_secret = isinstance(value, dict) and set(value) in ({"env"}, {"file"})
        if isinstance(value, dict) and not is_secret:
            yield from _flat(f"{before}{key}.", value)
        else:
            yield f"{before}{key}", value
