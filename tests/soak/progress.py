"""How many cases of a part ran on which commit: kept in a file, so that a run may stop at any moment and go on."""

import hashlib
import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Progress:
    """The portions of a part that went well on a commit, with their numbers of cases, and those that did not."""

    done: dict[str, int] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @property
    def cases(self) -> int:
        return sum(self.done.values())

    def note(self, portion: str, cases: int | None) -> None:
        """Note that a portion went well, with so many cases, or that it did not."""
        self.failed = [name for name in self.failed if name != portion]
        if cases is None:
            self.failed.append(portion)
        else:
            self.done[portion] = cases


@dataclass(frozen=True, slots=True)
class Record:
    """The file of a part: its progress on every commit that it ran on, in the order in which it did."""

    path: Path

    def read(self) -> dict[str, Progress]:
        if not self.path.exists():
            return {}
        written = json.loads(self.path.read_text(encoding="utf-8"))
        return {commit: Progress(**progress) for commit, progress in written.items()}

    def on(self, commit: str) -> Progress:
        return self.read().get(commit, Progress())

    def note(self, commit: str, portion: str, cases: int | None) -> None:
        """Note how a portion went; the file has it when this returns, whole, or as it was."""
        every = self.read()
        every.setdefault(commit, Progress()).note(portion, cases)
        written = {one: {"done": its.done, "failed": its.failed} for one, its in every.items()}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
        os.replace(fresh, self.path)


def commit_of(root: Path) -> str:
    """Return what is run: the commit, and what was changed since, if anything was.

    A change that is not committed is told from others by what it changes, so that only the same is gone on with.
    """
    head = _git(root, "rev-parse", "HEAD").strip()
    changed = _git(root, "status", "--porcelain") + _git(root, "diff", "HEAD")
    return f"{head}+{hashlib.sha256(changed.encode()).hexdigest()[:8]}" if changed else head


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout
