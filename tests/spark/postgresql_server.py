"""A server of PostgreSQL for as long as some tests take."""

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
_USER = "postgres"


@contextmanager
def served() -> Iterator[str]:
    """Yield the address of a server that lives as long, in a directory that nobody else changes."""
    with TemporaryDirectory(prefix="cepheid-postgresql-") as directory:
        yield from _served(_BINARIES[-1], Path(directory))


def no_server() -> str | None:
    """Return why no server can run here, None where one can."""
    if not _BINARIES:
        return "there is no PostgreSQL server on this machine"
    if os.geteuid() == 0 and not any(entry.pw_name == _USER for entry in pwd.getpwall()):
        return f"a server does not run as root, and there is no user `{_USER}`"
    return None


def _served(binaries: Path, directory: Path) -> Iterator[str]:
    data, user = directory / "data", _USER if os.geteuid() == 0 else None
    if user is not None:
        _hand_over(directory, user)
    port = _free_port()
    where = f"-k '' -h 127.0.0.1 -p {port} -F"
    _call(user, binaries / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync")
    _call(user, binaries / "pg_ctl", "-D", data, "-o", where, "-l", directory / "log", "-w", "start")
    try:
        yield f"postgresql://tester@127.0.0.1:{port}/postgres"
    finally:
        _call(user, binaries / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def _hand_over(directory: Path, user: str) -> None:
    """Let another user work in a directory: a server does not run as root."""
    entry = pwd.getpwnam(user)
    shutil.chown(directory, entry.pw_uid, entry.pw_gid)


def _call(user: str | None, *command: object) -> None:
    words = [str(word) for word in command]
    ran = subprocess.run(
        words, user=user, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
