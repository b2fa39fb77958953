"""Files of pipelines that were changed at random: each is checked, or refused with a code.

Whatever a file calls a broker, the one that is asked is on this machine, and nobody is there.

Usage: python -m tests.hostile.pipelines FIRST LAST
"""

import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from cepheid.api import check_pipeline
from cepheid.diagnostics import CepheidError
from cepheid.spark.kafka import client
from tests.hostile.mutating import mutated
from tests.hostile.query_texts import ROOT
from tests.hostile.watching import main

_NOBODY = "127.0.0.1:1"


@cache
def _texts() -> tuple[str, ...]:
    """Return the pipelines of the examples."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").rglob("*.toml")))


@cache
def _folder() -> Path:
    """Return a folder, which `watching` removes, with all files that the pipelines name."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    for path in sorted((ROOT / "examples").rglob("*.toml")):
        shutil.copytree(path.parent, folder, dirs_exist_ok=True)
    return folder


@cache
def _stay_here() -> None:
    """Let no client of Kafka ask beyond this machine, nor wait for an answer that does not come."""
    config = client.KafkaTopic.config

    def here(topic: client.KafkaTopic, **more: object) -> dict[str, Any]:
        return {**config(topic, **more), "bootstrap.servers": _NOBODY}

    client.KafkaTopic.config = here  # type: ignore[method-assign,assignment]  # for as long as the process lasts
    client.PATIENCE = 0.01  # type: ignore[misc]  # the same


def case(seed: int) -> str:
    """Return what became of a pipeline: it can be run, it was found wanting, or it was refused."""
    _stay_here()
    random = Random(seed)
    path = _folder() / "pipeline.toml"
    text = mutated(random.choice(_texts()), random, _texts())
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        check_pipeline(str(path))
    except CepheidError:
        return "refused"  # no error is without a code
    return "checked"


if __name__ == "__main__":
    sys.exit(main("tests.hostile.pipelines", sys.argv[1:]))
