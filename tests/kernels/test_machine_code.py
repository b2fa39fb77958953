"""What was compiled once is read in another process without a start of the compiler, which can still begin later."""

import json
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import json, sys
import numpy as np
from cepheid.engine.kernels.compiling.compiled import compiled

typed = compiled("def run(x):\\n    return x + 1\\n", "(types.int64,)")
untyped = compiled("def run(values):\\n    return values[-1] * 2\\n")
told = [typed(41), float(untyped(np.array([0.5, 1.5]))), int(untyped(np.array([3])))]
started = "numba.np.arraymath" in sys.modules
later = compiled(f"def run(x):\\n    return x * {sys.argv[1]}\\n")
print(json.dumps({"told": told, "started": started, "later": later(2)}))
"""


def ran(folder: Path, factor: int) -> dict[str, object]:
    environment = {**os.environ, "CEPHEID_CACHE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(factor)], env=environment, capture_output=True, check=True, text=True
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_what_was_compiled_needs_no_compiler(tmp_path: Path) -> None:
    assert ran(tmp_path, 3) == {"told": [42, 3.0, 6], "started": True, "later": 6}
    assert ran(tmp_path, 5) == {"told": [42, 3.0, 6], "started": False, "later": 10}
